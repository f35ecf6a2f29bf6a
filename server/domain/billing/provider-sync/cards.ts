import { and, eq, notInArray, sql } from 'drizzle-orm';
import { paymentCards } from '~/db/schema/checkouts';
import type { Card } from '../../../adapters/payments/objects';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { lookupCustomer } from '../base/customers';
import { reactToCards } from '../subscriptions/card-changes';

/** Writes the saved cards of a customer. Guests' cards are not stored, because no user may see them. */
export async function syncCards(ctx: Ctx, customer: string): Promise<void> {
  const known = await lookupCustomer(ctx, customer);
  if (known?.userId == null) return;
  const { userId, account } = known;
  const cards = await ctx.ports.payments.on(account).listCards(customer);
  await transact(ctx, (tx) => writeCards(tx, { userId, customer, account }, cards));
}

type Owner = { userId: number; customer: string; account: string | null };

async function writeCards(tx: TxCtx, owner: Owner, cards: Card[]): Promise<void> {
  const ids = cards.map(({ id }) => id);
  const isOwn = eq(paymentCards.customerId, owner.customer);
  const known = await tx.db.select({ id: paymentCards.providerId }).from(paymentCards).where(isOwn);
  const isGone = ids.length > 0 ? notInArray(paymentCards.providerId, ids) : undefined;
  const removed = await tx.db.delete(paymentCards).where(and(isOwn, isGone)).returning({ id: paymentCards.providerId });
  if (cards.length > 0) await upsertCards(tx, owner, cards);
  await reactToCards(tx, {
    customer: owner.customer,
    added: ids.filter((id) => !known.some((card) => card.id === id)),
    removed: removed.map(({ id }) => id),
  });
}

async function upsertCards(tx: TxCtx, owner: Owner, cards: Card[]): Promise<void> {
  const rows = cards.map(({ id, brand, last4, fingerprint, expiresMonth, expiresYear, expiresAt, isDefault }) => ({
    providerId: id,
    customerId: owner.customer,
    userId: owner.userId,
    account: owner.account,
    ...{ brand, last4, fingerprint, expiresMonth, expiresYear, expiresAt, isDefault },
    createdAt: tx.now(),
    updatedAt: tx.now(),
  }));
  const { fingerprint, expiresMonth, expiresYear, expiresAt, isDefault } = CARD_CHANGES;
  await tx.db
    .insert(paymentCards)
    .values(rows)
    .onConflictDoUpdate({
      target: paymentCards.providerId,
      set: { fingerprint, expiresMonth, expiresYear, expiresAt, isDefault, updatedAt: tx.now() },
    });
}

const CARD_CHANGES = {
  fingerprint: sql`excluded.fingerprint`,
  expiresMonth: sql`excluded.expires_month`,
  expiresYear: sql`excluded.expires_year`,
  expiresAt: sql`excluded.expires_at`,
  isDefault: sql`excluded.is_default`,
};
