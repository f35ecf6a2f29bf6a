import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { donations } from '~/db/schema/donations';
import type { Language } from '~/locales/languages';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { keepContact } from '../audience/keep-contact';
import { type CheckoutRow, lookupCheckout } from '../billing/base/queries';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import type { DonationRow } from './queries';
import { notifyCreator, thankDonor } from './thank-donor';

/**
 * Records a settled donation once, and thanks the donor. Later payments of the donation only refresh pages that show a
 * goal.
 */
export async function recordDonation(ctx: Ctx, { checkoutId }: { checkoutId: string }): Promise<void> {
  const checkout = await lookupCheckout(ctx, checkoutId);
  const { purpose, status, creatorId } = checkout ?? {};
  if (!checkout || purpose !== 'donation' || status !== 'settled' || !creatorId) return;
  await transact(ctx, async (tx) => {
    const row = await insertDonation(tx, checkout, creatorId);
    if (row) {
      await keepDonor(tx, row, checkout.language);
      await thankDonor(tx, row, checkout.language);
      await notifyCreator(tx, row);
    }
    await markCreatorChanged(tx, creatorId);
  });
}

async function insertDonation(tx: TxCtx, checkout: CheckoutRow, creatorId: number): Promise<DonationRow | undefined> {
  const { id, userId, terms, settledAt } = checkout;
  const { priceMinor: amountMinor, currency, every, donation } = terms;
  const now = tx.now();
  const values = {
    checkoutId: id,
    subscriptionId: every ? await subscriptionOf(tx, id) : null,
    creatorId,
    userId,
    email: checkout.email ?? (await emailOf(tx, userId)),
    ...{ name: '', message: '', isAnonymous: false, ...donation },
    amountMinor,
    currency,
    every: every ? ('month' as const) : null,
    donatedAt: settledAt ?? now,
    createdAt: now,
    updatedAt: now,
  };
  const [row] = await tx.db.insert(donations).values(values).onConflictDoNothing().returning();
  return row;
}

/** Anonymous only on the page: the creator sees the name (docs/decisions/0340). */
async function keepDonor(
  tx: TxCtx,
  { creatorId, email, name, userId }: DonationRow,
  language: Language,
): Promise<void> {
  if (email !== '') await keepContact(tx, { creatorId, email, name, userId, language, source: 'donation' });
}

async function subscriptionOf(tx: TxCtx, checkoutId: string): Promise<number | null> {
  const isIts = eq(subscriptions.checkoutId, checkoutId);
  const [row] = await tx.db.select({ id: subscriptions.id }).from(subscriptions).where(isIts);
  return row?.id ?? null;
}

async function emailOf(tx: TxCtx, userId: number | null): Promise<string> {
  if (userId === null) return '';
  const [row] = await tx.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return row?.email ?? '';
}
