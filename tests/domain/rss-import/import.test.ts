import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { rssImportItems } from '~/db/schema/rss-import';
import { HOURS, later } from '~/server/base/time';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../../support/feed-origin';

const { runtime, make, visitor, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
let julia: Awaited<ReturnType<typeof make.creator>>;
beforeEach(async () => {
  julia = await make.creator({ name: 'Julia' });
  Object.assign(origin, { items: [{}, {}, {}], owner: `o${Math.random()}@origin.example`, channel: '', requests: [] });
  origin.answers.clear();
});

async function confirmed() {
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  const token = await importTokenFor(runtime, origin.owner!);
  await visitor.imports.answer({ token, action: 'confirm' });
  return id;
}
async function imported(options = {}) {
  const id = await confirmed();
  await settleImport(runtime, id, options);
  return julia.api.imports.get({ id });
}
const episodesOf = (productId: number) =>
  runtime.db.select().from(episodes).where(eq(episodes.productId, productId)).orderBy(asc(episodes.guid));

test('a preview names what will be imported, and stores nothing', async () => {
  const preview = await julia.api.imports.preview({ url: origin.feedUrl().replace('http:', 'feed:http:') });

  expect(preview).toMatchObject({
    title: 'Olas de fuera',
    author: 'Julia',
    episodes: 3,
    language: 'es',
    updates: null,
  });
  expect(preview.sentTo).toMatch(/^o\*\*\*@origin\.example$/);
  expect(await julia.api.imports.latest()).toBeNull();
});

test('an import confirmed by the feed’s owner creates the show with its episodes', async () => {
  const done = await imported();
  const [show] = await runtime.db.select().from(products).where(eq(products.id, done.productId!));
  const found = await episodesOf(done.productId!);

  expect(done).toMatchObject({ status: 'imported', progress: { total: 3, imported: 3, failed: 0, checking: 0 } });
  expect(show).toMatchObject({
    name: 'Olas de fuera',
    category: 700,
    language: 'es',
    author: 'Julia',
    priceMinor: null,
  });
  expect(show).toMatchObject({ ownerEmail: origin.owner, ownerName: '' });
  expect(found.map(({ guid, name, status, sendEmail }) => ({ guid, name, status, sendEmail }))).toEqual(
    [1, 2, 3].map((n) => ({ guid: `guid-${n}`, name: `Episodio ${n}`, status: 'published', sendEmail: false })),
  );
  expect(found[1]!.releaseAt).toEqual(new Date(Date.UTC(2023, 11, 31)));
  expect(found.every(({ audioSha256 }) => audioSha256 !== null)).toBe(true);
});

test('seasons, numbers, people, chapters and transcripts are kept', async () => {
  const extra = `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>trailer</itunes:episodeType>
    <itunes:explicit>true</itunes:explicit><podcast:person role="guest" href="https://ana.example/">Ana</podcast:person>
    <podcast:chapters url="${origin.url}/c.json" type="application/json+chapters"/>
    <podcast:transcript url="${origin.url}/t.html" type="text/html"/><podcast:transcript url="${origin.url}/t.vtt" type="text/vtt"/>`;
  origin.items = [{ extra }];
  origin.files.set('/c.json', Buffer.from('{"chapters":[{"startTime":1,"title":"B"},{"startTime":0,"title":"A"}]}'));
  origin.files.set('/t.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHola'));
  const { productId } = await imported();
  const [episode] = await episodesOf(productId!);

  expect(episode).toMatchObject({ season: 2, number: 7, type: 'trailer', explicit: true });
  expect(episode!.people).toEqual([{ name: 'Ana', role: 'guest', url: 'https://ana.example/' }]);
  expect((await julia.api.episodes.chapters({ id: episode!.id })).map(({ title }) => title)).toEqual(['A', 'B']);
  expect(await julia.api.episodes.transcript({ id: episode!.id })).toMatchObject({ source: 'vtt', cues: 1 });
});

test('another import of the feed updates its episodes and creates none twice', async () => {
  const first = await imported();
  await julia.api.imports.acknowledge({ id: first.id });
  origin.owner = 'again@origin.example';
  origin.items = [
    { guid: 'guid-4', title: 'Nuevo', file: '/new.mp3' },
    { title: 'Otro nombre', guid: 'guid-1' },
  ];
  const again = await imported();
  const found = await episodesOf(first.productId!);

  expect(again).toMatchObject({ productId: first.productId, progress: { imported: 1, updated: 1 } });
  expect(found.map(({ guid, name }) => [guid, name])).toEqual([
    ['guid-1', 'Otro nombre'],
    ['guid-2', 'Episodio 2'],
    ['guid-3', 'Episodio 3'],
    ['guid-4', 'Nuevo'],
  ]);
});

test('a missing file, a format that cannot be used and a file that is no audio are listed with their reasons', async () => {
  origin.items = [{ file: '/missing.ogg' }, { file: '/gone' }, { file: '/text.mp3' }, {}];
  origin.files.set('/text.mp3', Buffer.from('This is no audio. '.repeat(1000)));
  const { id, status, productId } = await imported();
  const { items } = await julia.api.imports.items({ id });

  expect(status).toBe('imported');
  expect(items.map(({ state, reason }) => [state, reason?.code ?? null])).toEqual([
    ['skipped', 'import.format_unsupported'],
    ['failed', 'fetch.file_missing'],
    ['failed', 'audio.not_mp3'],
    ['imported', null],
  ]);
  expect(await episodesOf(productId!)).toHaveLength(2);
});

test('a busy host is retried when it allows it, and other episodes continue', async () => {
  let busy = 2;
  origin.answers.set('/audio-1.mp3', (_, response) => {
    if (busy > 0) {
      busy -= 1;
      return void response.writeHead(429, { 'retry-after': '0' }).end();
    }
    origin.answers.delete('/audio-1.mp3');
    response.writeHead(302, { location: '/audio-9.mp3' }).end();
  });
  const before = clock.now;
  const pass = () => {
    clock.now = later(clock.now, HOURS(1));
  };
  const done = await imported({ pass });
  clock.now = before;

  expect(done).toMatchObject({ status: 'imported', progress: { imported: 3 } });
});

test('a feed without episodes, or a file that is no feed, is refused', async () => {
  origin.items = [];
  await expect(julia.api.imports.request({ url: origin.feedUrl() })).rejects.toThrow('import.no_episodes');
  origin.files.set('/page.html', Buffer.from('<html><body>Hello</body></html>'));
  await expect(julia.api.imports.preview({ url: `${origin.url}/page.html` })).rejects.toThrow('import.not_a_feed');
});

test('a creator imports one feed at a time, also if two are requested at once', async () => {
  const asked = [1, 2].map(() => julia.api.imports.request({ url: origin.feedUrl() }));
  const results = await Promise.allSettled(asked);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));

  expect(refused).toEqual(['import.already_importing']);
  await julia.api.imports.cancel({ id: (await julia.api.imports.latest())!.id });
  await expect(julia.api.imports.request({ url: origin.feedUrl() })).resolves.toMatchObject({
    status: 'awaiting_proof',
  });
});

test('the link works for 48 hours, and then makes room for another import', async () => {
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  const token = await importTokenFor(runtime, origin.owner!);
  expect(await visitor.imports.confirmation({ token })).toMatchObject({ status: 'awaiting_proof' });
  const before = clock.now;
  clock.now = later(before, HOURS(48));
  await expect(visitor.imports.answer({ token, action: 'confirm' })).rejects.toThrow('import.link_expired');
  expect(await julia.api.imports.get({ id })).toMatchObject({ status: 'expired' });
  await expect(julia.api.imports.request({ url: origin.feedUrl() })).resolves.toMatchObject({ id: expect.any(Number) });
  clock.now = before;
});

test('a guessed token confirms nothing', async () => {
  await julia.api.imports.request({ url: origin.feedUrl() });

  for (const token of ['', 'a'.repeat(43), '%', '0'])
    await expect(visitor.imports.answer({ token, action: 'confirm' })).rejects.toThrow('import.link_expired');
  expect(await julia.api.imports.latest()).toMatchObject({ status: 'awaiting_proof' });
});

test('without an owner’s address, a code in the feed proves it', async () => {
  origin.owner = null;
  await expect(julia.api.imports.request({ url: origin.feedUrl() })).rejects.toThrow('import.no_owner_address');
  const { id, proofCode } = await julia.api.imports.request({ url: origin.feedUrl(), proof: 'feed' });
  await expect(julia.api.imports.proveByFeed({ id })).rejects.toThrow('import.code_not_found');
  origin.channel = `<podcast:txt purpose="verify">${proofCode}</podcast:txt>`;
  await julia.api.imports.proveByFeed({ id });

  expect(await julia.api.imports.get({ id })).toMatchObject({ status: 'in_progress' });
  await settleImport(runtime, id);
  const { productId } = await julia.api.imports.get({ id });
  const [show] = await runtime.db.select().from(products).where(eq(products.id, productId!));
  expect(show!.ownerEmail).toBeNull();
});

test('four imports run at once, and the next one starts when one ends', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    julia = await make.creator({ name: `Julia ${i}` });
    origin.owner = `five${i}@origin.example`;
    ids.push(await confirmed());
  }
  const last = ids[4]!;
  expect(await julia.api.imports.get({ id: last })).toMatchObject({ status: 'confirmed' });
  await settleImport(runtime, ids[0]!);

  expect(await julia.api.imports.get({ id: last })).toMatchObject({ status: 'in_progress' });
  for (const id of ids.slice(1)) await settleImport(runtime, id);
});

test('a cancelled import stops, and keeps what it has imported', async () => {
  const id = await confirmed();
  await settleImport(runtime, id, { steps: 1 });
  await julia.api.imports.cancel({ id });
  await settleImport(runtime, id);
  const items = await runtime.db
    .select()
    .from(rssImportItems)
    .where(and(eq(rssImportItems.importId, id), eq(rssImportItems.state, 'waiting')))
    .orderBy(rssImportItems.id);

  expect(await julia.api.imports.get({ id })).toMatchObject({ status: 'cancelled' });
  expect(items).toHaveLength(3);
});

test('the link of an import that has ended cancels nothing', async () => {
  const { id } = await imported();

  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner!), action: 'cancel' });

  expect(await julia.api.imports.get({ id })).toMatchObject({ status: 'imported' });
});

test('the result is shown until the creator has seen it, and all episodes can become private', async () => {
  const { id, productId } = await imported();
  expect((await julia.api.accounts.me()).imports).toMatchObject([{ id, status: 'imported', productId }]);

  await expect(julia.api.imports.markPrivate({ id })).resolves.toEqual({ updated: 3 });
  await julia.api.imports.acknowledge({ id });
  expect((await julia.api.accounts.me()).imports).toEqual([]);
});

test('no other user reads, proves, cancels or completes an import', async () => {
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  const { api } = await make.creator({ name: 'Otra' });

  for (const call of ['get', 'items', 'cancel', 'acknowledge', 'markPrivate', 'proveByFeed'] as const)
    await expect(api.imports[call]({ id })).rejects.toThrow('import.not_found');
});

test('while an import runs, no promo is uploaded', async () => {
  const show = await make.product(julia);
  const [episode] = await make.episodes(show, 1);
  const file = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: 10, episodeId: episode!.id };
  await julia.api.episodes.requestPromoUpload(file);
  const id = await confirmed();

  await expect(julia.api.episodes.requestPromoUpload(file)).rejects.toThrow('promo.wait_for_import');
  await julia.api.imports.cancel({ id });
  await expect(julia.api.episodes.requestPromoUpload(file)).resolves.toMatchObject({ key: expect.any(String) });
});
