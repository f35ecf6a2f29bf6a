import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertionCampaigns } from '~/db/schema/insertions';
import { downloads, listeningDays } from '~/db/schema/listening';
import { impressionDays } from '~/db/schema/renditions';
import { campaignRow } from '../../support/campaigns';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, make, clock } = await cast();
const { db } = runtime;
clock.now = new Date('2026-11-15T12:00:00Z');
const owner = await make.creator({ name: 'Lucía' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas' });
const episodes = await make.episodes(show, 2, (i) => ({ slug: `parte-${i}` }));

test('figures are sums by day, episode, country and app', async () => {
  const own = { creatorId: owner.creatorId, productId: show.id };
  const [campaign] = await db
    .insert(insertionCampaigns)
    .values(campaignRow(own, { impressions: 6 }))
    .returning();
  const { id } = campaign!;
  const [one, two] = episodes.map((episode) => episode.id);
  const row = (day: string, episodeId: number, country: string, impressions: number) => ({
    ...{ campaignId: id, day, episodeId, country, app: country ? 'spotify' : '', impressions },
  });
  await db
    .insert(impressionDays)
    .values([row('2026-11-12', one!, 'ES', 3), row('2026-11-12', two!, '', 2), row('2026-11-14', one!, 'ES', 1)]);

  expect(await owner.api.campaigns.figures({ id })).toEqual({
    total: 6,
    days: [
      { day: '2026-11-12', impressions: 5 },
      { day: '2026-11-13', impressions: 0 },
      { day: '2026-11-14', impressions: 1 },
      { day: '2026-11-15', impressions: 0 },
    ],
    isLastDayOpen: true,
    episodes: [
      { id: one, name: episodes[0]!.name, impressions: 4 },
      { id: two, name: episodes[1]!.name, impressions: 2 },
    ],
    countries: [
      { key: 'ES', impressions: 4 },
      { key: '', impressions: 2 },
    ],
    apps: [
      { key: 'spotify', impressions: 4 },
      { key: '', impressions: 2 },
    ],
  });
  await expect(other.api.campaigns.figures({ id })).toFailWith('campaign.not_found');
});

test.each([
  ['its last day', { lastDay: '2026-11-13' }, '2026-11-13'],
  ['the day on which it was ended', { endedAt: new Date('2026-11-13T12:00:00Z') }, '2026-11-13'],
  ['a late impression', { lastDay: '2026-11-11' }, '2026-11-12'],
])('the figures of a campaign that is over end with %s', async (_, over, last) => {
  const own = { creatorId: owner.creatorId, productId: show.id };
  const [campaign] = await db.insert(insertionCampaigns).values(campaignRow(own, over)).returning();
  const { id } = campaign!;
  const row = { campaignId: id, day: '2026-11-12', episodeId: episodes[0]!.id, country: 'ES', app: 'spotify' };
  await db.insert(impressionDays).values({ ...row, impressions: 3 });

  const { days, isLastDayOpen } = await owner.api.campaigns.figures({ id });

  expect(days.at(-1)!.day).toBe(last);
  expect(isLastDayOpen).toBe(false);
});

async function insertDownloads(
  day: string,
  countries: Record<string, number>,
  over: Partial<typeof downloads.$inferInsert> = {},
) {
  const firstAt = new Date(`${day}T13:00:00Z`);
  const row = { creatorId: owner.creatorId, productId: show.id, episodeId: episodes[0]!.id, userAgent: 'a' };
  const rows = Object.entries(countries).flatMap(([country, count]) =>
    Array.from({ length: count }, () => ({
      ...{ ...row, day, firstAt, countedAt: firstAt, country, neededBytes: 1, spans: '{}' },
      listenerKey: randomBytes(16),
      ...over,
    })),
  );
  await db.insert(downloads).values(rows);
}

test('a choice of countries reaches a part of the downloads of 30 days', async () => {
  await insertDownloads('2026-11-14', { ES: 7, MX: 3 });
  await insertDownloads('2026-10-17', { ES: 2 });
  await insertDownloads('2026-10-15', { ES: 5 });
  await insertDownloads('2026-11-13', { ES: 4 }, { countedAt: null });
  await insertDownloads('2026-11-13', { ES: 4 }, { productId: show.id + 1 });
  const reach = (countries: string[]) => owner.api.campaigns.reach({ productId: show.id, countries });

  expect(await reach(['ES'])).toEqual({ reached: 9, all: 12 });
  expect(await reach([])).toEqual({ reached: 12, all: 12 });
  expect(await reach(['AR'])).toEqual({ reached: 0, all: 12 });
  await expect(other.api.campaigns.reach({ productId: show.id })).toFailWith('product.not_found');
});

test('of a show with very many downloads, the sums of days say how many come from each country', async () => {
  await make.product(owner);
  const large = await make.product(owner);
  const row = { creatorId: owner.creatorId, productId: large.id };
  const sums = (day: string, plays: number, country: Record<string, number>, over = {}) =>
    db
      .insert(listeningDays)
      .values({ ...row, day, listens: 1000, downloads: plays - 1000, dimensions: { country }, ...over });
  await sums('2026-11-14', 90_000, { ES: 60_000, MX: 20_000 });
  await sums('2026-11-13', 20_000, { ES: 5000 });
  await sums('2026-10-15', 90_000, { ES: 90_000 });
  const reach = (countries: string[]) => owner.api.campaigns.reach({ productId: large.id, countries });

  expect(await reach(['ES'])).toEqual({ reached: 65_000, all: 110_000 });
  expect(await reach(['ES', 'MX'])).toEqual({ reached: 85_000, all: 110_000 });
  expect(await reach([])).toEqual({ reached: 110_000, all: 110_000 });

  // the countries of some days are in another store, so the rows are counted
  await sums('2026-11-12', 2000, {}, { elsewhere: { d: 1000 } });
  await insertDownloads('2026-11-14', { ES: 2, MX: 1 }, { productId: large.id });
  expect(await reach(['ES'])).toEqual({ reached: 2, all: 3 });
});
