import { and, asc, eq, inArray, like } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { rssImports } from '~/db/schema/rss-import';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { sweepImports } from '~/server/domain/rss-import/sweep-imports';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../../support/feed-origin';
import { mp3 } from '../../support/mp3';
import { picture } from '../../support/pictures';

const { runtime, make, visitor, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
let julia: Awaited<ReturnType<typeof make.creator>>;
beforeEach(async () => {
  julia = await make.creator({ name: 'Julia' });
  // a separate address, because the last email to it contains the link
  const owner = `o${Math.random()}@origin.example`;
  Object.assign(origin, { items: [{}], channel: '', requests: [], owner });
  origin.answers.clear();
});

async function imported() {
  origin.owner = `o${Math.random()}@origin.example`;
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner), action: 'confirm' });
  await settleImport(runtime, id);
  await julia.api.imports.acknowledge({ id });
  return julia.api.imports.get({ id });
}
const episodesOf = (productId: number | null) =>
  runtime.db.select().from(episodes).where(eq(episodes.productId, productId!)).orderBy(asc(episodes.guid));

test('pictures of chapters are copied once each, and one that cannot be used leaves its chapter', async () => {
  origin.items = [{ extra: `<podcast:chapters url="${origin.url}/pictures.json" type="application/json+chapters"/>` }];
  const images = ['/a.png', '/none.png', '/a.png', undefined];
  const chapters = images.map((img, i) => ({ startTime: i, title: `${i}`, img: img && `${origin.url}${img}` }));
  origin.files.set('/pictures.json', Buffer.from(JSON.stringify({ chapters })));
  origin.files.set('/a.png', await picture(600, 400));
  const { productId } = await imported();
  const [episode] = await episodesOf(productId);
  const [first, second, third, last] = await julia.api.episodes.chapters({ id: episode!.id });

  expect(first!.imageKey).toMatch(/^images\//);
  expect(third!.imageKey).toBe(first!.imageKey);
  expect([second!.imageKey, last!.imageKey]).toEqual([null, null]);
  expect(origin.requests.filter((path) => path === '/a.png')).toHaveLength(1);
  expect(await runtime.ports.storage.head(`${first!.imageKey}/full.jpg`)).not.toBeNull();
});

test('another import replaces audio that has changed in the feed, and only that', async () => {
  origin.items = [{ bytes: 16_000 }, { bytes: 16_000 }];
  const { productId } = await imported();
  const before = await episodesOf(productId);
  origin.items = [
    { bytes: 24_000, file: '/longer.mp3' },
    { bytes: 16_000, file: '/moved.mp3' },
  ];
  origin.files.set('/longer.mp3', mp3(3));
  origin.requests = [];
  const again = await imported();
  const after = await episodesOf(productId);

  expect(again.progress).toMatchObject({ updated: 2, failed: 0 });
  expect(after.map(({ durationMs }) => Math.round(durationMs! / 1000))).toEqual([3, 2]);
  expect(after.map(({ status, fileName }) => [status, fileName])).toEqual([
    ['published', 'longer.mp3'],
    ['published', 'audio-2.mp3'],
  ]);
  expect(after.map(({ guid, slug, releaseAt }) => [guid, slug, releaseAt])).toEqual(
    before.map(({ guid, slug, releaseAt }) => [guid, slug, releaseAt]),
  );
  expect(origin.requests).not.toContain('/moved.mp3');
});

test('a changed file without audio leaves the former audio', async () => {
  origin.items = [{ bytes: 16_000 }];
  const { productId } = await imported();
  const [before] = await episodesOf(productId);
  origin.items = [{ bytes: 5000, file: '/text.mp3' }];
  origin.files.set('/text.mp3', Buffer.from('This is no audio. '.repeat(300)));
  await imported();
  const [after] = await episodesOf(productId);

  expect(after).toMatchObject({
    status: 'published',
    audioSha256: before!.audioSha256,
    failureReason: 'audio.not_mp3',
  });
});

test('a further page that its host does not give is named, and the others are imported', async () => {
  origin.channel = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="${origin.url}/page-2.xml"/>`;
  const done = await imported();

  expect(done).toMatchObject({ status: 'imported', progress: { imported: 1 } });
  expect(done.preview.losses).toContainEqual({ kind: 'page_missing', count: 1, first: 0 });
});

test('a further page whose host is down for a moment is read later', async () => {
  origin.channel = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="${origin.url}/page-3.xml"/>`;
  const { id } = await julia.api.imports.request({ url: origin.feedUrl(), proof: 'email' });
  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner!), action: 'confirm' });
  origin.answers.set('/page-3.xml', (_, response) => void response.writeHead(503).end());
  await settleImport(runtime, id, { steps: 1 });
  origin.answers.set('/page-3.xml', (_, response) => {
    const item = `<item><title>Old</title><guid>old</guid><enclosure url="${origin.url}/old.mp3" type="audio/mpeg" length="16000"/></item>`;
    response.end(`<?xml version="1.0"?><rss version="2.0"><channel><title>Page</title>${item}</channel></rss>`);
  });
  clock.now = later(clock.now, MINUTES(1));
  await settleImport(runtime, id);
  const done = await julia.api.imports.get({ id });

  expect(done.progress).toMatchObject({ total: 2, imported: 2 });
  expect(done.preview.losses.map(({ kind }) => kind)).not.toContain('page_missing');
});

/** The emails about ended imports, by topic. */
const emailsOf = async (email: string) => {
  const isAbout = and(eq(outbox.to, email), like(outbox.topic, 'import\\_%'));
  const rows = await runtime.db.select().from(outbox).where(isAbout).orderBy(outbox.createdAt);
  expect(new Set(rows.map(({ topic }) => topic)).size).toBe(rows.length);
  return new Map(rows.map((row) => [row.topic, row]));
};

test('the user who started the import is told its result once, in their language', async () => {
  const [email, language] = [julia.email, 'es' as const];
  await runtime.db.update(users).set({ language }).where(eq(users.email, email));
  const done = await imported();
  await settleImport(runtime, done.id);
  origin.items = [{ guid: 'new', file: '/missing.ogg' }, { guid: 'bad', file: '/text.mp3' }, {}];
  await imported();
  origin.items = [{ guid: 'other', file: '/missing.ogg' }];
  const failed = await imported();
  const emails = await emailsOf(email);

  expect(failed.status).toBe('failed');
  expect([...emails.keys()].sort()).toEqual(['import_done', 'import_failed', 'import_partly_done']);
  expect(emails.get('import_done')!.subject).toBe('«Olas de fuera» ya está importado');
  expect(emails.get('import_partly_done')!.text).toContain(
    'Episodios nuevos: 1. Actualizados: 0. Omitidos: 1. Fallidos: 1.',
  );
  expect(emails.get('import_failed')!.text).toContain('/es/products/import');
});

test('a cancelled import sends no email about its end', async () => {
  origin.owner = 'cancelled@origin.example';
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  await julia.api.imports.cancel({ id });

  expect((await emailsOf(julia.email)).size).toBe(0);
});

/** A later version of a followed feed. */
async function followUpOf(importId: number): Promise<number> {
  const [{ id: _, ...row }] = (await runtime.db.select().from(rssImports).where(eq(rssImports.id, importId))) as [
    typeof rssImports.$inferSelect,
  ];
  const [run] = await runtime.db
    .insert(rssImports)
    .values({ ...row, isFollowUp: true, tokenHash: `follow-up ${importId}` })
    .returning({ id: rssImports.id });
  return run!.id;
}

test('old imports are deleted, but not the last one that a show came from, with what followed it', async () => {
  const ids = [(await imported()).id, (await imported()).id];
  origin.items = [{ guid: 'other', file: '/missing.ogg' }];
  ids.push((await imported()).id);
  ids.push(await followUpOf(ids[1]!));
  const { id: open } = await julia.api.imports.request({ url: origin.feedUrl() });
  const sweepAfter = (days: number) =>
    sweepImports({ ...systemCtx(runtime, 'rss-import.sweep'), now: () => later(runtime.now(), DAYS(days)) });
  const left = async () => {
    const rows = await runtime.db
      .select()
      .from(rssImports)
      .where(inArray(rssImports.id, [...ids, open]))
      .orderBy(rssImports.id);
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  };

  await sweepAfter(89);
  expect(await left()).toEqual([...ids, open]);
  await sweepAfter(91);
  expect(await left()).toEqual([ids[1], ids[3], open]);
});
