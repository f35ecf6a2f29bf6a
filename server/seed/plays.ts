import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { episodeTotals, listeningDays, listens } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '../base/time';
import type { DemoPerson } from './demo-types';
import { seededRandom } from './random';

const DAYS_OF_HISTORY = 28;
const MAX_LISTENS_PER_DAY = 9;

/**
 * Adds four weeks of listens to the demo episodes of shows that are not archived, so that the charts are not empty: rows of the event table, and
 * rollups computed from them. Both are inserted directly, because the rooms record listens only at the current time.
 * Session ids are fixed, so a second run changes nothing.
 */
export async function seedPlays(db: Database, emails: string[], now: Date): Promise<void> {
  const released = await db
    .select({
      id: episodes.id,
      creatorId: episodes.creatorId,
      productId: episodes.productId,
      releaseAt: episodes.releaseAt,
    })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(inArray(users.email, emails), lte(episodes.releaseAt, now), isNull(products.archivedAt)))
    .orderBy(episodes.id);
  const rows = released.flatMap(({ id, creatorId, productId, releaseAt }) => {
    const random = seededRandom(`plays of ${id}`);
    return Array.from({ length: DAYS_OF_HISTORY }, (_, daysAgo) => earlier(now, DAYS(daysAgo)))
      .filter((at) => releaseAt && at >= releaseAt)
      .flatMap((at) =>
        Array.from({ length: Math.floor(random.next() * MAX_LISTENS_PER_DAY) }, (_, i) => ({
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
    const inserted = await tx.insert(listens).values(rows).onConflictDoNothing().returning({ day: listens.day });
    if (inserted.length === 0) return;
    const count = sql<number>`count(*)::int`;
    const { creatorId, productId, episodeId, day } = listens;
    // only the demo's: the rollups of all other listens already exist
    const ofDemo = inArray(episodeId, [...new Set(rows.map((row) => row.episodeId))]);
    const days = await tx
      .select({ creatorId, productId, day, listens: count })
      .from(listens)
      .where(ofDemo)
      .groupBy(creatorId, productId, day);
    const totals = await tx
      .select({ creatorId, episodeId, listens: count })
      .from(listens)
      .where(ofDemo)
      .groupBy(creatorId, episodeId);
    await tx.insert(listeningDays).values(days).onConflictDoNothing();
    await tx.insert(episodeTotals).values(totals).onConflictDoNothing();
  });
}

/** Adds downloads of this month, dated today, to the first show of people with many downloads. */
export async function seedDownloads(db: Database, cast: readonly DemoPerson[], now: Date): Promise<void> {
  for (const { email, downloads } of cast) {
    if (!downloads) continue;
    const [show] = await db
      .select({ creatorId: products.creatorId, productId: products.id })
      .from(products)
      .innerJoin(creators, eq(creators.id, products.creatorId))
      .innerJoin(users, eq(users.id, creators.userId))
      .where(eq(users.email, email))
      .orderBy(products.id)
      .limit(1);
    if (!show) continue;
    const { creatorId, productId, day } = listeningDays;
    await db
      .insert(listeningDays)
      .values({ ...show, day: utcDay(now), downloads })
      .onConflictDoUpdate({ target: [creatorId, productId, day], set: { downloads } });
  }
}
