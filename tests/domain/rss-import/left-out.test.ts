import { and, asc, eq, like } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { HOURS, later } from '~/server/base/time';
import { saveImportedChapters } from '~/server/domain/episodes/chapters';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../../support/feed-origin';
import { lockWaits } from '../../support/lock-waits';
import { mp3 } from '../../support/mp3';
import { picture } from '../../support/pictures';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, make, visitor, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const fetcher = testFetcher();
runtime.ports.fetcher = fetcher;
const origin = await feedOrigin();
afterAll(() => Promise.all([fetcher.close(), origin.close()]));

const PARTS = ['/show.png', '/cover.png', '/c.json', '/chapter.png', '/t.vtt'];
const image = (path: string) => `<itunes:image href="${origin.url}${path}"/>`;
const file = (tag: string, path: string, type: string) => `<podcast:${tag} url="${origin.url}${path}" type="${type}"/>`;
const chapters = () => file('chapters', '/c.json', 'application/json+chapters');
const transcript = () => file('transcript', '/t.vtt', 'text/vtt');

let julia: Awaited<ReturnType<typeof make.creator>>;
beforeEach(async () => {
  julia = await make.creator({ name: 'Julia' });
  origin.answers.clear();
  Object.assign(origin, { requests: [], channel: image('/show.png') });
  origin.items = [{ extra: image('/cover.png') + chapters() + transcript() }];
  for (const path of ['/show.png', '/cover.png', '/chapter.png']) origin.files.set(path, await picture());
  const found = [{ startTime: 0, title: 'A', img: `${origin.url}/chapter.png` }];
  origin.files.set('/c.json', Buffer.from(JSON.stringify({ chapters: found })));
  origin.files.set('/t.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHola'));
});

async function imported() {
  origin.owner = `o${Math.random()}@origin.example`;
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner), action: 'confirm' });
  const pass = () => {
    clock.now = later(clock.now, HOURS(0.5));
  };
  await settleImport(runtime, id, { pass });
  await julia.api.imports.acknowledge({ id });
  const { items } = await julia.api.imports.items({ id });
  return { ...(await julia.api.imports.get({ id })), items };
}

/** The parts of the show's only episode, as its team reads them. */
async function readParts(productId: number | null) {
  const [show] = await runtime.db.select().from(products).where(eq(products.id, productId!));
  const found = await runtime.db.select().from(episodes).where(eq(episodes.productId, productId!)).orderBy(episodes.id);
  const [{ id, coverKey }] = found as [(typeof found)[number]];
  const [chapter] = await julia.api.episodes.chapters({ id });
  const cues = (await julia.api.episodes.transcript({ id }))?.cues ?? 0;
  return { id, count: found.length, show: show!.coverKey, coverKey, chapter, cues };
}
const stored = expect.stringMatching(/^images\//);

type Answer = Parameters<typeof origin.answers.set>[1];
const FAULTS: [string, Answer][] = [
  ['429', (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end()],
  ['503', (_, response) => void response.writeHead(503).end()],
  ['a lost connection', (_, response) => void response.destroy()],
  ['silence', () => {}],
];

test.each(FAULTS)('after %s, cover, chapters and transcript are copied later', async (_, fail) => {
  for (const path of PARTS)
    origin.answers.set(path, (request, response) => {
      origin.answers.delete(path);
      fail(request, response);
    });
  const done = await imported();
  const { show, ...parts } = await readParts(done.productId);

  expect(done).toMatchObject({ status: 'imported', progress: { imported: 1, incomplete: 0 } });
  expect(done.items[0]).toMatchObject({ state: 'imported', leftOut: [] });
  expect(parts).toMatchObject({ coverKey: stored, chapter: { title: 'A', imageKey: stored }, cues: 1 });
  expect(show).toBe(parts.coverKey);
});

test('what a host never gives is reported, and another import fills it without a second episode', async () => {
  for (const path of PARTS) origin.answers.set(path, (_, response) => void response.writeHead(503).end());
  origin.answers.delete('/c.json');
  const done = await imported();
  const before = await readParts(done.productId);
  const isResult = and(eq(outbox.to, julia.email), like(outbox.topic, 'import\\_%'));
  const [email] = await runtime.db.select().from(outbox).where(isResult).orderBy(asc(outbox.createdAt));
  origin.answers.clear();
  const again = await imported();
  const after = await readParts(done.productId);

  expect(done).toMatchObject({ status: 'imported', progress: { imported: 1, incomplete: 1, failed: 0 } });
  expect(done.items[0]!.leftOut.map(({ part, code }) => [part, code])).toEqual(
    ['cover', 'chapter_pictures', 'transcript'].map((part) => [part, 'fetch.server_failing']),
  );
  expect(done.preview.losses).toContainEqual({ kind: 'cover_unavailable', count: 1, first: 0 });
  expect(email).toMatchObject({ topic: 'import_partly_done', text: expect.stringContaining('feed names: 1.') });
  expect(before).toMatchObject({ coverKey: null, chapter: { title: 'A', imageKey: null }, cues: 0 });
  expect(again).toMatchObject({ progress: { updated: 1, imported: 0, incomplete: 0 } });
  expect(again.preview.losses.map(({ kind }) => kind)).not.toContain('cover_unavailable');
  expect(after).toMatchObject({ id: before.id, count: 1, coverKey: stored, chapter: { imageKey: stored }, cues: 1 });
  expect(after.show).toBe(after.coverKey);
});

test('parts that cannot be used are reported at once', async () => {
  const html = file('transcript', '/t.html', 'text/html');
  origin.items = [{ extra: image('/none.png') + chapters() + html }];
  origin.files.set('/c.json', Buffer.from('<html>'));
  const { items } = await imported();

  expect(items[0]!.leftOut.map(({ part, code }) => [part, code])).toEqual([
    ['cover', 'fetch.file_missing'],
    ['chapters', 'import.chapters_unreadable'],
    ['transcript', 'import.transcript_unsupported'],
  ]);
  expect(origin.requests.filter((path) => path === '/c.json')).toHaveLength(1);
});

test('an import requests each picture once', async () => {
  origin.items = [
    { extra: image('/show.png') + chapters() },
    { extra: image('/show.png') + chapters() },
    { extra: image('/none.png') },
    { extra: image('/none.png') },
  ];
  const { progress } = await imported();
  const count = (path: string) => origin.requests.filter((request) => request === path).length;

  expect(progress).toMatchObject({ imported: 4, incomplete: 2 });
  expect(['/show.png', '/chapter.png', '/none.png'].map(count)).toEqual([1, 1, 1]);
});

test('another import keeps the parts that the creator has set', async () => {
  const { productId } = await imported();
  const { id } = await readParts(productId);
  await julia.api.episodes.saveChapters({ id, chapters: [{ startMs: 0, title: 'Mine', url: null, imageKey: null }] });
  const text = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nA\n\n00:01.000 --> 00:02.000\nB').toString('base64');
  await julia.api.episodes.uploadTranscript({ id, fileName: 'mine.vtt', content: text });
  await imported();

  expect(await readParts(productId)).toMatchObject({ chapter: { title: 'Mine', imageKey: null }, cues: 2 });
});

test('a cover that the creator sets during another import stays', async () => {
  origin.answers.set('/show.png', (_, response) => void response.writeHead(404).end());
  const { productId } = await imported();
  origin.answers.set('/show.png', async (_, response) => {
    await runtime.db.update(products).set({ coverKey: 'images/own' }).where(eq(products.id, productId!));
    response.end(await picture());
  });
  await imported();

  expect(await readParts(productId)).toMatchObject({ show: 'images/own' });
});

test('a transcript that the creator adds during another import stays', async () => {
  const [own, theirs] = ['A\n\n00:01.000 --> 00:02.000\nB', 'Hola'].map((text) =>
    Buffer.from(`WEBVTT\n\n00:00.000 --> 00:01.000\n${text}`),
  );
  origin.answers.set('/t.vtt', (_, response) => void response.writeHead(404).end());
  const { productId } = await imported();
  const { id } = await readParts(productId);
  origin.answers.set('/t.vtt', async (_, response) => {
    await julia.api.episodes.uploadTranscript({ id, fileName: 'own.vtt', content: own!.toString('base64') });
    response.end(theirs);
  });
  await imported();

  expect(await readParts(productId)).toMatchObject({ cues: 2 });
});

test('chapters that the creator saves while an import waits for the row stay', async () => {
  origin.answers.set('/c.json', (_, response) => void response.writeHead(404).end());
  const { productId } = await imported();
  const { id } = await readParts(productId);
  const own = [{ startMs: 0, title: 'Mine', url: null, imageKey: null }];
  const ctx = systemCtx(runtime, 'rss-import.run');

  let saved: Promise<unknown> = Promise.resolve();
  await runtime.db.transaction(async (tx) => {
    await tx.select().from(episodes).where(eq(episodes.id, id)).for('update');
    saved = saveImportedChapters(ctx, { id, chapters: [{ ...own[0]!, title: 'Theirs' }] });
    await lockWaits(runtime.db);
    await tx.insert(episodeChapters).values({ episodeId: id, chapters: own, edited: true });
  });
  await saved;

  expect(await readParts(productId)).toMatchObject({ chapter: { title: 'Mine' } });
});

test('an episode whose parts fail does not delay the audio of the others', async () => {
  origin.items = [{ extra: transcript() }, {}, {}];
  origin.answers.set('/t.vtt', (_, response) => void response.writeHead(503).end());
  origin.answers.set('/audio-2.mp3', (_, response) => {
    // meanwhile the transcript may be requested again
    clock.now = later(clock.now, HOURS(1));
    response.end(mp3(2));
  });
  await imported();
  const files = origin.requests.filter((path) => /mp3|vtt/.test(path));

  expect(files.slice(0, 5)).toEqual(['/audio-1.mp3', '/t.vtt', '/audio-2.mp3', '/audio-3.mp3', '/t.vtt']);
});
