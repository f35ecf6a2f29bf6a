import { and, asc, eq, exists, gt, inArray, isNull, lt, ne, not, notInArray, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { rssImports } from '~/db/schema/rss-import';
import { OPEN_STATUSES } from '~/db/values/rss-import';
import { earlier } from '../../base/time';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes a batch of old imports with their stored feed data; the next run continues. The last successful import of
 * each show and its later follow-ups stay, because the next import compares its files with their files, and a poll of a
 * followed feed compares its episodes.
 */
export async function sweepImports({ db, now }: Ctx): Promise<void> {
  const newer = alias(rssImports, 'newer');
  const isWhole = and(eq(newer.status, 'imported'), not(newer.isFollowUp));
  const isReplaced = exists(
    db
      .select({ id: newer.id })
      .from(newer)
      .where(and(eq(newer.productId, rssImports.productId), isWhole, gt(newer.id, rssImports.id))),
  );
  const isOld = and(
    notInArray(rssImports.status, OPEN_STATUSES),
    lt(rssImports.endedAt, earlier(now(), IMPORT_LIMITS.kept)),
  );
  const hasFailed = and(ne(rssImports.status, 'imported'), not(rssImports.isFollowUp));
  const isUnneeded = or(hasFailed, isNull(rssImports.productId), isReplaced);
  const old = db
    .select({ id: rssImports.id })
    .from(rssImports)
    .where(and(isOld, isUnneeded))
    .orderBy(asc(rssImports.endedAt))
    .limit(IMPORT_LIMITS.sweptAtOnce);
  await db.delete(rssImports).where(inArray(rssImports.id, old));
}
