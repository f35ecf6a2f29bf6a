import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { campaignClips, campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { campaignRow, insertClip } from '../../support/campaigns';
import { cast } from '../../support/cast';

const { runtime, make, clock } = await cast({ empty: true });
const { db } = runtime;
const owner = await make.creator({ timeZone: 'Pacific/Auckland' });
const show = await make.product(owner);
const episodes = (await make.episodes(show, 4)).map(({ id }) => id);
const clip = await insertClip(db, owner.creatorId);

beforeEach(async () => {
  await db.delete(campaignEpisodes);
  await db.delete(campaignClips);
  await db.delete(insertionCampaigns);
});

type Over = Parameters<typeof campaignRow>[1];
async function campaign(over: Over, chosen: number[] = []) {
  const selection = chosen.length > 0 ? 'chosen' : 'all';
  const row = campaignRow({ creatorId: owner.creatorId, productId: show.id }, { selection, ...over });
  const [saved] = await db.insert(insertionCampaigns).values(row).returning();
  const campaignId = saved!.id;
  await db.insert(campaignClips).values({ campaignId, clipId: clip, rank: 0 });
  if (chosen.length > 0)
    await db.insert(campaignEpisodes).values(chosen.map((episodeId) => ({ campaignId, episodeId })));
  return campaignId;
}
const silencerOf = async (id: number) => {
  const { items } = await owner.api.campaigns.list({ productId: show.id });
  return items.find((item) => item.id === id)!.silencedBy?.id ?? null;
};

test.each([
  ['all of its chosen episodes', [0, 1, 2], [1, 2], true],
  ['the same chosen episodes', [1, 2], [1, 2], true],
  ['some of its chosen episodes', [0, 1], [1, 2], false],
  ['other episodes', [0], [1, 2], false],
  ['all episodes', [], [1, 2], true],
  ['chosen episodes only', [0, 1], [], false],
])('a campaign is not heard if another one plays its clip before it in %s', async (_, ofFirst, ofLast, isSilent) => {
  const idsOf = (places: number[]) => places.map((place) => episodes[place]!);
  const first = await campaign({ place: 'pre' }, idsOf(ofFirst));
  const last = await campaign({ place: 'post' }, idsOf(ofLast));

  expect(await silencerOf(last)).toBe(isSilent ? first : null);
  expect(await silencerOf(first)).toBeNull();
});

test('a campaign is heard again on the day after the last one of the campaign before it, and once its cap is full', async () => {
  // 16 November in Auckland
  clock.now = new Date('2026-11-15T12:00:00Z');
  const first = await campaign({ place: 'pre', lastDay: '2026-11-16', cap: 10 });
  const last = await campaign({ place: 'post' });
  const change = (values: Over) => db.update(insertionCampaigns).set(values!).where(eq(insertionCampaigns.id, first));

  expect(await silencerOf(last)).toBe(first);
  await change({ lastDay: '2026-11-15' });
  expect(await silencerOf(last)).toBeNull();
  await change({ lastDay: '2026-11-16', impressions: 10 });
  expect(await silencerOf(last)).toBeNull();
});
