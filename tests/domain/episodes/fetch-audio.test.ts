import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { audioFetches } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import { switches } from '~/db/schema/switches';
import { timedOut } from '~/server/adapters/feed-fetcher/errors';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { recoverEpisodes } from '~/server/domain/episodes/audio-check';
import { fetchAudio } from '~/server/domain/episodes/fetch-audio';
import { audioStatus, chooseFetches } from '~/server/domain/episodes/rules';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin } from '../../support/feed-origin';
import { fetchNewAudio, runJobs } from '../../support/run-jobs';
import { testFetcher } from '../../support/test-fetcher';

const opened = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const { runtime, make, clock, checkNewAudio, pauseAt } = opened;
const { db } = runtime;
const fetcher = testFetcher({ limits: { attempts: 1 } });
runtime.ports.fetcher = fetcher;
const [origin, other] = [await feedOrigin(), await feedOrigin()];
afterAll(() => Promise.all([fetcher.close(), origin.close(), other.close()]));
const ctx = systemCtx(runtime, 'episodes.fetch-audio');
const start = clock.now;
beforeEach(async () => {
  await db.delete(audioFetches);
  // no test takes the jobs of another
  await db.execute(sql`delete from pgboss.job where name in ('episodes.fetch-audio', 'episodes.check-audio')`);
  origin.answers.clear();
  Object.assign(origin, { requests: [] });
});
afterEach(() => {
  clock.now = start;
});

async function asked(url = `${origin.url}/a.mp3`, owner?: Awaited<ReturnType<typeof make.creator>>) {
  const creator = owner ?? (await make.creator());
  const { api } = creator;
  const show = await make.product(creator);
  const input = { productId: show.id, name: 'A', description: 'A', type: 'public', audioUrl: url } as const;
  const { id } = await api.episodes.create({ ...input, people: [] });
  return { id, api, view: () => api.episodes.forEditing({ id }) };
}
const fetchOf = async (id: number) => (await db.select().from(audioFetches).where(eq(audioFetches.episodeId, id)))[0];
const stepOf = async (id: number) => ({ episodeId: id, step: (await fetchOf(id))!.step });
const { storage } = runtime.ports;
const removeFiles = () =>
  runJobs(runtime, removeObjects.name, ({ keys, folders = [] }: { keys: string[]; folders?: string[] }) =>
    removeUnused(ctx, { keys, folders }),
  );
/** A fetcher whose host never finishes, with the times that it was given. */
const slow = (limits: (number | undefined)[]): typeof fetcher => ({
  ...fetcher,
  download: async (_, { withinMs }) => {
    limits.push(withinMs);
    throw timedOut({ host: 'slow.example' });
  },
});
const recover = () => recoverEpisodes(systemCtx(runtime, 'episodes.recover'));

test('a worker that is killed between the download and its record loses nothing, and takes nothing twice', async () => {
  const { id, view } = await asked();
  const job = await stepOf(id);
  const reach = async () => Promise.reject(new Error('killed'));
  await expect(fetchAudio({ ...ctx, reach }, job)).rejects.toThrow('killed');

  expect(await view()).toMatchObject({ status: 'in_progress', fetchedFrom: '127.0.0.1' });
  await fetchAudio(ctx, job);
  await fetchAudio(ctx, job);
  const { uploadKey } = (await db.select().from(episodes).where(eq(episodes.id, id)))[0]!;
  await checkNewAudio();

  expect(await view()).toMatchObject({ status: 'published', fetchedFrom: null });
  expect(await db.$count(uploads, eq(uploads.key, uploadKey))).toBe(1);
  expect(await fetchOf(id)).toBeUndefined();
});

test('of two jobs with the same file only one records it', async () => {
  const { id, view } = await asked();
  const job = await stepOf(id);
  const pause = pauseAt('audio.fetched', 2);
  const both = Promise.all([fetchAudio(ctx, job), fetchAudio(ctx, job)]);
  await pause.reachedBy(both);
  pause.goOn();
  await both;

  expect(await checkNewAudio()).toBeLessThanOrEqual(2);
  expect(await view()).toMatchObject({ status: 'published' });
});

test('a running download is not replaced, and its own address changes nothing', async () => {
  const owner = await make.creator();
  const { id, api, view } = await asked(undefined, owner);
  const fileKey = await make.upload(owner, 'episode_audio');
  const job = await stepOf(id);
  const pause = pauseAt('audio.fetched');
  const running = fetchAudio(ctx, job);
  await pause.reachedBy(running);

  const others = [{ audioUrl: `${origin.url}/b.mp3` }, { fileKey }].map((audio) =>
    api.episodes.update({ id, ...audio }),
  );
  const refused = await Promise.allSettled(others);
  await api.episodes.update({ id, audioUrl: `${origin.url}/a.mp3`, name: 'Renamed' });
  pause.goOn();
  await running;
  await checkNewAudio();

  for (const one of refused) expect(String((one as PromiseRejectedResult).reason)).toContain('episode.being_fetched');
  expect(await view()).toMatchObject({ status: 'published', name: 'Renamed', fileName: 'a.mp3' });
  await api.episodes.update({ id, fileKey });
});

test('a replaced fetch leaves no parts, and neither does one that fails for good', async () => {
  const late = await asked();
  const partsOf = async ({ id }: { id: number }) => {
    const folder = `incoming/${(await fetchOf(id))!.uploadKey}.parts/`;
    await storage.put(`${folder}00000`, Buffer.from('part'), { contentType: 'audio/mpeg', bytes: 4 });
    return folder;
  };
  const folders = [await partsOf(late)];
  clock.now = later(start, MINUTES(20));
  await late.api.episodes.update({ id: late.id, audioUrl: `${origin.url}/gone.mp3` });
  await removeFiles();
  expect(await storage.list(folders[0]!, 9)).toEqual([]);

  await db.update(audioFetches).set({ attempts: 4 });
  folders.push(await partsOf(late));
  await fetchAudio({ ...ctx, ports: { ...ctx.ports, fetcher: slow([]) } }, await stepOf(late.id));
  await removeFiles();

  expect(await late.view()).toMatchObject({ status: 'failed' });
  expect(await storage.list(folders[1]!, 9)).toEqual([]);
});

test('a job whose lease has ended neither fails the next address nor keeps its file', async () => {
  const { id, api, view } = await asked();
  const job = await stepOf(id);
  const { uploadKey } = (await fetchOf(id))!;
  const pause = pauseAt('audio.fetched');
  const first = fetchAudio(ctx, job);
  await pause.reachedBy(first);
  clock.now = later(start, MINUTES(20));
  await api.episodes.update({ id, audioUrl: `${origin.url}/b.mp3` });
  await removeFiles();
  await storage.put(`incoming/${uploadKey}.parts/00000`, Buffer.from('part'), { contentType: 'audio/mpeg', bytes: 4 });
  pause.goOn();
  await first;
  await removeFiles();

  expect(await view()).toMatchObject({ status: 'in_progress', failureReason: null, fileName: 'b.mp3' });
  expect(await storage.list(`incoming/${uploadKey}`, 9)).toEqual([]);
  await fetchNewAudio(runtime);
  await checkNewAudio();
  expect(await view()).toMatchObject({ status: 'published', fileName: 'b.mp3' });
});

test('of two addresses that are named at once, the second one is told', async () => {
  const { id, api } = await asked();
  clock.now = later(start, MINUTES(20));

  const both = await Promise.allSettled(
    ['b', 'c'].map((name) => api.episodes.update({ id, audioUrl: `${origin.url}/${name}.mp3` })),
  );

  expect(await db.$count(audioFetches, eq(audioFetches.episodeId, id))).toBe(1);
  const refused = both.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(1);
  for (const one of refused)
    expect(String((one as PromiseRejectedResult).reason)).toMatch(/already_changed|being_fetched/);
});

test('a deleted episode is not fetched, and is once it is restored', async () => {
  const { id, api, view } = await asked();
  const job = await stepOf(id);
  const pause = pauseAt('audio.fetched');
  const first = fetchAudio(ctx, job);
  await pause.reachedBy(first);
  await api.episodes.remove({ id });
  pause.goOn();
  await first;
  await recover();
  expect(await fetchOf(id)).toMatchObject({ leasedUntil: null });

  await api.episodes.restore({ id });
  // its check asks for a place
  await checkNewAudio();
  await fetchNewAudio(runtime);
  await checkNewAudio();

  expect(await view()).toMatchObject({ status: 'published' });
});

test('a lost job is given again when its lease has ended, and its check does not begin before', async () => {
  const { view } = await asked();
  await db.execute(sql`delete from pgboss.job where name = 'episodes.fetch-audio'`);
  clock.now = later(start, MINUTES(19));
  await recover();
  await checkNewAudio();
  expect(await fetchNewAudio(runtime)).toBe(0);
  expect(await view()).toMatchObject({ status: 'in_progress' });

  clock.now = later(start, MINUTES(20));
  await recover();

  expect(await fetchNewAudio(runtime)).toBe(1);
  await checkNewAudio();
  expect(await view()).toMatchObject({ status: 'published' });
});

test('a file that nobody has fetched for a day fails', async () => {
  const { id, view } = await asked();
  await db.execute(sql`delete from pgboss.job where name = 'episodes.fetch-audio'`);
  await db.update(episodes).set({ updatedAt: start }).where(eq(episodes.id, id));
  clock.now = later(start, DAYS(1) + MINUTES(1));
  await recover();

  expect(await view()).toMatchObject({ status: 'failed', failureReason: 'audio.check_failed', fetchedFrom: null });
  await fetchNewAudio(runtime);
  expect(await fetchOf(id)).toBeUndefined();
  expect(await view()).toMatchObject({ status: 'failed' });
});

test('one creator and one host have two places, which they give to others when they wait', async () => {
  const busy = await make.creator();
  const slow = [];
  for (let i = 0; i < 3; i += 1) slow.push(await asked(`${origin.url}/slow.mp3`, busy));
  const same = await asked(`${origin.url}/b.mp3`);
  const elsewhere = await asked(`http://localhost:${new URL(other.url).port}/c.mp3`);
  const isLeased = async ({ id }: { id: number }) => (await fetchOf(id))!.leasedUntil !== null;

  expect(await Promise.all([...slow, same, elsewhere].map(isLeased))).toEqual([true, true, false, false, true]);
  origin.answers.set('/slow.mp3', (_, response) => void response.writeHead(503).end());
  for (const { id } of slow.slice(0, 2)) await fetchAudio(ctx, await stepOf(id));

  // the third one of the busy creator, and the other creator at the same host
  expect(await Promise.all([...slow, same].map(isLeased))).toEqual([false, false, true, true]);
});

test('a creator of whom nothing runs goes first, then the files that failed least often', async () => {
  const [busy, ...others] = [await make.creator(), await make.creator(), await make.creator()];
  const hosts = Array.from({ length: 9 }, (_, i) => `https://h${i}.example/a.mp3`);
  // three creators take all places, and the files of the first one have waited longest
  const running = [];
  for (const owner of [busy, ...others]) for (let i = 0; i < 2; i += 1) running.push(await asked(hosts.pop()!, owner));
  const failed = await asked(hosts.pop()!, busy);
  await db.update(audioFetches).set({ attempts: 2 }).where(eq(audioFetches.episodeId, failed.id));
  clock.now = later(start, MINUTES(1));
  const next = await asked(hosts.pop()!, busy);
  const newcomer = await asked(hosts.pop()!);
  const isLeased = async ({ id }: { id: number }) => (await fetchOf(id))!.leasedUntil !== null;
  const leased = () => Promise.all([failed, next, newcomer].map(isLeased));

  expect(await leased()).toEqual([false, false, false]);
  await db.delete(audioFetches).where(eq(audioFetches.episodeId, running[0]!.id));
  await recover();
  expect(await leased()).toEqual([false, false, true]);
  await db.delete(audioFetches).where(eq(audioFetches.episodeId, running[5]!.id));
  await recover();
  expect(await leased()).toEqual([false, true, true]);
});

test('a host that is too slow ends by time, and leaves its place', async () => {
  const { id, view } = await asked();
  const limits: (number | undefined)[] = [];

  await fetchAudio({ ...ctx, ports: { ...ctx.ports, fetcher: slow(limits) } }, await stepOf(id));

  expect(limits).toEqual([MINUTES(10)]);
  expect(await fetchOf(id)).toMatchObject({ attempts: 1, leasedUntil: null });
  expect(await view()).toMatchObject({ status: 'in_progress', failureReason: 'fetch.timed_out' });
});

test('a full disk is told, and the file is fetched again later', async () => {
  const { id, view } = await asked();
  const download = async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));

  await fetchAudio({ ...ctx, ports: { ...ctx.ports, fetcher: { ...fetcher, download } } }, await stepOf(id));

  expect(await view()).toMatchObject({ failureReason: 'upload.disk_full', fetchedFrom: '127.0.0.1' });
});

test('a download needs room for the largest file of each one that runs', async () => {
  const { id, view } = await asked();
  const owner = await make.creator();
  const ample = storage.freeBytes;
  storage.freeBytes = async () => 1_300_000_000;

  const another = asked(undefined, owner);
  await expect(another).rejects.toThrow('upload.disk_full');
  await fetchAudio(ctx, await stepOf(id));
  storage.freeBytes = ample;

  expect(await view()).toMatchObject({ failureReason: 'upload.disk_full', fetchedFrom: '127.0.0.1' });
});

test('while uploads are switched off, no address is accepted', async () => {
  const { id, api } = await asked();
  const by = { changedAt: start, changedBy: 'Olga' };
  await db.insert(switches).values({ name: 'uploads', percent: 0, ...by });

  const change = api.episodes.update({ id, audioUrl: `${origin.url}/b.mp3` });

  await expect(change).rejects.toThrow('switch.off');
  await db.delete(switches);
});

const PLACES = { atOnce: 3, perCreator: 2, perHost: 2 };
const waiting = (...rows: [number, string][]) =>
  rows.map(([creatorId, host], i) => ({ episodeId: i, creatorId, host }));

test.each([
  ['nobody waits', waiting(), waiting(), []],
  ['there is room', waiting([1, 'a'], [2, 'b']), [], [0, 1]],
  ['a creator has many', waiting([1, 'a'], [1, 'b'], [1, 'c'], [2, 'd']), [], [0, 1, 3]],
  ['a host has many', waiting([1, 'a'], [2, 'a'], [3, 'a'], [4, 'b']), [], [0, 1, 3]],
  ['a creator has its places', waiting([1, 'c'], [2, 'd']), waiting([1, 'a'], [1, 'b']), [1]],
  ['all places are taken', waiting([4, 'd']), waiting([1, 'a'], [2, 'b'], [3, 'c']), []],
])('places are given if %s', (_, rows, running, chosen) => {
  expect(chooseFetches(rows, running, PLACES)).toEqual(chosen);
});

const checking = { isChecking: true };
const failed = { isChecking: false };
test.each([
  ['in_progress', 'files.example', null, 'fetching'],
  ['published', 'files.example', checking, 'fetching'],
  ['in_progress', null, null, 'checking'],
  ['published', null, checking, 'checking'],
  ['failed', null, null, 'failed'],
  ['published', null, failed, 'failed'],
  ['published', null, null, 'ready'],
  ['on_hold', null, null, 'ready'],
] as const)('the audio of a %s episode from %s with %j is %s', (status, fetchedFrom, replacement, shown) => {
  expect(audioStatus({ status, fetchedFrom, replacement })).toBe(shown);
});
