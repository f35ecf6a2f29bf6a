import { and, eq, isNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { members } from '~/db/schema/team';
import { describeProblem } from '~/server/base/problems';
import { measureMissing, recoverEpisodes, settleAudio } from '~/server/domain/episodes/audio-check';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { learnWords } from '~/server/domain/products/correct-words';
import { refreshPopularity } from '~/server/domain/products/discover-products';
import { markProductChanged } from '~/server/domain/products/mark-product-changed';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import type { Caller } from '~/server/trpc/caller';
import { createLog } from '~/server/watching/log';
import { cast } from '../support/cast';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { seededInts } from '../support/seeded-ints';

const { runtime, lucia, podcast, series, make, as, checkNewAudio } = await cast();
const { db } = runtime;
let deadlocks: string[] = [];
runtime.log = createLog('warn', {
  write: (line) => line.includes('deadlock: running') && deadlocks.push(line),
});
const job = systemCtx(runtime, 'storm');
const below = seededInts(deepSeed());
const ROUNDS = isDeep ? 20 * deepTimes : 2;
const CALLS = isDeep ? 60 : 24;
const KIND = 'podcast' as const;

const TRANSCRIPT = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHola\n').toString('base64');

type Show = { product: number; other: number; ids: number[]; batches: string[] };
type Change = (api: Caller, show: Show) => Promise<unknown>;

const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
const some = ({ ids }: Show) => [...ids].sort(() => below(3) - 1).slice(0, 1 + below(ids.length));
const change = (action: 'publish' | 'private' | 'hold' | 'delete') => async (api: Caller, show: Show) => {
  const { batchId } = await api.episodes.change({ productId: show.product, action, ids: some(show) });
  if (batchId) show.batches.push(batchId);
};

const CHANGES: Change[] = [
  (api, { ids }) => api.episodes.release({ id: pick(ids) }),
  (api, { ids }) => api.episodes.hold({ id: pick(ids) }),
  (api, { ids }) => api.episodes.remove({ id: pick(ids) }),
  (api, { ids }) => api.episodes.restore({ id: pick(ids) }),
  (api, { ids }) => api.episodes.restore({ id: pick(ids) }),
  (api, { ids }) => api.episodes.duplicate({ id: pick(ids) }),
  (api, { ids }) =>
    api.episodes.update({ id: pick(ids), kind: KIND, type: pick(['private', 'trailer', 'public'] as const) }),
  (api, { ids }) => api.episodes.update({ id: pick(ids), kind: KIND, slug: `slug-${below(4)}` }),
  (api, { ids }) =>
    api.episodes.update({ id: pick(ids), kind: KIND, slug: `slug-${below(4)}`, type: pick(['private', 'public']) }),
  (api, { ids }) => api.episodes.cutPromo({ id: pick(ids), startMs: 0, endMs: 1000 }),
  (api, { ids }) => api.episodes.removePromo({ id: pick(ids) }),
  (api, { ids }) => api.episodes.uploadTranscript({ id: pick(ids), fileName: 'a.vtt', content: TRANSCRIPT }),
  (api, { ids }) => api.episodes.removeTranscript({ id: pick(ids) }),
  async (api, { ids }) => {
    const id = pick(ids);
    const found = await api.episodes.transcript({ id });
    return found && api.transcripts.restore({ id, editOf: found.updatedAt });
  },
  (api, { product }) => api.products.update({ id: product, kind: KIND, price: pick(['', '5.00', '7.00']) }),
  (api, { product }) => api.products.update({ id: product, kind: KIND, slug: `show-${below(3)}` }),
  (api, { product }) => pick([api.products.archive, api.products.unarchive])({ id: product, kind: KIND }),
  (api, { other }) => api.products.update({ id: other, kind: KIND, slug: `show-${below(3)}` }),
  (api) => api.creators.update({ name: `Lucía ${below(3)}` }),
  (_, { ids }) => settleAudio(job, pick(ids)),
  (_, { ids }) => publishDue(job, { episodeId: pick(ids) }),
  () => pick([recoverEpisodes, measureMissing, learnWords, refreshPopularity])(job),
  change('publish'),
  change('private'),
  change('hold'),
  change('delete'),
  async (api, show) => show.batches.length > 0 && api.episodes.undoChange({ batchId: pick(show.batches) }),
];

async function newShow(): Promise<Show> {
  const show = await make.product(lucia);
  const drafts = [];
  for (const type of ['private', 'private', 'public', 'trailer'] as const)
    drafts.push(await make.draft(lucia, { id: show.id, kind: KIND }, { type }));
  await checkNewAudio();
  const other = await make.product(lucia);
  return { product: show.id, other: other.id, ids: drafts.map(({ id }) => id), batches: [] };
}

/** The owner and an editor of the team. */
async function callers(): Promise<Caller[]> {
  const editor = await make.person();
  await db.insert(members).values({ creatorId: lucia.creatorId, userId: editor.id, role: 'editor' });
  await editor.api.team.switch({ creatorId: lucia.creatorId });
  return [await as(lucia), editor.api];
}

test(`whatever two people change about a show at the same time, no call fails with an error of the database`, {
  timeout: 1_800_000,
}, async () => {
  const people = await callers();
  deadlocks = [];
  const unexpected: string[] = [];
  let succeeded = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const show = await newShow();
    const calls = Array.from({ length: CALLS }, () => pick(CHANGES)(pick(people), show));
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'fulfilled') succeeded += 1;
      else if (describeProblem(result.reason).unexpected) unexpected.push(describeFault(result.reason));
    }
    const slugs = await db
      .select({ slug: episodes.slug })
      .from(episodes)
      .where(and(eq(episodes.productId, show.product), isNull(episodes.deletedAt)))
      .orderBy(episodes.id);
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(slugs.length);
  }

  expect(unexpected).toEqual([]);
  // deadlocks would be retried, but a fixed order of locks prevents them
  expect(deadlocks).toEqual([]);
  expect(succeeded).toBeGreaterThan((ROUNDS * CALLS) / 8);
});

test('a transaction that the database aborts to end a deadlock runs again', async () => {
  let runs = 0;
  let bothLocked = () => {};
  const locked = new Promise<void>((resolve) => (bothLocked = resolve));
  const lockBoth = (first: number, second: number) =>
    transact(job, async (tx) => {
      await tx.db.execute(sql`set local deadlock_timeout = '20ms'`);
      await markProductChanged(tx, first);
      runs += 1;
      if (runs === 2) bothLocked();
      await locked;
      await markProductChanged(tx, second);
    });
  deadlocks = [];

  await Promise.all([lockBoth(podcast.id, series.id), lockBoth(series.id, podcast.id)]);

  expect(runs).toBe(3);
  expect(deadlocks).toHaveLength(1);
});

/** The error with its causes; the last one comes from the database. */
function describeFault(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  return messages.join(' ← ');
}
