import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { DAYS, later, SECONDS } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { recoverEpisodes } from '~/server/domain/episodes/audio-check';
import { openToAll } from '~/server/domain/episodes/early-access';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { openEpisode } from '~/server/queue/jobs/episodes';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock, lucia, tom, visitor, visitorCtx, make, podcast, paidPodcast } = await cast();
const { db, queue } = runtime;
const kind = 'podcast' as const;
const ctx = () => systemCtx(runtime, 'test');
const subscription = { userId: tom.id, productId: paidPodcast.id, source: 'subscription' } as const;
await transact(visitorCtx(), (tx) => grantAccess(tx, subscription));
await make.episodes(paidPodcast, 5, () => ({ type: 'private' }));
for (const { id } of [podcast, paidPodcast]) await lucia.api.products.update({ id, kind, earlyAccessDays: 3 });

let drafts = 0;
const draft = async (product = paidPodcast, over: { type?: 'trailer' | 'private' } = {}) => {
  drafts += 1;
  const slug = `draft-${drafts}`;
  return (await make.episodes(product, 1, () => ({ slug, status: 'on_hold', type: 'public', ...over })))[0]!.id;
};
const release = (id: number) => lucia.api.episodes.release({ id, kind, releaseDate: null });
const canHear = async (id: number) =>
  Promise.all([visitor, tom.api, lucia.api].map(async (api) => (await api.episodes.get({ id })).hasAccess));
const inFeed = async (id: number) => {
  const feed = await publicFeed(runtime, { domain: lucia.domain!, slug: paidPodcast.slug });
  const guids: string[] = [];
  if ('pages' in feed) for await (const page of feed.pages) guids.push(...page.map(({ guid }) => guid));
  const [row] = await db.select().from(episodes).where(eq(episodes.id, id));
  return guids.includes(row!.guid);
};
const jobsFor = async (id: number) =>
  ((await queue.boss.fetch(openEpisode.name, { batchSize: 100, ignoreStartAfter: true })) ?? []).filter(
    ({ data }) => (data as { episodeId: number }).episodeId === id,
  );

test('a public episode is for subscribers first, and opens to all visitors when its days are over', async () => {
  const id = await draft();
  await release(id);
  const start = clock.now;
  const [jobs, early, feed] = [await jobsFor(id), await canHear(id), await inFeed(id)];

  clock.now = later(start, DAYS(3) - SECONDS(1));
  await openToAll(ctx(), { episodeId: id });
  const before = await canHear(id);
  clock.now = later(start, DAYS(3));
  await Promise.all([1, 2].map(() => openToAll(ctx(), { episodeId: id })));

  expect([early, before, feed]).toEqual([[false, true, true], [false, true, true], false]);
  expect(jobs).toHaveLength(1);
  expect([await canHear(id), await inFeed(id)]).toEqual([[true, true, true], true]);
  clock.now = start;
});

test('trailers, private episodes, free shows and old dates have no early access, and neither has a second release', async () => {
  const start = clock.now;
  const ids = [
    await draft(paidPodcast, { type: 'trailer' }),
    await draft(paidPodcast, { type: 'private' }),
    await draft(podcast),
  ];
  for (const id of ids) await release(id);
  const again = await draft();
  await release(again);
  clock.now = later(start, DAYS(4));
  await openToAll(ctx(), { episodeId: again });
  await lucia.api.episodes.hold({ id: again, kind });
  await release(again);

  const rows = await Promise.all([...ids, again].map((id) => db.select().from(episodes).where(eq(episodes.id, id))));

  expect(rows.map(([row]) => row!.earlyUntil)).toEqual([null, null, null, null]);
  clock.now = start;
});

test('an episode whose job was lost is found again', async () => {
  const start = clock.now;
  const id = await draft();
  await release(id);
  await jobsFor(id);

  clock.now = later(start, DAYS(4));
  await recoverEpisodes(ctx());

  expect(await jobsFor(id)).toHaveLength(1);
  clock.now = start;
});
