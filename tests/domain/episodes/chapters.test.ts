import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { readTags, writeId3 } from '~/server/audio/tags';
import { SESSION_COOKIE } from '~/server/auth/sessions';
import { parseClock } from '~/server/base/time';
import { serveChapters, storeChapterImage } from '~/server/domain/episodes/chapters';
import { lookupEpisodeRow } from '~/server/domain/episodes/queries';
import { chaptersFromFile, loudnessProblem } from '~/server/domain/episodes/rules';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createSoundFileCache, soundFilesDoor } from '~/server/doors/audio/sound-files';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { storeChapterImage as storeChapterImageJob, writeHead } from '~/server/queue/jobs/episodes';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { mp3 } from '../../support/mp3';
import { picture } from '../../support/pictures';
import { runJobs } from '../../support/run-jobs';

const { runtime, lucia, ada, podcast, make, checkNewAudio } = await cast();
const ctx = systemCtx(runtime, 'episodes.write-head');
const [enclosures, soundFiles] = [createEnclosureCache(runtime), createSoundFileCache(runtime)];
const doors = [soundFilesDoor(runtime, soundFiles), episodeAudioDoor(runtime, { trustedProxies: 0, enclosures })];
const server = http.createServer((req, res) => void doors.some((door) => door(req, res)));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

const FILE_CHAPTERS = [
  { startMs: 0, endMs: 1500, title: 'Inicio', url: 'https://example.com/a' },
  { startMs: 1500, endMs: 3000, title: 'Fin 🌊' },
];
const PLAIN = mp3(3);
const WITH_CHAPTERS = Buffer.concat([writeId3({ title: 'Olas', chapters: FILE_CHAPTERS }), PLAIN.subarray(256)]);

async function checked(bytes: Buffer, over: Parameters<typeof make.draft>[2] = {}) {
  const { id } = await make.draft(lucia, podcast, {
    fileKey: await make.upload(lucia, 'episode_audio', bytes),
    ...over,
  });
  // without its check, the episode stays hidden, and each test would fail with a 404
  expect(await checkNewAudio()).toBe(1);
  return id;
}

const serveNew = () =>
  runJobs(runtime, writeHead.name, (job: { episodeId: number }, own) => serveChapters(own, job.episodeId));

async function get(path: string, headers: Record<string, string> = {}) {
  enclosures.clear();
  soundFiles.clear();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const save = (id: number, chapters: { startMs: number | string; title: string; url?: string; imageKey?: string }[]) =>
  lucia.api.episodes.saveChapters({ id, kind: 'podcast', chapters });

test('the chapters of a file are read, shown as JSON to all who may play it, and named in the feed', async () => {
  const id = await checked(WITH_CHAPTERS, { name: 'From the file' });

  const { status, body, etag } = await get(`/audio/${id}/chapters.json`);
  const feed = await publicFeed(runtime, { domain: lucia.domain, slug: podcast.slug });

  expect(status).toBe(200);
  expect(JSON.parse(body.toString())).toEqual({
    version: '1.2.0',
    chapters: [
      { startTime: 0, title: 'Inicio', url: 'https://example.com/a' },
      { startTime: 1.5, title: 'Fin 🌊' },
    ],
  });
  expect((await get(`/audio/${id}/chapters.json`, { 'if-none-match': etag! })).status).toBe(304);
  const pages = 'pages' in feed ? await feed.pages.next() : null;
  const listed = pages?.value?.find((episode) => episode.title === 'From the file');
  expect(listed?.chapters?.url).toMatch(new RegExp(`/audio/${id}/chapters.json$`));
  await lucia.api.episodes.hold({ id, kind: 'podcast' });
  expect((await get(`/audio/${id}/chapters.json`)).status).toBe(404);
  expect((await get(`/audio/${id}/chapters.json`, { cookie: `${SESSION_COOKIE}=${lucia.token}` })).status).toBe(200);
});

test('the player gets the coarsest zoom of the waveform that still fills its picture', async () => {
  const id = await checked(PLAIN);
  const zoom = (points: number, stepMs: number) => ({ stepMs, peaks: Buffer.alloc(points, 9).toString('base64') });
  const zooms = [zoom(6000, 10), zoom(600, 100), zoom(60, 1000)];
  const peaksKey = `audio/${id}.peaks.json`;
  const body = Buffer.from(JSON.stringify({ durationMs: 60_000, zooms, silences: [] }));
  await runtime.ports.storage.put(peaksKey, body, { contentType: 'application/json' });
  await runtime.db.update(episodes).set({ peaksKey }).where(eq(episodes.id, id));

  const overview = await get(`/audio/${id}/overview.json`);

  expect(JSON.parse(overview.body.toString())).toEqual({ durationMs: 60_000, zooms: [zooms[1]] });
  await lucia.api.episodes.hold({ id, kind: 'podcast' });
  expect((await get(`/audio/${id}/overview.json`)).status).toBe(404);
});

test('edited chapters are served in the head of the file, under another ETag, and survive another file', async () => {
  const id = await checked(WITH_CHAPTERS);
  const before = await get(`/audio/${id}/a.mp3`);

  await save(id, [
    { startMs: '0:02', title: 'Después', url: 'https://example.com/b' },
    { startMs: 0, title: 'Antes' },
  ]);
  await serveNew();

  const after = await get(`/audio/${id}/a.mp3`);
  const tags = await readTags(bufferSource(after.body));
  const found = await checkMp3(bufferSource(after.body));
  expect(tags).toMatchObject({ title: 'Olas', chapters: [{ title: 'Antes' }, { startMs: 2000, endMs: 3004 }] });
  expect(after.etag).not.toBe(before.etag);
  const row = (await lookupEpisodeRow(ctx, id))!;
  expect(row).toMatchObject({ audioBytes: after.body.length, headBytes: found.ok && found.audioStart });
  const resumed = await get(`/audio/${id}/a.mp3`, { range: 'bytes=100-', 'if-range': before.etag! });
  expect([resumed.status, resumed.body.equals(after.body)]).toEqual([200, true]);
  const part = await get(`/audio/${id}/a.mp3`, {
    range: `bytes=${row.servedHead!.bytes - 3}-`,
    'if-range': after.etag!,
  });
  expect([part.status, part.body.equals(after.body.subarray(row.servedHead!.bytes - 3))]).toEqual([206, true]);

  await lucia.api.episodes.update({
    id,
    kind: 'podcast',
    fileKey: await make.upload(lucia, 'episode_audio', mp3(2.5)),
  });
  await checkNewAudio();
  await serveNew();
  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));
  const replaced = await get(`/audio/${id}/a.mp3`);
  expect((await readTags(bufferSource(replaced.body))).chapters.map(({ title }) => title)).toEqual([
    'Antes',
    'Después',
  ]);
  const stored = await runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/`, 10);
  const { audioKey, servedHead } = (await lookupEpisodeRow(ctx, id))!;
  expect(stored.map(({ key }) => key).sort()).toEqual([audioKey, servedHead!.key].sort());
});

test('after two saves at once, the file has the chapters that were saved last', async () => {
  const id = await checked(PLAIN);
  await save(id, [{ startMs: 0, title: 'First' }]);
  const { storage } = runtime.ports;
  const put: typeof storage.put = async (...args) => {
    await storage.put(...args);
    await save(id, [{ startMs: 0, title: 'Second' }]);
  };
  await runJobs(runtime, writeHead.name, (job: { episodeId: number }, own) =>
    serveChapters({ ...own, ports: { ...own.ports, storage: { ...storage, put } } }, job.episodeId),
  );
  expect((await lookupEpisodeRow(ctx, id))!.servedHead).toBeNull();

  await serveNew();

  const { servedHead } = (await lookupEpisodeRow(ctx, id))!;
  const head = await buffer(await storage.read(servedHead!.key));
  const file = Buffer.concat([head, PLAIN.subarray(servedHead!.replaces)]);
  expect((await readTags(bufferSource(file))).chapters).toMatchObject([{ title: 'Second' }]);
});

const chapter = (startMs: number | string, title = 'A') => ({ startMs, title });
test.each([
  ['past the end', [chapter(0), chapter(5000)], 'chapter.past_end'],
  ['two at one time', [chapter(100), chapter('0:00.1')], 'chapter.same_time'],
  ['before the start', [chapter(-1)], 'chapter.time_invalid'],
  ['a text that is no time', [chapter('1:2:3:4')], 'chapter.time_invalid'],
  ['no title', [chapter(0, ' ')], 'chapter.title_required'],
  ['a link that runs a script', [{ ...chapter(0), url: 'javascript:alert(1)' }], 'chapter.url_invalid'],
  ['a link with a hidden scheme', [{ ...chapter(0), url: '\tjava\nscript:x//' }], 'chapter.url_invalid'],
  ['a picture that is an address', [{ ...chapter(0), imageKey: 'images/1/abc' }], 'chapter.image_missing'],
  ['a picture that runs a script', [{ ...chapter(0), imageKey: 'javascript:x' }], 'field.upload_required'],
  ['more than 200', Array.from({ length: 201 }, (_, i) => chapter(i)), 'chapter.over_limit'],
] as const)('chapters are rejected: %s', async (_, chapters, code) => {
  const id = hostile;

  await expect(save(id, chapters as never)).toFailWith(code);
});
const hostile = await checked(PLAIN, { name: 'Rejected' });

test('no other user reads or saves the chapters, nor uses another user’s upload as a picture', async () => {
  const id = hostile;
  const ref = { id, kind: 'podcast' as const };

  await expect(ada.api.episodes.saveChapters({ ...ref, chapters: [] })).toFailWith('episode.not_found');
  await expect(ada.api.episodes.chapters(ref)).toFailWith('episode.not_found');
  const stolen = await make.upload(ada, 'chapter_image');
  await expect(save(id, [{ ...chapter(0), imageKey: stolen }])).toFailWith('upload.not_found');
});

const convertNew = () =>
  runJobs(runtime, storeChapterImageJob.name, (job: Parameters<typeof storeChapterImage>[1], own) =>
    storeChapterImage(own, job),
  );

test('a picture of a chapter is converted by a job, and kept when the chapters are saved again', async () => {
  const id = await checked(PLAIN);
  const uploadKey = await make.upload(lucia, 'chapter_image', await picture(601));
  const [first] = await save(id, [{ ...chapter(0), imageKey: uploadKey }]);
  const { storage } = runtime.ports;
  const isStored = async () => (await storage.head(`${first!.imageKey}/full.jpg`)) !== null;
  const before = await isStored();

  await convertNew();
  const again = await save(id, [{ ...chapter(1), imageKey: first!.imageKey! }]);

  expect([before, await isStored()]).toEqual([false, true]);
  expect(await storage.head(`incoming/${uploadKey}`)).toBeNull();
  expect(again).toEqual([{ startMs: 1, title: 'A', url: null, imageKey: first!.imageKey }]);
});

test('a picture that turns out to be damaged leaves its chapter without one; another file is refused at its row', async () => {
  const id = await checked(PLAIN);
  const whole = await picture(1400);
  const broken = Buffer.concat([whole.subarray(0, 1000), Buffer.alloc(5000, 0xff)]);
  const uploadKey = await make.upload(lucia, 'chapter_image', broken);
  const [first] = await save(id, [{ ...chapter(0), imageKey: uploadKey }]);

  await convertNew();

  expect(first!.imageKey).toMatch(/^images\//);
  expect(await lucia.api.episodes.chapters({ id, kind: 'podcast' })).toMatchObject([{ startMs: 0, imageKey: null }]);
  const text = await make.upload(lucia, 'chapter_image', Buffer.from('no picture'));
  const refused = save(id, [chapter(500), { ...chapter(0), imageKey: text }]);
  await expect(refused).rejects.toMatchObject({ cause: { code: 'media.not_a_picture', field: 'chapters.1.imageKey' } });
});

test('chapters past the end of a shorter file are kept, but no longer served nor named in the feed', async () => {
  const id = await checked(PLAIN, { name: 'Shortened' });
  await save(id, [chapter(1500, 'Early'), chapter(2500, 'Late')]);
  await serveNew();
  const replace = async (bytes: Buffer) => {
    const fileKey = await make.upload(lucia, 'episode_audio', bytes);
    await lucia.api.episodes.update({ id, kind: 'podcast', fileKey });
    await checkNewAudio();
    await serveNew();
  };
  const titles = async () => {
    const { body } = await get(`/audio/${id}/chapters.json`);
    const { chapters } = await readTags(bufferSource((await get(`/audio/${id}/a.mp3`)).body));
    const served = body.length > 0 ? JSON.parse(body.toString()).chapters : [];
    return [served, chapters].map((list) => list.map(({ title }: { title: string }) => title));
  };
  const isInFeed = async () => {
    const feed = await publicFeed(runtime, { domain: lucia.domain, slug: podcast.slug });
    const pages = 'pages' in feed ? await feed.pages.next() : null;
    return pages?.value?.find((episode) => episode.title === 'Shortened')?.chapters !== undefined;
  };

  await replace(mp3(2));
  const shorter = [await titles(), await isInFeed()];
  await replace(mp3(1.2));
  const shortest = [await titles(), await isInFeed()];

  expect(shorter).toEqual([[['Early'], ['Early']], true]);
  expect(shortest).toEqual([[[], []], false]);
  expect(await lucia.api.episodes.chapters({ id, kind: 'podcast' })).toHaveLength(2);
});

const many = Array.from({ length: 10_000 }, (_, i) => ({ startMs: 9_999 - i, endMs: 0, title: `${i}` }));
test.each([
  ['ten thousand chapters', many, 200],
  [
    'negative and infinite times',
    [
      { startMs: -5, title: 'a' },
      { startMs: Number.NaN, title: 'b' },
    ],
    0,
  ],
  [
    'overlapping ones',
    [
      { startMs: 5, title: 'a' },
      { startMs: 5, title: 'b' },
      { startMs: 1, title: 'c' },
    ],
    2,
  ],
  ['past the end', [{ startMs: 10_000, title: 'a' }], 0],
  ['no titles', [{ startMs: 1, title: '' }], 0],
])('of the chapters in a file, %s become usable ones', (_, chapters, count) => {
  const read = chaptersFromFile(chapters, 10_000);

  expect(read).toHaveLength(count);
  expect(read.every(({ startMs }, i) => startMs >= 0 && startMs > (read[i - 1]?.startMs ?? -1))).toBe(true);
});

test('broken text and scripts in a file’s chapters do no harm', async () => {
  const bytes = Buffer.concat([
    writeId3({
      chapters: [
        {
          startMs: 0,
          endMs: 1,
          title: `<script>alert(1)</script>${'\ud83d'.repeat(150)}${'x'.repeat(200)}`,
          url: 'javascript:alert(1)',
        },
        ...Array.from({ length: 250 }, (_, i) => ({ startMs: i, endMs: 0xffffffff, title: 'overlaps' })),
      ],
    }),
    PLAIN.subarray(256),
  ]);
  // odd UTF-16: a title that ends in half a character
  const odd = Buffer.from(bytes);
  odd.fill(0xd8, odd.indexOf('CHAP') + 60, odd.indexOf('CHAP') + 90);

  for (const file of [bytes, odd]) {
    const id = await checked(file);
    const saved = await lucia.api.episodes.chapters({ id, kind: 'podcast' });
    expect(saved.length).toBeLessThanOrEqual(200);
    expect(saved.every(({ url, title }) => url === null && title.isWellFormed())).toBe(true);
  }
});

test.each([
  ['75', 75_000],
  ['1:15', 75_000],
  ['1:01:15.5', 3_675_500],
  ['90:00', 5_400_000],
  ['0:00', 0],
  ['', Number.NaN],
  ['1:2:3:4', Number.NaN],
  ['-5', Number.NaN],
])('the clock time %j is %d ms', (text, ms) => {
  expect(parseClock(text)).toBe(ms);
});

test.each([
  [null, null],
  [-16, null],
  [-19, null],
  [-19.1, 'quiet'],
  [-11, null],
  [-10.9, 'loud'],
] as const)('a loudness of %d LUFS is %s', (lufs, problem) => {
  expect(loudnessProblem(lufs)).toBe(problem);
});
