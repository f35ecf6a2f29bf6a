import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, earlier, HOURS, later } from '~/server/base/time';
import { settleAudio } from '~/server/domain/episodes/audio-check';
import { assertChangesAllowed, balanceShift } from '~/server/domain/episodes/balance';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { type PlaceFacts, whereKept } from '~/server/policy/visibility';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import type { Creator } from '../../support/make';

const { runtime, clock, make, ctxOf, checkNewAudio } = await cast();
const start = clock.now;
const owner = await make.creator();
const { api } = owner;

type Row = Partial<typeof episodes.$inferInsert>;
const HELD = { status: 'on_hold', heldAt: start } as const;
const published: Row = { publishedAt: start, releaseAt: start };
let shows = 0;
/** A paid show with one published episode for each row. */
async function paidShow(...rows: Row[]) {
  const product = await make.product(owner, { priceMinor: 500, slug: `show-${++shows}` });
  const made = await make.episodes(product, rows.length, (i) => ({ ...published, ...rows[i] }));
  return { product, ids: made.map(({ id }) => id) };
}
const statusOf = async (id: number) =>
  (
    await runtime.db
      .select()
      .from(episodes)
      .where(and(eq(episodes.id, id), whereKept()))
  )[0]?.status ?? null;
const countOf = async (productId: number, type: 'public' | 'private') =>
  (
    await runtime.db
      .select()
      .from(episodes)
      .where(and(eq(episodes.productId, productId), whereKept()))
      .orderBy(episodes.id)
  ).filter((row) => row.type === type && row.status === 'published').length;
const update = (id: number, input: object) => api.episodes.update({ id, kind: 'podcast', ...input });
const failures = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));

const place = (
  type: PlaceFacts['type'],
  status: PlaceFacts['status'] = 'published',
  over: Partial<PlaceFacts> = {},
) => ({
  ...{ type, status, publishedAt: status === 'published' ? start : null, heldAt: null, deletedAt: null },
  ...over,
});
test.each<[string, PlaceFacts | null, PlaceFacts | null, number]>([
  ['a new public episode', null, place('public'), 1],
  ['a new private episode', null, place('private'), -1],
  ['a new trailer', null, place('trailer'), 0],
  ['a deleted private episode', place('private'), null, 1],
  ['a deleted draft', place('private', 'on_hold'), null, 0],
  ['private to public', place('private'), place('public'), 2],
  ['private to trailer', place('private'), place('trailer'), 1],
  ['public to private', place('public'), place('private'), -2],
  ['an unpublished private episode', place('private'), place('private', 'on_hold', { heldAt: start }), 1],
  ['another file', place('private'), place('private', 'in_progress', { publishedAt: start }), 0],
  [
    'another file that does not pass',
    place('private', 'in_progress', { publishedAt: start }),
    place('private', 'failed', { publishedAt: start }),
    0,
  ],
  [
    'another file, on hold',
    place('private'),
    place('private', 'in_progress', { publishedAt: start, heldAt: start }),
    1,
  ],
  ['a restored public episode', place('public', 'published', { deletedAt: start }), place('public'), 1],
])('the balance of public and private after %s', (_, from, to, shift) => {
  expect(balanceShift([{ from, to }])).toBe(shift);
});

test('a private episode stays while a public one needs it: neither deleted, unpublished, rescheduled nor retyped', async () => {
  const { ids } = await paidShow({ type: 'private' }, { type: 'public' });
  const id = ids[0]!;

  await expect(api.episodes.remove({ id })).toFailWith('episode.private_needed');
  await expect(api.episodes.hold({ id })).toFailWith('episode.private_needed');
  await expect(update(id, { releaseDate: later(start, DAYS(1)) })).toFailWith('episode.private_needed');
  await expect(update(id, { type: 'trailer' })).toFailWith('episode.private_needed');
  await expect(update(id, { type: 'public' })).toFailWith('episode.public_exceeds_private');
  const fileKey = await make.upload(owner, 'episode_audio');
  await expect(update(id, { fileKey, hold: true })).toFailWith('episode.private_needed');

  await update(ids[1]!, { type: 'trailer' });
  await api.episodes.remove({ id });
  expect(await statusOf(id)).toBeNull();
});

test('an episode keeps its place while another file is checked', async () => {
  const { product, ids } = await paidShow({ type: 'private' }, { type: 'public' });
  const { id: draft } = (await make.episodes(product, 1, () => ({ ...HELD, type: 'public', slug: 'draft' })))[0]!;

  for (const id of ids) await update(id, { fileKey: await make.upload(owner, 'episode_audio') });

  await expect(api.episodes.release({ id: draft })).toFailWith('episode.public_exceeds_private');
  await expect(api.episodes.remove({ id: ids[0]! })).toFailWith('episode.private_needed');
  await checkNewAudio();
  expect([await statusOf(ids[0]!), await statusOf(ids[1]!)]).toEqual(['published', 'published']);
});

test('a price leaves public episodes as they are, and changes may only improve the balance', async () => {
  const show = await make.product(owner, { slug: 'once-free' });
  const made = await make.episodes(show, 3, (i) => ({ ...published, ...(i === 2 && { ...HELD }) }));
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, show.id));
  const [first, second, held] = made.map(({ id }) => id) as [number, number, number];

  await expect(api.episodes.release({ id: held })).toFailWith('episode.public_exceeds_private');
  await expect(update(first, { name: 'Renamed' })).resolves.toBeTruthy();
  await update(first, { type: 'private' });
  await api.episodes.hold({ id: second });

  await api.episodes.release({ id: second });
  expect(await countOf(show.id, 'public')).toBe(1);
});

test('a set of changes counts as a whole', async () => {
  const { product, ids } = await paidShow({ type: 'private' }, { type: 'public' });
  const swap = (types: Record<number, 'public' | 'private' | 'trailer'>) =>
    transact(ctxOf(owner), async (tx) => {
      const before = await tx.db.select().from(episodes).where(eq(episodes.productId, product.id)).orderBy(episodes.id);
      for (const [id, type] of Object.entries(types)) {
        await tx.db
          .update(episodes)
          .set({ type })
          .where(eq(episodes.id, Number(id)));
      }
      const after = await tx.db.select().from(episodes).where(eq(episodes.productId, product.id)).orderBy(episodes.id);
      const changes = before.map((from) => ({ from, to: after.find(({ id }) => id === from.id) ?? null }));
      await assertChangesAllowed(tx, product.id, changes);
    });

  await swap({ [ids[0]!]: 'public', [ids[1]!]: 'private' });
  await expect(swap({ [ids[0]!]: 'public', [ids[1]!]: 'trailer' })).toFailWith('episode.private_needed');

  expect([await countOf(product.id, 'public'), await countOf(product.id, 'private')]).toEqual([1, 1]);
});

const RACES: [string, Row[], (ids: number[]) => Promise<unknown>[]][] = [
  [
    'two public episodes for one place',
    [{ type: 'private' }, { ...HELD, type: 'public' }, { ...HELD, type: 'public' }],
    ([, a, b]) => [api.episodes.release({ id: a! }), api.episodes.release({ id: b! })],
  ],
  [
    'a private episode deleted while a public one is published',
    [{ type: 'private' }, { ...HELD, type: 'public' }],
    ([a, b]) => [api.episodes.remove({ id: a! }), api.episodes.release({ id: b! })],
  ],
  [
    'a private episode unpublished while a public one is published',
    [{ type: 'private' }, { ...HELD, type: 'public' }],
    ([a, b]) => [api.episodes.hold({ id: a! }), api.episodes.release({ id: b! })],
  ],
  [
    'two private episodes made public at once',
    [{ type: 'private' }, { type: 'private' }],
    ([a, b]) => [update(a!, { type: 'public' }), update(b!, { type: 'public' })],
  ],
  [
    'a private episode made a trailer while a trailer is made public',
    [{ type: 'private' }, { type: 'trailer' }],
    ([a, b]) => [update(a!, { type: 'trailer' }), update(b!, { type: 'public' })],
  ],
];
test.each(RACES)('at once, %s: one fails', async (_, rows, attempt) => {
  for (let round = 0; round < 3; round++) {
    const { product, ids } = await paidShow(...rows);

    const failed = failures(await Promise.allSettled(attempt(ids)));

    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/^episode\.(?:public_exceeds_private|private_needed)$/);
    const [open, secret] = [await countOf(product.id, 'public'), await countOf(product.id, 'private')];
    expect(open).toBeLessThanOrEqual(secret);
  }
});

/** A creator after the trial, with a draft and a free show that has this many published episodes. */
async function freeCreator(count: number) {
  const creator = await make.creator();
  const claimedAt = earlier(start, DAYS(15));
  await runtime.db.update(creators).set({ claimedAt }).where(eq(creators.id, creator.creatorId));
  const show = await make.product(creator);
  const made = await make.episodes(show, count + 2, (i) => ({ ...published, ...(i >= count && HELD) }));
  return { creator, show, ids: made.map(({ id }) => id) };
}
const release = (creator: Creator, id: number) => creator.api.episodes.release({ id });

test('FREE publishes ten episodes, and no eleventh', async () => {
  const { creator, show, ids } = await freeCreator(9);

  await release(creator, ids[9]!);
  await expect(release(creator, ids[10]!)).toFailWith('episode.max_free_reached');
  await expect(make.draft(creator, show)).toFailWith('episode.max_free_reached');
  await expect(make.draft(creator, show, { type: 'trailer' })).toFailWith('episode.max_free_reached');
  await expect(make.draft(creator, show, { hold: true })).resolves.toMatchObject({ status: 'in_progress' });

  await creator.api.episodes.remove({ id: ids[0]! });
  await expect(release(creator, ids[10]!)).resolves.toMatchObject({ status: 'published' });
});

test('FREE allows the tenth episode when two drafts are published at once', async () => {
  const { creator, ids } = await freeCreator(9);

  const outcomes = await Promise.allSettled([release(creator, ids[9]!), release(creator, ids[10]!)]);

  expect(failures(outcomes)).toEqual(['episode.max_free_reached']);
});

test('after the trial, everything published stays, and its audio can be replaced', async () => {
  const { creator, ids } = await freeCreator(12);
  const fileKey = await make.upload(creator, 'episode_audio');

  await creator.api.episodes.update({ id: ids[0]!, kind: 'podcast', fileKey, name: 'Better sound' });
  await checkNewAudio();

  expect(await statusOf(ids[0]!)).toBe('published');
  await creator.api.episodes.hold({ id: ids[1]! });
  await expect(release(creator, ids[1]!)).toFailWith('episode.max_free_reached');
});

test('a scheduled episode beyond the limit goes on hold with the reason', async () => {
  const { creator, ids } = await freeCreator(10);
  const at = later(start, HOURS(1));
  await creator.api.episodes.release({ id: ids[10]!, releaseDate: at });
  clock.now = at;

  await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: ids[10]! });

  clock.now = start;
  const found = await creator.api.episodes.forEditing({ id: ids[10]! });
  expect(found).toMatchObject({
    status: 'on_hold',
    failureReason: 'episode.max_free_reached',
    failureParams: { plan: 'Free', count: 10 },
  });
});

test('another file can not lift a hold beyond the limit', async () => {
  const { creator, ids } = await freeCreator(10);
  const id = ids[10]!;
  const fileKey = await make.upload(creator, 'episode_audio');

  await creator.api.episodes.update({ id, kind: 'podcast', fileKey, hold: false }).catch(() => null);
  await settleAudio(systemCtx(runtime, 'episodes.check-audio'), id);

  expect(await statusOf(id)).toBe('on_hold');
});
