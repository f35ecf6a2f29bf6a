import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3, type Mp3 } from '~/server/audio/check-mp3';
import { apeTag, frame, frames, id3v1, id3v2, noise, vbriFrame, withFooter, xingFrame } from '../support/mp3';

const check = (...parts: Buffer[]) => checkMp3(bufferSource(Buffer.concat(parts)));

async function checked(...parts: Buffer[]): Promise<Mp3> {
  const verdict = await check(...parts);
  if (!verdict.ok) throw new Error(`${verdict.reason}: ${verdict.detail}`);
  return verdict;
}

test.each([
  { version: 1, kbps: 128, sampleRate: 44_100, mono: false, samples: 1152 },
  { version: 1, kbps: 320, sampleRate: 32_000, mono: false, samples: 1152 },
  { version: 1, kbps: 32, sampleRate: 48_000, mono: true, samples: 1152 },
  { version: 2, kbps: 64, sampleRate: 22_050, mono: true, samples: 576 },
  { version: 2, kbps: 160, sampleRate: 24_000, mono: false, samples: 576 },
  { version: 2.5, kbps: 8, sampleRate: 8_000, mono: true, samples: 576 },
  { version: 2.5, kbps: 64, sampleRate: 11_025, mono: false, samples: 576 },
] as const)('MPEG $version at $kbps kbit/s, $sampleRate Hz, mono $mono is measured exactly', async (spec) => {
  const found = await checked(frames(100, spec));

  expect(found).toMatchObject({
    version: spec.version,
    sampleRate: spec.sampleRate,
    channels: spec.mono ? 1 : 2,
    frames: 100,
    samples: 100 * spec.samples,
    durationMs: Math.round((100 * spec.samples * 1000) / spec.sampleRate),
    constantBitrate: true,
    warnings: [],
  });
  expect(Math.abs(found.bitrate - spec.kbps * 1000)).toBeLessThan(spec.kbps * 10);
});

test.each([
  [0x00, 'stereo', 2],
  [0x40, 'joint', 2],
  [0x80, 'dual', 2],
  [0xc0, 'mono', 1],
] as const)('the channel mode of a header ending in %i is %s', async (bits, channelMode, channels) => {
  const one = frame();
  one[3] = bits;

  expect(await checked(Buffer.concat(Array.from({ length: 60 }, () => one)))).toMatchObject({ channelMode, channels });
});

test.each(['Info', 'Xing'] as const)('a %s frame is recognised and not counted', async (kind) => {
  const found = await checked(xingFrame(kind, { frames: 50, bytes: 51 * 417 }), frames(50));

  expect(found).toMatchObject({
    frames: 50,
    infoFrame: { kind, frames: 50, bytes: 51 * 417, encoder: null, gapless: null },
    audioStart: 417,
  });
});

test.each([false, true])('an info frame with a CRC is recognised, placed after the CRC: %s', async (afterCrc) => {
  const found = await checked(xingFrame('Info', { frames: 50 }, { crc: true, afterCrc }), frames(50, { crc: true }));

  expect(found).toMatchObject({ frames: 50, infoFrame: { kind: 'Info', frames: 50, bytes: null } });
});

test.each([
  { version: 2, mono: true },
  { version: 2, mono: false },
  { version: 1, mono: true },
] as const)('an info frame is found after the side information of MPEG $version, mono $mono', async (spec) => {
  const found = await checked(xingFrame('Xing', { frames: 20 }, spec), frames(20, spec));

  expect(found).toMatchObject({ frames: 20, infoFrame: { kind: 'Xing', frames: 20 } });
});

test('a VBRI frame is recognised and not counted', async () => {
  const found = await checked(vbriFrame({ frames: 40, bytes: 41 * 417 }), frames(40));

  expect(found).toMatchObject({ frames: 40, infoFrame: { kind: 'VBRI', frames: 40, bytes: 41 * 417 } });
});

test('a variable bit rate is reported, with and without an info frame', async () => {
  const audio = [frames(30, { kbps: 64 }), frames(30, { kbps: 192 }), frames(30, { kbps: 128, padding: true })];

  const plain = await checked(...audio);
  const tagged = await checked(xingFrame('Xing', { frames: 90 }), ...audio);

  expect(plain).toMatchObject({ frames: 90, constantBitrate: false, warnings: ['variable_bitrate'] });
  expect(tagged).toMatchObject({ frames: 90, constantBitrate: false, samples: plain.samples, bitrate: plain.bitrate });
});

test('a tag with a picture of 20 MB is noticed, one of 2 MB is not', async () => {
  const [large, usual] = [await checked(id3v2(20_000_000), frames(60)), await checked(id3v2(2_000_000), frames(60))];

  expect([large.warnings, usual.warnings]).toEqual([['large_head'], []]);
});

test('tags at both ends count neither as audio nor as junk', async () => {
  const audio = frames(60);
  const found = await checked(id3v2(3000), id3v2(100), audio, apeTag(500), id3v1());

  expect(found).toMatchObject({ frames: 60, headBytes: 3100, audioStart: 3100, junkBytes: 0, warnings: [] });
  expect(found).toMatchObject({ audioEnd: 3100 + audio.length, tailBytes: 564 + 128 });
});

test('every tag at both ends is reported with its position', async () => {
  const lyrics = Buffer.from(`LYRICSBEGIN${'x'.repeat(40)}000051LYRICS200`);
  const parts = [id3v2(300), apeTag(100), frames(60), withFooter(50), lyrics, apeTag(200), id3v1()];
  const ends = parts.map((_, i) => parts.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0));

  const { tags } = await checked(...parts);

  const kinds = ['id3v2', 'ape', 'frames', 'id3v2', 'lyrics3', 'ape', 'id3v1'];
  const expected = kinds.map((kind, i) => ({ kind, start: ends[i - 1] ?? 0, end: ends[i]! }));
  expect(tags).toEqual(expected.filter(({ kind }) => kind !== 'frames'));
});

test('a tag at the head may have a footer, and the one at the end may be an extended ID3v1', async () => {
  const longer = Buffer.concat([Buffer.from('TAG+'), Buffer.alloc(223), id3v1()]);

  const found = await checked(withFooter(500), frames(60), longer);

  expect(found).toMatchObject({ headBytes: 520, tailBytes: 355, junkBytes: 0 });
});

test('a leading ID3 tag of 5 MB is skipped', async () => {
  const found = await checked(id3v2(5_000_000), frames(60));

  expect(found).toMatchObject({ frames: 60, headBytes: 5_000_000 });
});

test('two joined files, with tags, are one stream', async () => {
  const found = await checked(id3v2(300), frames(40), id3v2(700), frames(40));

  expect(found).toMatchObject({ frames: 80, junkBytes: 0 });
});

test('a little junk, before and between frames, is skipped and reported', async () => {
  const found = await checked(id3v2(64), noise(1000), frames(200), noise(2500), frames(200));

  expect(found).toMatchObject({ frames: 400, junkBytes: 3500, warnings: ['junk'] });
});

test('a file cut within a frame is reported', async () => {
  const found = await checked(frames(50), frame().subarray(0, 100));

  expect(found).toMatchObject({ frames: 50, warnings: ['last_frame_cut'] });
});

test('one missing frame is ignored, because some encoders announce one too many', async () => {
  const found = await checked(xingFrame('Info', { frames: 31 }), frames(30));

  expect(found).toMatchObject({ frames: 30, warnings: [] });
});

test('more frames than announced are reported, because players may show the announced length', async () => {
  const oneMore = await checked(xingFrame('Info', { frames: 30 }), frames(31));
  const joined = await checked(
    xingFrame('Info', { frames: 30 }),
    frames(30),
    xingFrame('Info', { frames: 30 }),
    frames(30),
  );

  expect(oneMore.warnings).toEqual([]);
  expect(joined.warnings).toEqual(['frames_unannounced']);
});

test('a few missing frames cause a warning, and many an error', async () => {
  const few = await checked(xingFrame('Info', { frames: 300 }), frames(297));
  const many = await check(xingFrame('Info', { frames: 300 }), frames(150), frame().subarray(0, 77));
  const bytesOnly = await check(xingFrame('Info', { bytes: 300 * 417 }), frames(150));

  expect(few.warnings).toEqual(['frames_missing']);
  expect(many).toMatchObject({ ok: false, reason: 'truncated', detail: '150 frames, 150 missing' });
  expect(bytesOnly).toMatchObject({ ok: false, reason: 'truncated' });
});

const named = (name: string, reason: string, detail: string | null, ...parts: Buffer[]) => ({
  name,
  reason,
  detail,
  file: Buffer.concat(parts),
});

test.each([
  named('an empty file', 'empty', null),
  named('a WAV', 'not_mp3', 'wav', Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt '), noise(90_000)),
  named('an HTML page', 'not_mp3', 'html', Buffer.from('\n <!DOCTYPE html><html><body>Not found</body></html>')),
  named('an HTML page with an ID3 tag', 'not_mp3', 'html', id3v2(200), Buffer.from('<html></html>')),
  named('an M4A', 'not_mp3', 'm4a', Buffer.from('\0\0\0\x20ftypM4A '), noise(90_000)),
  named('AAC', 'not_mp3', 'aac', Buffer.from([0xff, 0xf1, 0x50, 0x80]), noise(5000)),
  named('MP2', 'not_mp3', 'mp2', Buffer.from([0xff, 0xfd, 0xa4, 0x00]), noise(5000)),
  named('free format', 'free_format', 'free format', Buffer.from([0xff, 0xfb, 0x00, 0x00]), noise(5000)),
  named('noise', 'not_mp3', 'no frames', noise(500_000)),
  named('zeros', 'not_mp3', 'no frames', Buffer.alloc(100_000)),
  named('one byte', 'not_mp3', 'no frames', Buffer.from([0xff])),
  named('a cut tag', 'truncated', null, id3v2(5000).subarray(0, 900)),
  named('500 bytes of an MP3', 'not_mp3', null, frames(10).subarray(0, 500)),
  named('only an info frame', 'too_short', null, xingFrame('Info', { frames: 0 })),
  named('more noise than sound', 'damaged', null, frames(50), noise(40_000), frames(50)),
  named('two rates in one file', 'mixed_formats', null, frames(50), frames(50, { sampleRate: 48_000 })),
])('$name is rejected as $reason', async ({ file, reason, detail }) => {
  const verdict = await check(file);

  expect(verdict).toMatchObject({ ok: false, reason });
  if (detail) expect(verdict).toMatchObject({ detail });
});

test('a file below the minimum length is too short', async () => {
  const verdict = await checkMp3(bufferSource(frames(30)), { minDurationMs: 1000 });

  expect(verdict).toEqual({ ok: false, reason: 'too_short', detail: '0.784 s' });
});
