import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { whereHasPlace, whereProductVisible } from '../../policy/visibility';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { maxContacts, maxEmails, maxFreeEpisodes, maxFreeProducts, maxPaidProducts } from './errors';
import { requireFeature } from './features';
import { countEmails, currentPlan } from './queries';
import { isWithin } from './rules';

/**
 * Requires room for one more product, in the transaction that creates it, gives it a price or makes it free. Products
 * beyond the limit stay unchanged; only new ones are refused. Call it before the change.
 * @throws plan.selling_required, plan.max_free_products, plan.max_paid_products
 */
export async function requireRoomForProduct(
  tx: TxCtx,
  { creatorId, isPaid }: { creatorId: number; isPaid: boolean },
): Promise<void> {
  if (isPaid) await requireFeature(tx, creatorId, 'selling');
  const { name, limits } = await currentPlan(tx, creatorId);
  const limit = limits[isPaid ? 'paidProducts' : 'freeProducts'];
  if (limit === null) return;
  await lockCreator(tx, creatorId);
  const price = isPaid ? isNotNull(products.priceMinor) : isNull(products.priceMinor);
  const existing = await tx.db.$count(products, and(eq(products.creatorId, creatorId), whereProductVisible(), price));
  if (isWithin(existing + 1, limit)) return;
  throw (isPaid ? maxPaidProducts : maxFreeProducts)({ plan: name, count: limit });
}

/**
 * Requires room for published episodes of free products, in the transaction that publishes them: episodes published
 * beyond the limit stay, and new ones are refused. @param more number of episodes that are not published yet; 0 after
 * the change
 * @throws episode.max_free_reached
 */
export async function requireRoomForEpisodes(
  tx: TxCtx,
  { creatorId, more }: { creatorId: number; more: number },
): Promise<void> {
  const { name, limits } = await currentPlan(tx, creatorId);
  if (limits.freeEpisodes === null) return;
  await lockCreator(tx, creatorId);
  const [row] = await tx.db
    .select({ published: count() })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.creatorId, creatorId), isNull(products.priceMinor), whereProductVisible(), whereHasPlace()));
  if (isWithin((row?.published ?? 0) + more, limits.freeEpisodes)) return;
  throw maxFreeEpisodes({ plan: name, count: limits.freeEpisodes });
}

/**
 * Requires room for more active contacts, in the transaction that adds them by hand or from a file. People who follow
 * or pay, and those who sign up, are added beyond the limit, too. @throws plan.max_contacts
 */
export async function requireRoomForContacts(
  tx: TxCtx,
  { creatorId, more }: { creatorId: number; more: number },
): Promise<void> {
  const { name, limits } = await currentPlan(tx, creatorId);
  if (limits.contacts === null) return;
  await lockCreator(tx, creatorId);
  const isActive = sql`${contacts.status} = 'active'`;
  const active = await tx.db.$count(contacts, and(eq(contacts.creatorId, creatorId), isActive));
  if (!isWithin(active + more, limits.contacts)) throw maxContacts({ plan: name, count: limits.contacts });
}

/**
 * Requires room for more emails of editions in the current UTC month, in the transaction that starts to send them. Emails
 * of an edition count when it starts, also those that bounce. @param at a moment of another month, whose emails count
 * @throws plan.max_emails
 */
export async function requireRoomForEmails(
  tx: TxCtx,
  { creatorId, more, at = tx.now() }: { creatorId: number; more: number; at?: Date },
): Promise<void> {
  const { name, limits } = await currentPlan(tx, creatorId);
  if (limits.emails === null) return;
  await lockCreator(tx, creatorId);
  const sent = await countEmails(tx, creatorId, at);
  if (!isWithin(sent + more, limits.emails)) throw maxEmails({ plan: name, count: limits.emails, sent, more });
}

/** How many emails a creator's plan has left in the current UTC month; null without a limit. */
export async function countEmailsLeft(
  ctx: Pick<Ctx, 'db' | 'now'>,
  creatorId: number,
): Promise<{ left: number; of: number } | null> {
  const { limits } = await currentPlan(ctx, creatorId);
  if (limits.emails === null) return null;
  const sent = await countEmails(ctx, creatorId, ctx.now());
  return { left: Math.max(0, limits.emails - sent), of: limits.emails };
}

/** Like `countEmailsLeft`, in the transaction that counts what it takes; null without a limit. */
export async function roomForEmails(tx: TxCtx, creatorId: number): Promise<number | null> {
  const { limits } = await currentPlan(tx, creatorId);
  if (limits.emails === null) return null;
  await lockCreator(tx, creatorId);
  return (await countEmailsLeft(tx, creatorId))?.left ?? null;
}

/**
 * Two concurrent transactions must not count the same free place. Always lock the creator after the rows of episodes
 * and products: the same order everywhere prevents deadlocks. New rows that refer to the creator don't wait for this
 * lock.
 */
async function lockCreator(tx: TxCtx, creatorId: number): Promise<void> {
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
}
