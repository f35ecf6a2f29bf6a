import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { timeOf } from '~/server/audio/frame-header';
import { type Insertion, type Omission, type Recording, splice } from '~/server/audio/splice';
import { readTags, writeId3 } from '~/server/audio/tags';
import { toEpisode, toRendition } from '~/server/audio/timeline';
import { slicesOf, startsOf } from '~/server/audio/virtual-file';
import { assembleRendition, decodeWithMpg123, recordingOf } from '../support/decoding';
import { deepSeed, isDeep } from '../support/deep';
import { lameFrames } from '../support/encodings';
import { frames, noise } from '../support/mp3';
import { seededInts } from '../support/seeded-ints';

// encoders, decoders and threads are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

/** Four rounds cover every combination of tag and source, and most of the insertions. */
const ROUNDS = isDeep ? 20 : 6;
const RANGES = isDeep ? 3000 : 500;

const FORM = { sampleRate: 44_100, channels: 2 } as const;
const episodeFile = await lameFrames({ ...FORM, seconds: 12 }, { bitrate: 128 });
const clipFile = await lameFrames({ ...FORM, seconds: 1.5, seed: 3 }, { bitrate: 128 });
const vbrFile = await lameFrames({ ...FORM, seconds: 8, seed: 2 }, { vbrQuality: 4 });
const files = { episode: episodeFile, clip: clipFile, vbr: vbrFile };
const episode = await recordingOf('episode', episodeFile);
const clip = await recordingOf('clip', clipFile);
const vbr = await recordingOf('vbr', vbrFile);

async function spliced(recording: Recording, insertions: Insertion[], id3?: Uint8Array, omitted?: Omission[]) {
  const result = await splice(recording, insertions, { id3, omitted });
  if (!result.ok) throw new Error(result.reason);
  return result.rendition;
}

test('random byte ranges of a rendition equal slices of the whole file', async () => {
  const nextInt = seededInts(deepSeed());
  for (let round = 0; round < ROUNDS; round++) {
    const recording = round % 2 ? vbr : episode;
    const marks: Insertion['at'][] = ['pre', 'post', nextInt(7000), nextInt(7000), nextInt(7000)];
    const insertions = marks.slice(round % 3, 3 + (round % 3)).map((at) => ({ at, clip }));
    const id3 = round % 4 ? writeId3({ title: `No. ${round}` }) : undefined;
    const rendition = await spliced(recording, insertions, id3);
    const whole = assembleRendition(rendition, files);
    const starts = startsOf(rendition.segments);
    for (let i = 0; i < RANGES; i++) {
      // a third of the ranges span a cut
      const cut = starts[1 + nextInt(starts.length - 2)]!;
      const start = i % 3 ? nextInt(whole.length) : Math.max(0, cut - 1 - nextInt(2000));
      const end = Math.min(whole.length - 1, i % 3 ? start + nextInt(60_000) : cut + nextInt(2000));
      const parts = slicesOf(starts, start, Math.max(start, end)).map(({ segment, offset, bytes }) => {
        const { from } = rendition.segments[segment]!;
        const [source, at] = 'memory' in from ? [from.memory, 0] : [files[from.key as keyof typeof files], from.start];
        return source.subarray(at + offset, at + offset + bytes);
      });
      if (!Buffer.concat(parts).equals(whole.subarray(start, Math.max(start, end) + 1))) {
        throw new Error(`round ${round}: bytes ${start} to ${end}`);
      }
    }
  }
});

test('a rendition starts with one tag and one info frame with correct figures', async () => {
  const tags = { title: 'Con anuncios', chapters: [{ startMs: 0, endMs: 900, title: 'Uno' }] };
  const rendition = await spliced(episode, [{ at: 5000, clip }], writeId3(tags));
  const whole = assembleRendition(rendition, files);

  const found = await checkMp3(bufferSource(whole));

  const figures = { kind: 'Info', frames: rendition.frames, bytes: whole.length - writeId3(tags).length };
  expect(found).toMatchObject({
    ok: true,
    frames: rendition.frames,
    junkBytes: 0,
    infoFrame: { ...figures, gapless: null },
  });
  expect(await readTags(bufferSource(whole))).toMatchObject(tags);
});

test('a variable bit rate gives a Xing frame', async () => {
  const rendition = await spliced(vbr, [{ at: 5000, clip }]);

  expect(await checkMp3(bufferSource(assembleRendition(rendition, files)))).toMatchObject({
    infoFrame: { kind: 'Xing' },
  });
});

test('an episode that starts mid-stream does not read the bit reservoir of a clip before it', async () => {
  const first = episode.index.needs.findIndex((need, frame) => frame > 40 && need > 0);
  const torn = episodeFile.subarray(episode.index.offsets[first]);
  const rendition = await spliced(await recordingOf('torn', torn), [{ at: 'pre', clip }]);

  const after = await decodeWithMpg123(assembleRendition(rendition, { torn, clip: clipFile }));

  expect(rendition.parts.map(({ role }) => role)).toEqual(['clip', 'primer', 'episode']);
  expect(after.errors).toEqual([]);
  const primer = rendition.parts[1]!;
  expect(primer).toMatchObject({ frames: 1, insertion: 0 });
});

test('without insertions a rendition equals the episode’s audio', async () => {
  const rendition = await spliced(episode, []);

  expect(rendition.parts).toEqual([{ role: 'episode', start: 0, from: 0, frames: episode.index.frames }]);
  expect(assembleRendition(rendition, files).subarray(-episodeFile.length).equals(episodeFile)).toBe(true);
});

test('the hash depends on the order, positions, tag and source hashes', async () => {
  const hash = async (...args: Parameters<typeof spliced>) => (await spliced(...args)).sha256;
  const base = await hash(episode, [{ at: 5000, clip }]);

  expect(await hash(episode, [{ at: 5000, clip }])).toBe(base);
  expect(await hash({ ...episode, key: 'moved' }, [{ at: 5000, clip }])).toBe(base);
  const others = [
    await hash(episode, [{ at: 6000, clip }]),
    await hash(episode, [{ at: 5000, clip: { ...clip, sha256: 'other' } }]),
    await hash(episode, [{ at: 5000, clip }], writeId3({ title: 'x' })),
    await hash(episode, []),
  ];
  expect(new Set([base, ...others]).size).toBe(5);
});

test('a marker moves to the next frame boundary, and clips at one position keep their order', async () => {
  const { parts } = await spliced(episode, [
    { at: 2000, clip },
    { at: 'post', clip },
    { at: 1990, clip },
    { at: 'pre', clip },
  ]);

  const order = parts.filter(({ role }) => role === 'clip').map(({ insertion }) => insertion);
  expect(order).toEqual([3, 0, 2, 1]);
  const cut = parts.find(({ insertion, role }) => insertion === 2 && role === 'primer');
  const after = parts.find(({ role, from }) => role === 'episode' && from > 0)!;
  expect(cut).toBeDefined();
  expect(after.from).toBe(Math.ceil((2000 * 44.1) / 1152));
});

const slow = await recordingOf('slow', await lameFrames({ ...FORM, sampleRate: 8000, seconds: 12 }, { bitrate: 24 }));
const slowClip = await recordingOf(
  'clip',
  await lameFrames({ ...FORM, sampleRate: 8000, seconds: 1 }, { bitrate: 24 }),
);

/** Up to six clips: before, after, in between, several at one position and at the very ends. */
function scatter(nextInt: (below: number) => number, inserted: Recording, endMs: number): Insertion[] {
  const places: Insertion['at'][] = ['pre', 'post', 0, endMs, 3000];
  return Array.from({ length: nextInt(7) }, () => {
    const place = nextInt(places.length + 6);
    return { at: places[place] ?? nextInt(Math.floor(endMs * 1000)) / 1000, clip: inserted };
  });
}

test('an episode time maps to rendition time and back, wherever the clips are', async () => {
  const nextInt = seededInts(5);

  for (let round = 0; round < 200; round++) {
    const [recording, inserted] = round % 3 ? [episode, clip] : [slow, slowClip];
    const endMs = timeOf(recording.index, recording.index.frames);
    const rendition = await spliced(recording, scatter(nextInt, inserted, endMs));
    const moments = Array.from({ length: 200 }, (_, i) => (endMs * (i + nextInt(1000) / 1000)) / 200);
    const there = moments.map((ms) => toRendition(rendition, ms));
    // the aim is 30 ms
    expect(Math.max(...there.map((ms, i) => Math.abs(toEpisode(rendition, ms).ms - moments[i]!)))).toBeLessThan(0.01);
    expect(there).toEqual([...there].sort((one, other) => one - other));
    expect(toRendition(rendition, endMs + 5000)).toBe(toRendition(rendition, endMs));
  }
});

test('a rendition time maps to an episode time, inside a clip to where the episode resumes', async () => {
  const nextInt = seededInts(6);

  for (let round = 0; round < 200; round++) {
    const [recording, inserted] = round % 3 ? [episode, clip] : [slow, slowClip];
    const endMs = timeOf(recording.index, recording.index.frames);
    const insertions = scatter(nextInt, inserted, endMs);
    const rendition = await spliced(recording, insertions);
    for (const { role, start, frames, insertion } of rendition.parts) {
      const ms = timeOf(rendition, start + ((1 + nextInt(98)) / 100) * frames);
      const found = toEpisode(rendition, ms);
      if (role === 'episode')
        expect([found.insertion, toRendition(rendition, found.ms)]).toEqual([null, expect.closeTo(ms, 3)]);
      if (role === 'episode') continue;
      const { at } = insertions[insertion!]!;
      const marker = at === 'pre' ? 0 : at === 'post' ? endMs : at;
      expect(found.insertion).toBe(insertion);
      expect(found.ms).toBeGreaterThan(marker - 0.01);
      expect(found.ms).toBeLessThan(marker + timeOf(rendition, 1));
    }
  }
});

test('the audio at a mapped time equals the episode’s audio', async () => {
  const rendition = await spliced(episode, [
    { at: 'pre', clip },
    { at: 4000, clip },
  ]);
  const [before, after] = [
    await decodeWithMpg123(episodeFile),
    await decodeWithMpg123(assembleRendition(rendition, files)),
  ];

  for (const ms of [500, 3900, 4100, 8000, 11_000]) {
    const from = Math.round(ms * 44.1);
    const wanted = before.channels[0]!.subarray(from, from + 2000);
    const near = Math.round(toRendition(rendition, ms) * 44.1);
    const distances = wanted.map((x, i) => Math.abs(x - after.channels[0]![near + i]!));
    expect(Math.max(...distances)).toBeLessThan(1e-5);
  }
});

test('impossible splices are rejected with a reason', async () => {
  const mono = await recordingOf('mono', await lameFrames({ ...FORM, channels: 1, seconds: 1 }, { bitrate: 64 }));
  const slower = await recordingOf(
    'slow',
    await lameFrames({ sampleRate: 48_000, channels: 2, seconds: 1 }, { bitrate: 128 }),
  );
  const cut = await recordingOf('cut', clipFile.subarray(clip.index.offsets[20]));

  expect(await splice(episode, [{ at: 0, clip: mono }])).toEqual({ ok: false, reason: 'clip_mismatch', insertion: 0 });
  expect(
    await splice(episode, [
      { at: 0, clip },
      { at: 0, clip: slower },
    ]),
  ).toMatchObject({ insertion: 1 });
  expect(await splice(episode, [{ at: 0, clip: cut }])).toMatchObject({ reason: 'clip_begins_inside' });
  expect(await splice(episode, [{ at: 99_000, clip }])).toMatchObject({ reason: 'marker_outside' });
  expect(await splice(episode, [{ at: Number.NaN, clip }])).toMatchObject({ reason: 'marker_outside' });
});

test('junk between the episode’s frames is not in the rendition', async () => {
  const file = Buffer.concat([frames(100), noise(700), frames(100)]);
  const recording = await recordingOf('junk', file);

  const rendition = await spliced(recording, []);

  const whole = assembleRendition(rendition, { junk: file });
  expect(await checkMp3(bufferSource(whole))).toMatchObject({ ok: true, frames: 200, junkBytes: 0 });
});

test('samples before and after an omitted passage are unchanged', async () => {
  const rendition = await spliced(episode, [], undefined, [{ fromMs: 3000, toMs: 5000 }]);
  const [before, after] = [
    await decodeWithMpg123(episodeFile),
    await decodeWithMpg123(assembleRendition(rendition, files)),
  ];
  const frameOf = (ms: number) => Math.ceil((ms * 44.1) / 1152);
  const [gapFrom, gapTo] = [frameOf(3000), frameOf(5000)];

  expect(after.errors).toEqual([]);
  expect(rendition.parts.map(({ role, frames }) => [role, frames])).toEqual([
    ['episode', gapFrom],
    ['primer', 1],
    ['episode', episode.index.frames - gapTo],
  ]);
  const distance = (at: number, other: number, count: number) => {
    const [one, two] = [before.channels[0]!.subarray(at, at + count), after.channels[0]!.subarray(other)];
    return one.reduce((most, x, i) => Math.max(most, Math.abs(x - two[i]!)), 0);
  };
  expect(distance(0, 0, gapFrom * 1152)).toBeLessThan(1e-5);
  // the first frame after a cut overlaps with the silence of the primer
  const [from, resumed] = [(gapTo + 1) * 1152, (gapFrom + 2) * 1152];
  expect(distance(from, resumed, episode.index.frames * 1152 - from)).toBeLessThan(1e-5);
});

test('a clip replaces a passage, and the end of an episode can be left out', async () => {
  const endMs = timeOf(episode.index, episode.index.frames);
  const rendition = await spliced(
    episode,
    [
      { at: 2000, clip },
      { at: 2500, clip },
    ],
    undefined,
    [
      { fromMs: 2000, toMs: 4000 },
      { fromMs: 9000, toMs: endMs },
    ],
  );

  const { errors } = await decodeWithMpg123(assembleRendition(rendition, files));

  expect(errors).toEqual([]);
  expect(rendition.parts.map(({ role, insertion }) => [role, insertion])).toEqual([
    ['episode', undefined],
    ['clip', 0],
    ['clip', 1],
    ['primer', 1],
    ['episode', undefined],
  ]);
  // a time inside an omitted passage maps to its end
  expect(toRendition(rendition, 3000)).toBe(toRendition(rendition, 4000));
  expect(toRendition(rendition, 10_000)).toBe(timeOf(rendition, rendition.frames));
});

test('an episode without its beginning starts with a primer', async () => {
  const first = episode.index.needs.findIndex((need, frame) => frame > 40 && need > 0);
  const rendition = await spliced(episode, [], undefined, [{ fromMs: 0, toMs: timeOf(episode.index, first) }]);

  expect(rendition.parts.map(({ role, from }) => [role, from])).toEqual([
    ['primer', 0],
    ['episode', first],
  ]);
  expect((await decodeWithMpg123(assembleRendition(rendition, files))).errors).toEqual([]);
});

test('silence around a clip has its length in whole frames, and no sound', async () => {
  const plain = await spliced(episode, [{ at: 4000, clip }]);
  const rendition = await spliced(episode, [{ at: 4000, clip, silenceBeforeMs: 500, silenceAfterMs: 1000 }]);
  const whole = assembleRendition(rendition, files);

  const { errors, channels } = await decodeWithMpg123(whole);

  const [before, after] = [500, 1000].map((ms) => Math.ceil((ms * 44.1) / 1152));
  const parts = rendition.parts.filter(({ role }) => role === 'clip').map(({ frames }) => frames);
  expect(errors).toEqual([]);
  expect(parts).toEqual([before, clip.index.frames, after]);
  expect(rendition.frames).toBe(plain.frames + before! + after!);
  expect(await checkMp3(bufferSource(whole))).toMatchObject({ ok: true, frames: rendition.frames, junkBytes: 0 });
  // two frames after the cut, what the decoder overlaps has faded
  const start = rendition.parts.find(({ role }) => role === 'clip')!.start;
  const silent = channels[0]!.subarray((start + 2) * 1152, (start + before! - 1) * 1152);
  expect(silent.some((x) => Math.abs(x) > 1e-4)).toBe(false);
  expect(toRendition(rendition, 6000)).toBeCloseTo(toRendition(plain, 6000) + timeOf(rendition, before! + after!), 3);
});
