import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clipVersions } from '~/db/schema/insertions';
import { HOURS, later } from '~/server/base/time';
import { convertClip as convert } from '~/server/domain/insertions/convert-clip';
import { sweepDeletedClips } from '~/server/domain/insertions/remove-clip';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { CLIP_LIMITS } from '~/server/limits/insertions';
import { convertClip, refreshServed, sweepClips } from '~/server/queue/jobs/insertions';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lameFrames } from '../../support/encodings';
import { lockWaits } from '../../support/lock-waits';
import type { Creator } from '../../support/make';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, pauseAt } = await cast({ empty: true });
const { db, ports } = runtime;
const jobCtx = (name: string) => systemCtx(runtime, name);
const sound = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 2 }, { bitrate: 64 });
const measured = { sampleRate: 44_100, channels: 2, loudnessTenths: -160, peaksKey: 'p' };
const RATES = [32_000, 40_000, 48_000, 64_000, 80_000, 96_000, 112_000];

const addClip = async (owner: Creator) =>
  owner.api.clips.create({ name: 'Cuña', clipKey: await make.upload(owner, 'insertion_audio', sound) });
const versionsOf = (clipId: number) =>
  db.select().from(clipVersions).where(eq(clipVersions.clipId, clipId)).orderBy(clipVersions.id);
const bitratesOf = async (clipId: number) =>
  (await versionsOf(clipId)).map(({ encoding }) => Number(encoding.split('/').at(-1)));
const enqueuedOf = async (clipId: number) =>
  (await versionsOf(clipId)).filter((row) => row.status === 'in_progress' && row.enqueuedAt !== null).length;
const convertAll = () =>
  runJobs(runtime, convertClip.name, ({ versionId }: { versionId: number }, ctx) => convert(ctx, versionId));
const drain = (name: string) => runJobs(runtime, name, async () => {});

type Campaign = Parameters<Creator['api']['campaigns']['create']>[0];
const save = (owner: Creator, productId: number, clipId: number, over: Partial<Campaign> = {}) =>
  owner.api.campaigns.create({
    ...{ productId, name: 'Otoño', clipIds: [clipId], place: 'pre', firstDay: clock.now.toISOString().slice(0, 10) },
    ...over,
  });

test('clips are converted for episodes whose sound could not be measured', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  await make.episodes(show, 1, () => ({ ...measured, peaksKey: null, loudnessTenths: null, soundTriedAt: clock.now }));
  const { id: clipId } = await addClip(owner);
  await db.delete(clipVersions);
  await drain(convertClip.name);

  const { id } = await save(owner, show.id, clipId);

  expect(await owner.api.campaigns.get({ id })).toMatchObject({ state: 'preparing', prepared: { ready: 0, total: 1 } });
  await convertAll();
  expect(await owner.api.campaigns.get({ id })).toMatchObject({ state: 'running', prepared: { ready: 1, total: 1 } });
});

test('episodes are selected by their day in the creator’s time zone when clips are converted for them', async () => {
  const owner = await make.creator({ timeZone: 'America/Los_Angeles' });
  const show = await make.product(owner);
  // 9 November, seven in the evening in Los Angeles, and a day later
  const days = ['2026-11-10T03:00:00Z', '2026-11-11T03:00:00Z'].map((day) => new Date(day));
  await make.episodes(show, 2, (i) => ({ ...measured, bitrate: RATES[i]!, releaseAt: days[i]! }));
  const { id: clipId } = await addClip(owner);
  const only = async (over: Partial<Campaign>) => {
    await db.delete(clipVersions);
    await drain(convertClip.name);
    await save(owner, show.id, clipId, over);
    return bitratesOf(clipId);
  };

  expect(await only({ selection: 'before', selectionDay: '2026-11-10' })).toEqual([RATES[0]]);
  expect(await only({ place: 'post', selection: 'new', selectionDay: '2026-11-10' })).toEqual([RATES[1]]);
});

test('a new clip is converted for the formats of published episodes only', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const states = ['published', 'on_hold', 'scheduled'] as const;
  await make.episodes(show, 3, (i) => ({ ...measured, bitrate: RATES[i]!, status: states[i]! }));

  const { id } = await addClip(owner);

  expect(await bitratesOf(id)).toEqual([RATES[0]]);
});

test('a creator who wants to hear a clip does not wait for the conversions of others', async () => {
  const owner = await make.creator();
  const [episode] = await make.episodes(await make.product(owner), 1, () => measured);
  await drain(convertClip.name);
  const { id: clipId } = await addClip(owner);
  const priorities = async () => {
    const { rows } = await runtime.queue.boss
      .getDb()
      .executeSql(`select priority from pgboss.job where name = '${convertClip.name}' and state = 'created'`, []);
    return rows.map(({ priority }) => priority).sort();
  };
  expect(await priorities()).toEqual([-1]);

  await owner.api.insertionPoints.prepareSound({ id: episode!.id, clipId });

  expect(await priorities()).toEqual([-1, 0]);
  expect(await versionsOf(clipId)).toMatchObject([{ isForeseen: false }]);
  await convertAll();
});

test('a creator who listens in many episodes has a limited number of conversions, and gets all of them', async () => {
  const owner = await make.creator();
  const all = await make.episodes(await make.product(owner), RATES.length, (i) => ({
    ...measured,
    bitrate: RATES[i]!,
  }));
  const { id: clipId } = await addClip(owner);
  await db.delete(clipVersions);
  await drain(convertClip.name);

  for (const { id } of all) await owner.api.insertionPoints.prepareSound({ id, clipId });

  expect(await enqueuedOf(clipId)).toBe(CLIP_LIMITS.enqueued + CLIP_LIMITS.heard);
  while ((await convertAll()) > 0);
  expect((await versionsOf(clipId)).map(({ status }) => status)).toEqual(RATES.map(() => 'ready'));
});

test('two conversions that end at once enqueue two others', async () => {
  const owner = await make.creator();
  const { id: clipId } = await addClip(owner);
  const common = { clipId, loudness: 0, status: 'in_progress' as const };
  const rows = RATES.slice(0, 5).map((rate, i) => ({
    ...common,
    encoding: `1/44100/1/${rate}`,
    enqueuedAt: i < 2 ? clock.now : null,
  }));
  const [one, other, next] = await db.insert(clipVersions).values(rows).returning();
  await drain(convertClip.name);
  let release = () => {};
  const held = db.transaction(async (tx) => {
    await tx.select().from(clipVersions).where(eq(clipVersions.id, next!.id)).for('update');
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });

  const both = [one!, other!].map(({ id }) => convert(jobCtx(convertClip.name), id));
  await lockWaits(db, 2);
  release();
  await Promise.all([held, ...both]);

  expect(await enqueuedOf(clipId)).toBe(2);
});

test('the file of a conversion whose clip was deleted meanwhile is deleted', async () => {
  const owner = await make.creator();
  await make.episodes(await make.product(owner), 1, () => measured);
  const { id } = await addClip(owner);
  const [version] = await versionsOf(id);
  const before = clock.now;
  const pause = pauseAt('clip.converted');
  const converting = convert(jobCtx(convertClip.name), version!.id);
  await pause.reachedBy(converting);
  await owner.api.clips.remove({ id });
  clock.now = later(before, HOURS(49));
  await sweepDeletedClips(jobCtx(sweepClips.name));

  pause.goOn();
  await converting;
  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }, ctx) =>
    removeUnused(ctx, { keys, folders: [] }),
  );
  clock.now = before;

  expect(await ports.storage.list(`audio/${owner.creatorId}/clips/`, 10)).toEqual([]);
});

test('a passage whose clip is converted changes the lengths of its show', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const [episode] = await make.episodes(show, 1, () => measured);
  const { id: clipId } = await addClip(owner);
  await owner.api.passages.replace({ id: episode!.id, fromMs: 1000, toMs: 9000, clipId });
  await drain(refreshServed.name);

  await convertAll();

  const refreshed: number[] = [];
  await runJobs(runtime, refreshServed.name, async ({ productId }: { productId: number }) => {
    refreshed.push(productId);
  });
  expect(refreshed).toEqual([show.id]);
});
