import { asc, inArray, lte } from 'drizzle-orm';
import { feedPreviews } from '~/db/schema/rss-import';
import { SHOW_PREVIEW_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';

/** Deletes expired previews, step by step. */
export async function sweepShowPreviews({ db, now }: Ctx): Promise<void> {
  const expired = db
    .select({ tokenHash: feedPreviews.tokenHash })
    .from(feedPreviews)
    .where(lte(feedPreviews.expiresAt, now()))
    .orderBy(asc(feedPreviews.expiresAt))
    .limit(SHOW_PREVIEW_LIMITS.sweptAtOnce);
  let deleted: unknown[];
  do
    deleted = await db
      .delete(feedPreviews)
      .where(inArray(feedPreviews.tokenHash, expired))
      .returning({ tokenHash: feedPreviews.tokenHash });
  while (deleted.length === SHOW_PREVIEW_LIMITS.sweptAtOnce);
}
