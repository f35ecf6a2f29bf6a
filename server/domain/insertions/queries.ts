import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { clips, insertionCampaigns } from '~/db/schema/insertions';
import type { Ctx } from '../../runtime/ctx';
import { clipNotFound } from './errors';

export type ClipRow = typeof clips.$inferSelect;

/** A clip that is in its creator's list. @throws clip.not_found */
export async function findClipRow(ctx: Pick<Ctx, 'db'>, id: number): Promise<ClipRow> {
  const [row] = await ctx.db
    .select()
    .from(clips)
    .where(and(eq(clips.id, id), isNull(clips.deletedAt)));
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
