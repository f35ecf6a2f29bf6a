import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { DAYS, earlier, utcDay } from '~/server/time';
import type { Database } from '../client';
import { users } from '../schema/accounts';
import { creators } from '../schema/creators';
import { episodes } from '../schema/episodes';
import { episodeTotals, listeningDays, listens } from '../schema/listening';
import { chance } from './chance';

const DAYS_BACK = 28;
const AT_MOST_A_DAY = 9;

/**
 * Listens of the last four weeks for the demo's episodes, so that its charts have something to show: as rows of the
 * event table, with the rollups counted from them. Once: the same sessions again change nothing.
 */
export async function sowPlays(db: Database, emails: string[], now: Date): Promise<void> {
  const heard = await db
    .select({
      id: episodes.id,
      creatorId: episodes.creatorId,
      productId: episodes.productId,
      releaseAt: episodes.releaseAt,
    })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(inArray(users.email, emails), lte(episodes.releaseAt, now)))
    .orderBy(episodes.id);
  const rows = heard.flatMap(({ id, creatorId, productId, releaseAt }) => {
    const dice = chance(`plays of ${id}`);
    return Array.from({ length: DAYS_BACK }, (_, back) => earlier(now, DAYS(back)))
      .filter((at) => releaseAt && at >= releaseAt)
      .flatMap((at) =>
        Array.from({ length: Math.floor(dice.next() * AT_MOST_A_DAY) }, (_, i) => ({
          day: utcDay(at),
          creatorId,
          productId,
          episodeId: id,
          sessionId: `demo-${id}-${utcDay(at)}-${i}`,
          at,
        })),
      );
  });
  if (rows.length === 0) return;
  await db.transaction(async (tx) => {
    const fresh = await tx.insert(listens).values(rows).onConflictDoNothing().returning({ day: listens.day });
    if (fresh.length === 0) return;
    const count = sql<number>`count(*)::int`;
    const { creatorId, productId, episodeId, day } = listens;
    const days = await tx
      .select({ creatorId, productId, day, listens: count })
      .from(listens)
      .groupBy(creatorId, productId, day);
    const totals = await tx
      .select({ creatorId, episodeId, listens: count })
      .from(listens)
      .groupBy(creatorId, episodeId);
    await tx.insert(listeningDays).values(days).onConflictDoNothing();
    await tx.insert(episodeTotals).values(totals).onConflictDoNothing();
  });
}
