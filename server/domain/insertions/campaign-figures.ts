import { and, asc, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays } from '~/db/schema/renditions';
import { dayAfter, dayIn } from '../../base/time';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findCampaignRecord } from './queries';
import type { FindCampaign } from './schema';

type Count = { key: string; impressions: number };
/**
 * Impressions of a campaign. `days`: days of the creator's time zone without a gap, from the first impression on, the
 * latest `CAMPAIGN_LIMITS.days`, until today or the end of the campaign. `isLastDayOpen`: the last one is not over yet.
 * `countries`, `apps`: with an empty key where they are not known. The other parts are of
 * all days.
 */
export type CampaignFigures = {
  total: number;
  days: { day: string; impressions: number }[];
  isLastDayOpen: boolean;
  episodes: { id: number; name: string; impressions: number }[];
  countries: Count[];
  apps: Count[];
};

/** @throws campaign.not_found, common.role_not_allowed */
export async function showCampaignFigures(ctx: Ctx, { id }: FindCampaign): Promise<CampaignFigures> {
  const { campaign } = await findCampaignRecord(ctx, id);
  authorize(ctx, 'campaign.read', campaign);
  return readCampaignFigures(ctx, id);
}

/**
 * For callers who have checked that they may be read. `sponsor`: for the report, which names no episodes that nobody can
 * hear now, and private ones only with `namesPrivate`. All impressions are in the other parts.
 */
export async function readCampaignFigures(
  ctx: Pick<Ctx, 'db' | 'now'>,
  id: number,
  { sponsor }: { sponsor?: { namesPrivate: boolean } } = {},
): Promise<CampaignFigures> {
  const [byDay, byEpisode, countries, apps] = await Promise.all([
    ctx.db
      .select({ day: impressionDays.day, impressions: SUM })
      .from(impressionDays)
      .where(eq(impressionDays.campaignId, id))
      .groupBy(impressionDays.day)
      .orderBy(desc(impressionDays.day))
      .limit(CAMPAIGN_LIMITS.days),
    ctx.db
      .select({ id: episodes.id, name: episodes.name, impressions: SUM })
      .from(impressionDays)
      .innerJoin(episodes, eq(episodes.id, impressionDays.episodeId))
      .where(and(eq(impressionDays.campaignId, id), sponsor && isNamed(sponsor)))
      .groupBy(episodes.id, episodes.name)
      .orderBy(desc(SUM), asc(episodes.id))
      .limit(CAMPAIGN_LIMITS.slices),
    sumBy(ctx, id, 'country'),
    sumBy(ctx, id, 'app'),
  ]);
  const [campaign] = await ctx.db
    .select({ ...ENDS, impressions: insertionCampaigns.impressions, zone: creators.timeZone })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(eq(insertionCampaigns.id, id));
  const { impressions = 0, zone = 'UTC', lastDay = null, endedAt = null } = campaign ?? {};
  const today = dayIn(ctx.now(), zone);
  const ends = [lastDay, endedAt && dayIn(endedAt, zone)].filter((day) => day !== null).sort();
  const days = withoutGaps(byDay, ends[0] !== undefined && ends[0] < today ? ends[0] : today);
  return {
    ...{ total: impressions, days, isLastDayOpen: endedAt === null && days.at(-1)?.day === today },
    ...{ episodes: byEpisode, countries, apps },
  };
}

const ENDS = { lastDay: insertionCampaigns.lastDay, endedAt: insertionCampaigns.endedAt };

/** Like the latest episodes of a sponsor's page (statistics/sponsor-page.ts). */
const isNamed = ({ namesPrivate }: { namesPrivate: boolean }) =>
  and(
    eq(episodes.status, 'published'),
    whereKept(),
    isNull(episodes.takenDownAt),
    namesPrivate ? undefined : ne(episodes.type, 'private'),
  );

const SUM = sql<number>`sum(${impressionDays.impressions})::float8`;

function sumBy({ db }: Pick<Ctx, 'db'>, id: number, column: 'country' | 'app'): Promise<Count[]> {
  return db
    .select({ key: impressionDays[column], impressions: SUM })
    .from(impressionDays)
    .where(eq(impressionDays.campaignId, id))
    .groupBy(impressionDays[column])
    .orderBy(desc(SUM), asc(impressionDays[column]))
    .limit(CAMPAIGN_LIMITS.slices);
}

/** Until a day, or the latest one with an impression: downloads that began while the campaign ran count later, too. */
function withoutGaps(found: CampaignFigures['days'], until: string): CampaignFigures['days'] {
  const first = found.at(-1)?.day;
  if (first === undefined) return [];
  const last = found[0]!.day > until ? found[0]!.day : until;
  const counts = new Map(found.map(({ day, impressions }) => [day, impressions]));
  const days: CampaignFigures['days'] = [];
  for (let day = first; day <= last && days.length < CAMPAIGN_LIMITS.days; day = dayAfter(day, 1))
    days.push({ day, impressions: counts.get(day) ?? 0 });
  return days;
}
