import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { EpisodeStatus } from '~/db/values/episodes';
import { HOURS, later } from '~/server/base/time';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { lockEpisodeRow, lookupEpisodeRow } from '~/server/domain/episodes/queries';
import { mayBecome, TRANSITIONS } from '~/server/domain/episodes/rules';
import { transition } from '~/server/domain/episodes/transitions';
import { authorize } from '~/server/policy/authorize';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, podcast: free, make, checkNewAudio } = await cast();
const start = clock.now;
const jobCtx = systemCtx(runtime, 'episodes.check-audio');
const STATUSES = ['in_progress', 'failed', 'scheduled', 'published', 'on_hold'] as const;

const get = (id: number) => lucia.api.episodes.forEditing({ id });
const write = (id: number, values: Partial<typeof episodes.$inferInsert>) =>
  runtime.db.update(episodes).set(values).where(eq(episodes.id, id));

/** A new paid podcast with one published private episode, so that one public episode is allowed. */
async function paidPodcast(name: string) {
  const podcast = await make.product(lucia, { name });
  const secret = await make.draft(lucia, podcast, { name: 'Private', type: 'private' });
  await checkNewAudio();
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, podcast.id));
  return { podcast, secret };
}

/** A paid podcast without room for a public episode, with an episode in `status`. */
async function fullPodcast(name: string, over: Partial<typeof episodes.$inferInsert>) {
  const { podcast } = await paidPodcast(name);
  await make.draft(lucia, podcast, { name: 'First' });
  const next = await make.draft(lucia, podcast, { name: 'Next', type: 'trailer' });
  await checkNewAudio();
  await write(next.id, { type: 'public', ...over });
  return { podcast, id: next.id };
}

/** The error for a change that the table does not allow, for each status that the episode has. */
const REFUSALS: Record<EpisodeStatus, string> = {
  in_progress: 'episode.being_checked',
  failed: 'episode.needs_audio',
  scheduled: 'episode.already_changed',
  published: 'episode.already_published',
  on_hold: 'episode.already_on_hold',
};

const pairs = STATUSES.flatMap((from) => STATUSES.map((to): [EpisodeStatus, EpisodeStatus] => [from, to]));
test.each(pairs)('the writer allows %s to %s as the table does, for each writer', async (from, to) => {
  const made = await make.draft(lucia, free, { name: `${from} ${to}` });
  const audio = { audioKey: 'audio/1.mp3', releaseAt: start };

  for (const by of Object.keys(TRANSITIONS) as (keyof typeof TRANSITIONS)[]) {
    await write(made.id, { ...audio, status: from });
    const row = authorize(jobCtx, 'episode.manage', (await lookupEpisodeRow(jobCtx, made.id))!);
    const attempt = transact(jobCtx, (tx) => transition(tx, row, { to, by }));

    if (mayBecome(from, to, by)) await attempt;
    else await expect(attempt).toFailWith(REFUSALS[from]);

    const after = (await lookupEpisodeRow(jobCtx, made.id))!;
    expect(after.status).toBe(mayBecome(from, to, by) ? to : from);
  }
  await runJobs(runtime, 'episodes.check-audio', async () => {});
  await runJobs(runtime, 'episodes.go-live', async () => {});
});

test('a change of an episode that was read before another change fails', async () => {
  const made = await make.draft(lucia, free, { name: 'Stale' });
  await checkNewAudio();
  const row = authorize(jobCtx, 'episode.manage', (await lookupEpisodeRow(jobCtx, made.id))!);
  await lucia.api.episodes.hold({ id: made.id });

  const attempt = transact(jobCtx, (tx) => transition(tx, row, { to: 'on_hold' }));

  await expect(attempt).toFailWith('episode.already_changed');
});

test.each(['in_progress', 'published'])('two concurrent files for a %s episode: the first wins', async (status) => {
  const made = await make.draft(lucia, free, { name: `Race ${status}` });
  if (status === 'published') await checkNewAudio();
  const keys = [await make.upload(lucia, 'episode_audio'), await make.upload(lucia, 'episode_audio')];

  let updates: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await transact(jobCtx, async (tx) => {
    await lockEpisodeRow(tx, made.id);
    updates = Promise.allSettled(
      keys.map((fileKey) => lucia.api.episodes.update({ id: made.id, kind: 'podcast', fileKey })),
    );
    // both calls have read the episode, and neither has changed it
    await lockWaits(runtime.db, 2);
  });
  const outcomes = (await updates) ?? [];

  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  const winner = keys[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')];
  const { uploadKey, replacementKey } = (await lookupEpisodeRow(jobCtx, made.id))!;
  expect(replacementKey ?? uploadKey).toBe(winner);
  await checkNewAudio();
});

test('creating a public episode that would exceed the private ones is rejected, and scheduling one is not', async () => {
  const { podcast } = await fullPodcast('Create', { status: 'on_hold' });

  await expect(make.draft(lucia, podcast, { name: 'Now' })).toFailWith('episode.public_exceeds_private');
  await expect(make.draft(lucia, podcast, { name: 'Trailer', type: 'trailer' })).resolves.toBeTruthy();
  await expect(make.draft(lucia, podcast, { releaseDate: later(start, HOURS(2)) })).resolves.toBeTruthy();
  await checkNewAudio();
});

test('publishing a public episode that would exceed the private ones is rejected', async () => {
  const { id } = await fullPodcast('Publish', { status: 'on_hold' });

  await expect(lucia.api.episodes.release({ id })).toFailWith('episode.public_exceeds_private');

  expect(await get(id)).toMatchObject({ status: 'on_hold' });
});

test('moving the time of a scheduled public episode to now is rejected if it would exceed the private ones', async () => {
  const { id } = await fullPodcast('Reschedule', { status: 'scheduled', releaseAt: later(start, HOURS(1)) });

  const attempt = lucia.api.episodes.update({ id, kind: 'podcast', releaseDate: start });

  await expect(attempt).toFailWith('episode.public_exceeds_private');
  expect(await get(id)).toMatchObject({ status: 'scheduled' });
});

test('at its release time, a public episode that would exceed the private ones goes on hold with the reason', async () => {
  const { id } = await fullPodcast('Go live', { status: 'scheduled', releaseAt: later(start, HOURS(1)) });
  clock.now = later(start, HOURS(1));
  onTestFinished(() => {
    clock.now = start;
  });

  await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: id });

  const held = await get(id);
  expect(held).toMatchObject({ status: 'on_hold', failureReason: 'episode.public_exceeds_private' });
});

test('after its check, a public episode that would exceed the private ones goes on hold until there is room', async () => {
  const { podcast } = await paidPodcast('Check');
  const ids: number[] = [];
  for (const name of ['One', 'Two']) ids.push((await make.draft(lucia, podcast, { name })).id);

  // the queue guarantees no order, so either episode may be published
  await checkNewAudio();

  const settled = await Promise.all(ids.map(get));
  const published = settled.find(({ status }) => status === 'published')!;
  const held = settled.find(({ status }) => status === 'on_hold')!;
  expect(held).toMatchObject({ failureReason: 'episode.public_exceeds_private' });
  await lucia.api.episodes.hold({ id: published.id });
  await lucia.api.episodes.release({ id: held.id });
  expect(await get(held.id)).toMatchObject({ status: 'published', failureReason: null });
});

test('making a published episode public is rejected if it would exceed the private ones', async () => {
  const { podcast, secret } = await paidPodcast('Type');
  const update = (id: number, type: 'public' | 'trailer') => lucia.api.episodes.update({ id, kind: 'podcast', type });
  const first = await make.draft(lucia, podcast, { name: 'First', type: 'trailer' });
  await checkNewAudio();

  await expect(update(secret.id, 'public')).toFailWith('episode.public_exceeds_private');
  await expect(update(first.id, 'public')).resolves.toMatchObject({ type: 'public' });

  expect(await get(secret.id)).toMatchObject({ type: 'private' });
});

test('a private episode may be published whatever the balance, and an unchanged type is not checked again', async () => {
  const { podcast, id } = await fullPodcast('Private', { status: 'published' });
  const more = await make.draft(lucia, podcast, { name: 'More', type: 'private' });
  await checkNewAudio();

  expect(await get(more.id)).toMatchObject({ status: 'published' });
  await expect(lucia.api.episodes.update({ id, kind: 'podcast', name: 'Renamed' })).resolves.toBeTruthy();
});

test('two public episodes published at once do not share the last free place', async () => {
  const { podcast } = await paidPodcast('At once');
  const ids: number[] = [];
  for (const name of ['One', 'Two']) ids.push((await make.draft(lucia, podcast, { name, type: 'trailer' })).id);
  await checkNewAudio();
  for (const id of ids) await write(id, { type: 'public', status: 'on_hold' });

  const outcomes = await Promise.allSettled(ids.map((id) => lucia.api.episodes.release({ id })));

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
