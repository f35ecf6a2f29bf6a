import { type AnyColumn, and, eq, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { grants } from '~/db/schema/access';
import { spotifyLinks } from '~/db/schema/spotify';
import { whereLiveGrant, wherePaidGrant } from '../../policy/visibility';
import { keepListener } from '../../queue/jobs/audience';
import { enrolContact } from '../../queue/jobs/newsletter';
import { countBrought } from '../../queue/jobs/recommendations';
import { syncEntitlements } from '../../queue/jobs/spotify';
import type { TxCtx } from '../../runtime/ctx';
import type { GrantKey, NewGrant } from './schema';

/**
 * Gives a person access to a product, in the transaction of the sale, gift or follow that it comes from. Repeating it
 * changes nothing. Another end or renewal replaces the former one, and a grant that had ended starts again. A drip
 * continues where it stopped for this person, even if their access had another source.
 */
export async function grantAccess(tx: TxCtx, { endsAt = null, renews = false, ...key }: NewGrant): Promise<void> {
  const now = tx.now();
  const hasEnded = sql`${grants.endsAt} <= ${now.toISOString()}::timestamptz`;
  const [row] = await tx.db
    .insert(grants)
    .values({ ...key, startsAt: now, dripsFrom: dripsOn(key, now), endsAt, renews, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [grants.userId, grants.productId, grants.source],
      set: {
        endsAt,
        renews,
        updatedAt: now,
        startsAt: sql`case when ${hasEnded} then excluded.starts_at else ${grants.startsAt} end`,
        dripsFrom: sql`excluded.drips_from`,
      },
    })
    .returning({ isNew: sql<boolean>`xmax = 0`, startsAt: grants.startsAt });
  await tellSpotify(tx, [key.userId]);
  // once: a renewal must not bring back a contact that the creator has deleted
  const { userId, productId, source } = key;
  const at = now.toISOString();
  if (row?.isNew && source !== 'gift') await tx.jobs.enqueue(keepListener, { userId, productId, source, at });
  const { recommendationId } = tx.client;
  if (row?.isNew && source === 'follow' && recommendationId !== undefined)
    await tx.jobs.enqueue(countBrought, { recommendationId, productId, as: 'follows' });
  // who comes back after an end is a new buyer, too
  const isBack = row && !row.isNew && row.startsAt.getTime() === now.getTime();
  if (isBack && (source === 'purchase' || source === 'subscription'))
    await tx.jobs.enqueue(enrolContact, { trigger: 'purchase', userId, productId, at });
}

type Shared = { userIds: number[]; productId: number };

/**
 * Gives many people free access without an end, as `grantAccess` does for one, with one statement.
 * @returns those who did not have it
 */
export async function grantToMany(tx: TxCtx, { userIds, productId }: Shared): Promise<number[]> {
  const now = sql`${tx.now().toISOString()}::timestamptz`;
  const drips = dripsOn({ userId: sql`p.id`, productId }, tx.now());
  // in one order, so that two statements do not wait for each other
  const rows = await tx.db.execute<{ id: number }>(sql`
    insert into ${grants} (user_id, product_id, source, starts_at, drips_from, created_at, updated_at)
    select p.id, ${productId}, 'gift', ${now}, ${drips}, ${now}, ${now}
    from unnest(${plainArray(userIds)}::bigint[]) as p(id) order by p.id
    on conflict (user_id, product_id, source) do update set ends_at = null, renews = false, updated_at = excluded.updated_at,
      starts_at = case when ${grants.endsAt} <= ${now} then excluded.starts_at else ${grants.startsAt} end,
      drips_from = excluded.drips_from
    where ${grants.endsAt} is not null
    returning user_id::float8 as id`);
  const granted = rows.map(({ id }) => id);
  await tellSpotify(tx, granted);
  return granted;
}

/** Of people who have linked an account there. Its answer is for a job: nobody waits for Spotify. */
async function tellSpotify(tx: TxCtx, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return;
  const linked = await tx.db
    .selectDistinct({ userId: spotifyLinks.userId })
    .from(spotifyLinks)
    .where(and(isOneOf(spotifyLinks.userId, userIds), ne(spotifyLinks.state, 'unlinked')));
  await tx.jobs.enqueueAll(syncEntitlements, linked);
}

/** One parameter, however many people there are. */
const isOneOf = (column: AnyColumn, ids: number[]): SQL => sql`${column} = any (${plainArray(ids)}::bigint[])`;

/** Start of the person's drip: now, less the longest time for which one of their grants has opened the product. */
function dripsOn({ userId, productId }: { userId: number | SQLWrapper; productId: number }, now: Date): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId), wherePaidGrant());
  const held = sql`least(coalesce(${grants.endsAt}, 'infinity'), ${at}) - ${grants.dripsFrom}`;
  return sql`${at} - coalesce((select max(${held}) from ${grants} where ${own}), interval '0')`;
}

/**
 * Ends a grant at an instant, by default now. The grant stops renewing; an earlier end stays.
 * @returns whether there was a grant
 */
export async function endAccess(tx: TxCtx, { at = tx.now(), ...key }: GrantKey & { at?: Date }): Promise<boolean> {
  const earliest = sql`least(coalesce(${grants.endsAt}, 'infinity'), ${at.toISOString()}::timestamptz)`;
  const ended = await tx.db
    .update(grants)
    .set({ endsAt: earliest, renews: false, updatedAt: tx.now() })
    .where(and(eq(grants.userId, key.userId), eq(grants.productId, key.productId), eq(grants.source, key.source)))
    .returning({ id: grants.id });
  await tellSpotify(tx, [key.userId]);
  return ended.length > 0;
}

/**
 * Ends the gifts of many people with one statement, at an instant that may lie ahead. @param until in a query with
 * `grants`; null keeps a gift without an end
 * @returns those whose gift has ended now
 */
export async function endGiftsOfMany(
  tx: TxCtx,
  { userIds, productId, until }: Shared & { until: SQL },
): Promise<number[]> {
  const now = tx.now();
  const isGift = and(eq(grants.productId, productId), eq(grants.source, 'gift'), isOneOf(grants.userId, userIds));
  // first, so that `until` sees what a concurrent change has written
  await tx.db.select({ id: grants.id }).from(grants).where(isGift).orderBy(grants.id).for('update');
  const changed = await tx.db
    .update(grants)
    .set({ endsAt: sql`${until}`, updatedAt: now })
    .where(and(isGift, whereLiveGrant(now.toISOString()), sql`${grants.endsAt} is distinct from ${until}`))
    .returning({ userId: grants.userId, endsAt: grants.endsAt });
  const ended = changed.flatMap(({ userId, endsAt }) => (endsAt !== null && endsAt <= now ? [userId] : []));
  await tellSpotify(tx, ended);
  return ended;
}

/** After the subscriber has cancelled, the grant no longer renews even if its show stays paid (free-conversion.ts). */
export async function forgetStoppedRenewal(tx: TxCtx, { userId, productId }: Omit<GrantKey, 'source'>): Promise<void> {
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId), eq(grants.source, 'subscription'));
  await tx.db.update(grants).set({ renewalStoppedAt: null, updatedAt: tx.now() }).where(own);
}
