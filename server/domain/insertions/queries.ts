import { and, eq, gte, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { clips, insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '../../base/time';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { campaignNotFound, clipNotFound } from './errors';

export type ClipRow = typeof clips.$inferSelect;

/** In the list of its creator's clips. Copies of other shows' promos play by agreement only, in their own campaigns. */
export const isOwnClip = (): SQL | undefined => and(isNull(clips.deletedAt), ne(clips.origin, 'promo'));

/** A clip that is in its creator's list. @throws clip.not_found */
export async function findClipRow(ctx: Pick<Ctx, 'db'>, id: number): Promise<ClipRow> {
  const [row] = await ctx.db
    .select()
    .from(clips)
    .where(and(eq(clips.id, id), isOwnClip()));
  if (!row) throw clipNotFound();
  return row;
}

/** The day at a time in the time zone of a creator, in a query with `creators`. */
export const localDay = (now: Date): SQL =>
  sql`(${now.toISOString()}::timestamptz at time zone ${creators.timeZone})::date`;

/** Campaigns that have not ended (rules.ts), in a query with `creators`. */
export const whereNotEnded = (now: Date): SQL | undefined => {
  const { deletedAt, endedAt, lastDay, cap, impressions } = insertionCampaigns;
  const isBefore = or(isNull(lastDay), sql`${lastDay} >= ${localDay(now)}`);
  return and(isNull(deletedAt), isNull(endedAt), isBefore, or(isNull(cap), lt(impressions, cap)));
};

/** Campaigns that may play now or later. The last day is over everywhere on Earth a day after it is over in UTC. */
export const mayPlay = (now: Date): SQL | undefined => {
  const { isComplete, isActive, endedAt, deletedAt, lastDay } = insertionCampaigns;
  const isBefore = or(isNull(lastDay), gte(lastDay, utcDay(earlier(now, DAYS(1)))));
  return and(isComplete, isActive, isNull(endedAt), isNull(deletedAt), isBefore);
};

/**
 * Whether the cap of a campaign, in a query with `insertion_campaigns c`, has room for an impression on a day after
 * `more` others. A paced campaign has room for the day's share of what is left.
 */
export function hasRoom(today: string | SQL, more = 0): SQL {
  const counted = sql`coalesce((
    select sum(i.impressions) from impression_days i where i.campaign_id = c.id and i.day = ${today}::date), 0)`;
  const share = sql`ceil((c.cap - c.impressions + ${counted})::numeric / greatest(1, c.last_day - ${today}::date + 1))`;
  return sql`c.impressions + c.reserved + ${more}::int < c.cap
    and (not c.is_paced or c.last_day is null or c.reserved + ${more}::int + ${counted} < ${share})`;
}

/** The campaigns of a show whose caps have no room on a day, so that listeners don't get them. */
export async function listFull({ db }: Pick<Ctx, 'db'>, productId: number, today: string): Promise<Set<number>> {
  const rows = await db.execute<{ id: string }>(sql`
    select c.id from insertion_campaigns c
    where c.product_id = ${productId} and c.is_complete and c.is_active and c.ended_at is null and c.deleted_at is null
      and c.cap is not null and not (${hasRoom(today)})`);
  return new Set(rows.map(({ id }) => Number(id)));
}

export type CampaignRow = typeof insertionCampaigns.$inferSelect;

/** Not deleted, of a show that is not deleted. @throws campaign.not_found */
export async function findCampaignRecord({ db }: Pick<Ctx, 'db'>, id: number) {
  const [found] = await db
    .select({ campaign: insertionCampaigns, product: products, timeZone: creators.timeZone })
    .from(insertionCampaigns)
    .innerJoin(products, eq(products.id, insertionCampaigns.productId))
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(and(eq(insertionCampaigns.id, id), isNull(insertionCampaigns.deletedAt), whereProductVisible()));
  if (!found) throw campaignNotFound();
  return found;
}
