import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import { subscriberImports } from '~/db/schema/moving';
import { earlier } from '../../../base/time';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import type { Ctx } from '../../../runtime/ctx';

/** Deletes ended lists and their addresses after a while, and reports that were never confirmed. */
export async function sweepSubscriberImports({ db, now }: Ctx): Promise<void> {
  const since = earlier(now(), SUBSCRIBER_IMPORT_LIMITS.kept);
  const limit = SUBSCRIBER_IMPORT_LIMITS.recoveredAtOnce;
  const ended = db
    .select({ id: subscriberImports.id })
    .from(subscriberImports)
    .where(lt(subscriberImports.endedAt, since))
    .orderBy(asc(subscriberImports.endedAt))
    .limit(limit);
  await db.delete(subscriberImports).where(inArray(subscriberImports.id, ended));
  const isForgotten = and(eq(subscriberImports.status, 'ready'), lt(subscriberImports.updatedAt, since));
  await db.delete(subscriberImports).where(isForgotten);
}
