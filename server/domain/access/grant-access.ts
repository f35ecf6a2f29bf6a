import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { spotifyLinks } from '~/db/schema/spotify';
import { wherePaidGrant } from '../../policy/visibility';
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
  await tellSpotify(tx, key);
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

/** Of people who have linked an account there. Its answer is for a job: nobody waits for Spotify. */
async function tellSpotify(tx: TxCtx, { userId }: Pick<GrantKey, 'userId'>): Promise<void> {
  const linked = and(eq(spotifyLinks.userId, userId), ne(spotifyLinks.state, 'unlinked'));
  if ((await tx.db.$count(spotifyLinks, linked)) > 0) await tx.jobs.enqueue(syncEntitlements, { userId });
}

/** Start of the person's drip: now, less the longest time for which one of their grants has opened the product. */
function dripsOn({ userId, productId }: Omit<GrantKey, 'source'>, now: Date): SQL {
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
  await tellSpotify(tx, key);
  return ended.length > 0;
}

/** After the subscriber has cancelled, the grant no longer renews even if its show stays paid (free-conversion.ts). */
export async function forgetStoppedRenewal(tx: TxCtx, { userId, productId }: Omit<GrantKey, 'source'>): Promise<void> {
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId), eq(grants.source, 'subscription'));
  await tx.db.update(grants).set({ renewalStoppedAt: null, updatedAt: tx.now() }).where(own);
}
