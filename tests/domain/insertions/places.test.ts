import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { insertionPoints } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { applyTemplate as apply } from '~/server/domain/insertions/apply-template';
import { prepareEpisode as prepare } from '~/server/domain/insertions/prepare-episode';
import { applyTemplate, prepareEpisode, refreshServed } from '~/server/queue/jobs/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';

const { runtime, lucia, ada, make } = await cast();
const { db, ports } = runtime;

const silence = (atMs: number, lengthMs = 600) => ({ startMs: atMs - lengthMs / 2, endMs: atMs + lengthMs / 2 });
const PAUSES = [silence(61_000), silence(290_000), silence(300_000, 350), silence(560_000)];

/** An episode of ten minutes whose pauses are measured. */
async function measured(show: { id: number; creatorId: number }, over: Partial<typeof episodes.$inferInsert> = {}) {
  const unique = Math.random().toString(16).slice(2);
  const peaksKey = `audio/${show.creatorId}/peaks-${unique}.json`;
  const waveform = { durationMs: 600_000, zooms: [], silences: PAUSES };
  await ports.storage.put(peaksKey, Buffer.from(JSON.stringify(waveform)), { contentType: 'application/json' });
  const values = { peaksKey, durationMs: 600_000, slug: `e-${unique}`, audioKey: `audio/${unique}.mp3`, ...over };
  const [row] = await make.episodes(show, 1, () => values);
  return row!;
}

const newShow = () => make.product(lucia);
const pointsOf = async (id: number) =>
  (await lucia.api.insertionPoints.ofEpisode({ id })).points.map(({ atMs, origin }) => [atMs, origin]);
const applyAll = async () => {
  for (;;) {
    const count = await runJobs(runtime, applyTemplate.name, (payload: { productId: number }, ctx) =>
      apply(ctx, payload),
    );
    if (count === 0) return;
  }
};
const prepareNow = (id: number) => prepare(systemCtx(runtime, prepareEpisode.name), id);

test('a creator marks mid-rolls, which are numbered by their time', async () => {
  const { id } = await measured(await newShow());
  await runJobs(runtime, refreshServed.name, async () => {});

  const saved = await lucia.api.insertionPoints.save({ id, points: [290_000, '1:01'] });

  expect(saved).toMatchObject({
    points: [
      { number: 1, atMs: 61_000, origin: 'creator', isOfFormerFile: false },
      { number: 2, atMs: 290_000 },
    ],
    pauses: [{ atMs: 61_000 }, { atMs: 290_000 }, { atMs: 560_000 }],
  });
  expect(await runJobs(runtime, refreshServed.name, async () => {})).toBe(1);
  expect((await lucia.api.insertionPoints.save({ id, points: [] })).points).toEqual([]);
});

test.each([
  ['before the start', [4999], 'point.outside'],
  ['after the end', [595_001], 'point.outside'],
  ['too near to each other', [100_000, 109_999], 'point.too_close'],
  ['too many', Array.from({ length: 21 }, (_, i) => 10_000 + i * 10_000), 'point.over_limit'],
])('points are refused: %s', async (_, points, code) => {
  const { id } = await measured(await newShow());

  await expect(lucia.api.insertionPoints.save({ id, points })).toFailWith(code);
});

test('points belong to the team of the episode, and need a plan', async () => {
  const { id, productId } = await measured(await newShow());
  const owner = await make.creator();
  await db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE' });
  const own = await measured(await make.product(owner));

  await expect(ada.api.insertionPoints.ofEpisode({ id })).toFailWith('episode.not_found');
  await expect(ada.api.insertionPoints.save({ id, points: [] })).toFailWith('episode.not_found');
  await expect(ada.api.insertionPoints.toReview({ productId })).toFailWith('episode.not_found');
  await expect(ada.api.insertionPoints.saveSlots({ productId, rules: [] })).toFailWith('product.not_found');
  await expect(owner.api.insertionPoints.save({ id: own.id, points: [] })).toFailWith('plan.insertions_required');
  await expect(owner.api.insertionPoints.saveSlots({ productId: own.productId, rules: [] })).toFailWith(
    'plan.insertions_required',
  );
});

test('a template marks all episodes of a show, except those that the creator has marked', async () => {
  const show = await newShow();
  const all = await Promise.all(Array.from({ length: 52 }, () => measured(show)));
  const [own, ...others] = all;
  await lucia.api.insertionPoints.save({ id: own!.id, points: [100_000] });
  const chapters = [
    { startMs: 0, title: 'Intro' },
    { startMs: 62_000, title: 'Talk' },
  ].map((each) => ({
    ...each,
    url: null,
    imageKey: null,
  }));
  await db.insert(episodeChapters).values({ episodeId: others[0]!.id, chapters });

  await lucia.api.insertionPoints.saveSlots({ productId: show.id, rules: ['before_end', 'after_intro'] });
  await applyAll();

  expect(await lucia.api.insertionPoints.slots({ productId: show.id })).toEqual({
    rules: ['after_intro', 'before_end'],
  });
  expect(await pointsOf(own!.id)).toEqual([[100_000, 'creator']]);
  expect(await pointsOf(others[0]!.id)).toEqual([
    [61_000, 'template'],
    [560_000, 'template'],
  ]);
  expect(await pointsOf(others.at(-1)!.id)).toEqual([[560_000, 'template']]);
  const review = await lucia.api.insertionPoints.toReview({ productId: show.id, number: 2 });
  expect(review).toMatchObject({ total: 51 });
  expect(review.items.map(({ id }) => id)).not.toContain(others[0]!.id);

  await lucia.api.insertionPoints.saveSlots({ productId: show.id, rules: ['near_middle'] });
  await applyAll();
  expect(await pointsOf(others[0]!.id)).toEqual([[290_000, 'template']]);
});

test('a page of episodes to look at continues after the last one shown, even when episodes leave the list', async () => {
  const show = await newShow();
  const releases = ['2026-11-03', null, '2026-11-01', '2026-11-03', '2026-11-02'];
  const ids: number[] = [];
  for (const day of releases) {
    const { id } = await measured(show);
    await db
      .update(episodes)
      .set(day === null ? { releaseAt: null, status: 'on_hold' } : { releaseAt: new Date(day) })
      .where(eq(episodes.id, id));
    ids.push(id);
  }
  const page = async (after?: number) => {
    const found = await lucia.api.insertionPoints.toReview({ productId: show.id, pageSize: 2, after });
    return { ids: found.items.map(({ id }) => ids.indexOf(id)), after: found.after, total: found.total };
  };

  const first = await page();
  expect(first).toEqual({ ids: [1, 3], after: ids[3], total: 5 });
  await lucia.api.insertionPoints.save({ id: ids[3]!, points: [290_000] });
  const second = await page(first.after!);
  expect(second).toEqual({ ids: [0, 4], after: ids[4], total: 4 });
  expect(await page(second.after!)).toEqual({ ids: [2], after: null, total: 4 });
  const other = await measured(await newShow());
  expect((await page(other.id)).ids).toEqual([]);
});

test('a new episode gets its points once its sound is measured, also twice', async () => {
  const show = await newShow();
  await lucia.api.insertionPoints.saveSlots({ productId: show.id, rules: ['near_middle'] });
  const { id } = await measured(show);

  await Promise.all([prepareNow(id), prepareNow(id)]);

  expect(await pointsOf(id)).toEqual([[290_000, 'template']]);
});

test('a new file makes new points; marked ones stay if it is long enough, and wait for a look', async () => {
  const show = await newShow();
  await lucia.api.insertionPoints.saveSlots({ productId: show.id, rules: ['near_middle'] });
  const [own, other] = [await measured(show), await measured(show)];
  await lucia.api.insertionPoints.save({ id: own.id, points: [290_000, 560_000] });
  await prepareNow(other.id);
  const replace = (id: number) =>
    db
      .update(episodes)
      .set({ audioKey: `audio/new-${id}.mp3`, durationMs: 450_000 })
      .where(eq(episodes.id, id));
  await Promise.all([replace(own.id), replace(other.id)]);

  await prepareNow(own.id);
  await prepareNow(other.id);

  expect((await lucia.api.insertionPoints.ofEpisode({ id: own.id })).points).toMatchObject([
    { atMs: 290_000, origin: 'creator', isOfFormerFile: true },
  ]);
  expect((await lucia.api.insertionPoints.ofEpisode({ id: other.id })).points).toMatchObject([
    { atMs: 290_000, origin: 'template', isOfFormerFile: false },
  ]);
  expect((await lucia.api.insertionPoints.toReview({ productId: show.id })).items).toMatchObject([
    { id: own.id, points: 1, hasFormer: true, isMeasured: true },
  ]);
  expect(await db.$count(insertionPoints, eq(insertionPoints.episodeId, own.id))).toBe(1);
});
