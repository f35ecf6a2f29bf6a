import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { rssImports } from '~/db/schema/rss-import';
import { HOURS, later, MINUTES, SECONDS } from '~/server/base/time';
import { runImport } from '~/server/domain/rss-import/import-feed';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor } from '../../support/feed-origin';
import { mp3 } from '../../support/mp3';
import { checkNewAudio } from '../../support/run-jobs';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, make, visitor, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const fetcher = testFetcher({ limits: { attempts: 1 } });
runtime.ports.fetcher = fetcher;
const [origin, busy] = [await feedOrigin(), await feedOrigin()];
afterAll(() => Promise.all([fetcher.close(), origin.close(), busy.close()]));
beforeEach(async () => {
  // all creators call from one network
  await runtime.db.execute(sql`delete from rate_limits`);
  origin.items = [{}, {}, {}];
  origin.answers.clear();
  busy.answers.set('/', (_, response) => void response.writeHead(429, { 'retry-after': '86400' }).end());
});

type Julia = Awaited<ReturnType<typeof make.creator>>;
type Import = { id: number; api: Julia['api'] };

type Options = { julia?: Julia; before?: (id: number) => Promise<unknown> };

/** An import that its feed's owner has confirmed. `before`: runs between the request and the answer. */
async function confirmed({ julia, before }: Options = {}): Promise<Import> {
  const { api } = julia ?? (await make.creator({ name: 'Julia' }));
  origin.owner = `o${Math.random()}@origin.example`;
  const { id } = await api.imports.request({ url: origin.feedUrl() });
  await before?.(id);
  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner), action: 'confirm' });
  return { id, api };
}

const stateOf = ({ id, api }: Import) => api.imports.get({ id });
const itemsOf = async ({ id, api }: Import) => (await api.imports.items({ id })).items;
const rowsOf = (...imports: Import[]) => {
  const ids = imports.map(({ id }) => id);
  return runtime.db.select().from(rssImports).where(inArray(rssImports.id, ids)).orderBy(rssImports.id);
};

/** Runs all steps that are due; the queue's clock does not move with the test's. */
async function runDue(imports: Import[], rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const rows = await rowsOf(...imports);
    const due = rows.filter((row) => row.status === 'in_progress' && (row.waitsUntil ?? clock.now) <= clock.now);
    for (const { id, step } of due) await runImport(systemCtx(runtime, 'rss-import.run'), { importId: id, step });
    await checkNewAudio(runtime);
    clock.now = later(clock.now, SECONDS(3));
  }
}

test('four imports that wait for a busy host leave their places to a fifth, and end without what is missing', async () => {
  origin.items = [{}, { file: '/busy.mp3' }];
  origin.answers.set('/busy.mp3', (_, response) => void response.writeHead(302, { location: busy.url }).end());
  const waiting: Import[] = [];
  while (waiting.length < 4) waiting.push(await confirmed());
  origin.items = [{}, {}, {}];
  const fifth = await confirmed();
  expect(await stateOf(fifth)).toMatchObject({ status: 'confirmed' });

  origin.items = [{}, { file: '/busy.mp3' }];
  await runDue(waiting, 3);
  origin.items = [{}, {}, {}];
  await runDue([fifth]);

  expect(await stateOf(fifth)).toMatchObject({ status: 'imported', progress: { imported: 3 } });
  const items = await itemsOf(waiting[0]!);
  const retries = items.map(({ state, retryAt }) => [state, retryAt && retryAt <= later(clock.now, HOURS(1))]);
  expect(retries).toEqual([
    ['imported', null],
    ['waiting', true],
  ]);

  const started = clock.now;
  while (clock.now < later(started, HOURS(12))) {
    clock.now = later(clock.now, HOURS(1));
    await runDue(waiting, 2);
  }

  for (const each of waiting) {
    expect(await stateOf(each)).toMatchObject({ status: 'imported', progress: { imported: 1, failed: 1 } });
    const [, missing] = await itemsOf(each);
    expect(missing).toMatchObject({ state: 'failed', reason: { code: 'fetch.host_busy' } });
  }
});

test('after twelve hours an import ends with what it has, and another one continues', async () => {
  const julia = await make.creator({ name: 'Julia' });
  const first = await confirmed({ julia });
  origin.answers.set('/audio-2.mp3', (_, response) => {
    clock.now = later(clock.now, HOURS(12));
    response.end(mp3(2));
  });
  await runDue([first]);
  const done = await stateOf(first);
  const items = await itemsOf(first);
  origin.answers.clear();
  const again = await confirmed({ julia });
  await runDue([again]);

  expect(done).toMatchObject({ status: 'imported', progress: { imported: 2, failed: 1 } });
  expect(items[2]).toMatchObject({ state: 'failed', reason: { code: 'import.out_of_time' } });
  expect((await stateOf(again)).progress).toMatchObject({ imported: 1, updated: 2, failed: 0 });
});

test('parts that were never requested when the time is over are reported as left out', async () => {
  const parts = `<podcast:transcript url="${origin.url}/t.vtt" type="text/vtt"/>`;
  origin.items = [{ extra: parts }];
  origin.answers.set('/audio-1.mp3', (_, response) => {
    clock.now = later(clock.now, HOURS(12));
    response.end(mp3(2));
  });
  const run = await confirmed();
  await runDue([run]);

  expect(await stateOf(run)).toMatchObject({ status: 'imported', progress: { imported: 1, incomplete: 1 } });
  expect(await itemsOf(run)).toMatchObject([{ leftOut: [{ part: 'transcript', code: 'import.out_of_time' }] }]);
});

test('one account gets two places, and the next account a third one', async () => {
  const ids: Import[] = [];
  const { id: userId } = await make.person();
  const ofAccount = (id: number) => runtime.db.update(rssImports).set({ userId }).where(eq(rssImports.id, id));
  for (let i = 0; i < 3; i += 1) ids.push(await confirmed({ before: ofAccount }));
  const other = await confirmed();

  expect((await rowsOf(...ids, other)).map(({ status }) => status)).toEqual([
    'in_progress',
    'in_progress',
    'confirmed',
    'in_progress',
  ]);
  await runDue([ids[0]!]);
  expect((await rowsOf(...ids)).map(({ status }) => status)).toEqual(['imported', 'in_progress', 'in_progress']);
  await runDue([...ids, other]);
});

test('a run whose wait is over copies again once a place is free', async () => {
  origin.answers.set('/audio-1.mp3', (_, response) => void response.writeHead(500).end());
  const waiting = await confirmed();
  await runDue([waiting], 2);
  origin.answers.clear();
  const others: Import[] = [];
  while (others.length < 4) others.push(await confirmed());
  clock.now = later(clock.now, HOURS(1));
  origin.requests = [];
  await runDue([waiting]);
  expect(origin.requests).toEqual([]);

  await runDue([others[0]!]);
  await runDue([waiting]);

  expect(await stateOf(waiting)).toMatchObject({ status: 'imported', progress: { imported: 3 } });
  await runDue(others);
});

test('after half an hour a run leaves its place to the imports that wait, and waiting takes none of its twelve hours', async () => {
  const slow: Import[] = [];
  while (slow.length < 4) slow.push(await confirmed());
  clock.now = later(clock.now, MINUTES(29));
  const next: Import[] = [];
  while (next.length < 4) next.push(await confirmed());
  clock.now = later(clock.now, MINUTES(1));

  await runDue(slow, 1);

  const placeOf = ({ status, waitsUntil }: (typeof rssImports)['$inferSelect']) => [status, waitsUntil === null];
  expect((await rowsOf(...slow, ...next)).map(placeOf)).toEqual([
    ...Array.from({ length: 4 }, () => ['in_progress', false]),
    ...Array.from({ length: 4 }, () => ['in_progress', true]),
  ]);

  clock.now = later(clock.now, HOURS(11.5));
  await runDue([...slow, ...next], 12);

  for (const each of [...slow, ...next])
    expect(await stateOf(each)).toMatchObject({ status: 'imported', progress: { imported: 3 } });
});

test('a run keeps its place after half an hour if nothing waits for one', async () => {
  const alone = await confirmed();
  clock.now = later(clock.now, MINUTES(30));

  await runDue([alone], 1);

  expect(await rowsOf(alone)).toMatchObject([{ status: 'in_progress', waitsUntil: null }]);
  await runDue([alone]);
  expect(await stateOf(alone)).toMatchObject({ status: 'imported', progress: { imported: 3 } });
});
