import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/base/time';
import { purgeDeleted } from '~/server/domain/episodes/delete-episode';
import { lookupEpisodeRow } from '~/server/domain/episodes/queries';
import { type Transition, transition } from '~/server/domain/episodes/transitions';
import { authorize } from '~/server/policy/authorize';
import { type TxCtx, transact, violates } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, podcast, make, checkNewAudio } = await cast();
const start = clock.now;
const jobCtx = systemCtx(runtime, 'episodes.check-audio');
const kind = 'podcast' as const;

/** Runs `call` so that it reads before `first` is committed and writes after it. */
async function duringChange<T>(first: (tx: TxCtx) => Promise<unknown>, call: () => Promise<T>) {
  let outcome: Promise<PromiseSettledResult<T>[]> | undefined;
  await transact(jobCtx, async (tx) => {
    await first(tx);
    outcome = Promise.allSettled([call()]);
    await lockWaits(runtime.db);
  });
  const [settled] = await outcome!;
  return settled!;
}

/** A change by the audio check. */
async function checkedAs(id: number, change: Transition) {
  const row = authorize(jobCtx, 'episode.manage', (await lookupEpisodeRow(jobCtx, id))!);
  return (tx: TxCtx) => transition(tx, row, { by: 'check', ...change });
}

/** Runs `goLive` for an episode, like the queue. */
async function goLiveTimes(id: number): Promise<Date[]> {
  const jobs = await runtime.db.execute<{ start_after: string }>(sql`
    select start_after from pgboss.job where name = 'episodes.go-live' and (data ->> 'episodeId')::int = ${id} order by created_on, id`);
  return jobs.map((job) => new Date(job.start_after));
}
const AUDIO = { audioKey: 'audio/checked.mp3' };

test('a release time that an owner moves while the check publishes the episode schedules it', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Published meanwhile' });
  const publish = await checkedAs(id, { to: 'published', set: { ...AUDIO, releaseAt: start } });
  const releaseDate = later(start, HOURS(5));

  const outcome = await duringChange(publish, () => lucia.api.episodes.update({ id, kind, releaseDate }));

  expect(outcome).toMatchObject({ status: 'fulfilled', value: { status: 'scheduled', releaseDate } });
  expect(await goLiveTimes(id)).toContainEqual(releaseDate);
});

test('a release time that an owner moves while the check schedules the episode gets its job', async () => {
  const { id } = await make.draft(lucia, podcast, { releaseDate: later(start, HOURS(9)) });
  const schedule = await checkedAs(id, { to: 'scheduled', set: { ...AUDIO, releaseAt: later(start, HOURS(9)) } });
  const releaseDate = later(start, HOURS(2));

  await duringChange(schedule, () => lucia.api.episodes.update({ id, kind, releaseDate }));

  expect(await goLiveTimes(id)).toContainEqual(releaseDate);
});

test('an owner can clear the release time while the check schedules the episode', async () => {
  const { id } = await make.draft(lucia, podcast, { releaseDate: later(start, HOURS(9)) });
  const schedule = await checkedAs(id, { to: 'scheduled', set: { ...AUDIO, releaseAt: later(start, HOURS(9)) } });

  const outcome = await duringChange(schedule, () => lucia.api.episodes.update({ id, kind, releaseDate: null }));

  expect(outcome).toMatchObject({ status: 'fulfilled', value: { status: 'published', releaseDate: start } });
});

test('an unchanged type that another request has just replaced is checked against the balance', async () => {
  const paid = await make.product(lucia, { name: 'Paid' });
  const { id } = await make.draft(lucia, paid, { type: 'public' });
  await checkNewAudio();
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, paid.id));
  const makePrivate = (tx: TxCtx) => tx.db.update(episodes).set({ type: 'private' }).where(eq(episodes.id, id));

  const outcome = await duringChange(makePrivate, () => lucia.api.episodes.update({ id, kind, type: 'public' }));

  expect(outcome).toMatchObject({ status: 'rejected' });
  expect(await lookupEpisodeRow(jobCtx, id))!.toMatchObject({ type: 'private' });
});

test('another file does not undo a release time that changed during the request', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'New file' });
  const fileKey = await make.upload(lucia, 'episode_audio');
  const releaseAt = later(start, HOURS(3));
  const move = (tx: TxCtx) => tx.db.update(episodes).set({ releaseAt }).where(eq(episodes.id, id));

  await duringChange(move, () => lucia.api.episodes.update({ id, kind, fileKey }));

  expect(await lookupEpisodeRow(jobCtx, id))!.toMatchObject({ releaseAt, status: 'in_progress' });
  await checkNewAudio();
});

test('a file that a check stored while the episode was deleted goes with its row', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Deleted' });
  const publish = await checkedAs(id, { to: 'published', set: { audioKey: 'audio/late.mp3', releaseAt: start } });

  await duringChange(publish, () => lucia.api.episodes.remove({ id }));
  await purgeDeleted({ ...jobCtx, now: () => later(start, DAYS(8)) });

  const removed: string[] = [];
  await runJobs(runtime, 'media.remove-objects', async ({ keys }: { keys: string[] }) => void removed.push(...keys));
  expect(removed).toContain('audio/late.mp3');
  await runJobs(runtime, 'episodes.check-audio', async () => {});
});

test.each([
  ['null', null, start],
  ['two minutes ago', earlier(start, MINUTES(2)), earlier(start, MINUTES(2))],
])('the release date of a published episode can become %s: it stays published', async (_, releaseDate, expected) => {
  const { id } = await make.draft(lucia, podcast, { name: 'Dated' });
  await checkNewAudio();
  await runtime.db
    .update(episodes)
    .set({ releaseAt: earlier(start, HOURS(1)) })
    .where(eq(episodes.id, id));

  const updated = await lucia.api.episodes.update({ id, kind, releaseDate });

  expect(updated).toMatchObject({ status: 'published', releaseDate: expected });
});

test('a new slug waits for the show before it is taken, so that a restored episode gets it without a deadlock', async () => {
  const [one, other] = await make.episodes(await make.product(lucia), 2, () => ({}));
  const { db } = runtime;
  let renamed: Promise<unknown> = Promise.resolve();

  // like restoring: locks the show first, then the slug
  await db.transaction(async (tx) => {
    await tx.select().from(products).where(eq(products.id, one!.productId)).for('no key update');
    renamed = lucia.api.episodes.update({ id: one!.id, kind, slug: 'wanted' }).catch((error: unknown) => error);
    await lockWaits(db);
    await tx.update(episodes).set({ slug: 'wanted' }).where(eq(episodes.id, other!.id));
  });

  await expect(renamed.then((error) => Promise.reject(error))).toFailWith('episode.slug_taken');
});

test('a deleted episode gives up its slug only with the show locked, so that a new slug is no deadlock', async () => {
  const [one, other] = await make.episodes(await make.product(lucia), 2, () => ({}));
  const { db } = runtime;
  let removed: Promise<unknown> = Promise.resolve();
  let refusal: unknown;

  // like renaming: locks the show first, then the slug
  await db.transaction(async (tx) => {
    await tx.select().from(products).where(eq(products.id, one!.productId)).for('no key update');
    removed = lucia.api.episodes.remove({ id: one!.id });
    await lockWaits(db);
    const rename = tx.transaction((inner) =>
      inner.update(episodes).set({ slug: one!.slug }).where(eq(episodes.id, other!.id)),
    );
    refusal = await rename.catch((error: unknown) => error);
  });

  expect(violates(refusal, 'episodes_slug_once')).toBe(true);
  await expect(removed).resolves.toBeUndefined();
});
