import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { checkouts, paymentCustomers } from '~/db/schema/checkouts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import type { Currency } from '../../../base/money';
import type { TxCtx } from '../../../runtime/ctx';
import { isErased, type UserRow } from '../../accounts/base/queries';
import { findOrCreateAccount } from '../../accounts/logins/sign-up';
import type { CheckoutRow } from '../base/queries';
import { subscribesTo } from '../base/queries';
import { lockPair } from '../checkout/settle-checkout';

/** A subscription from another host, and the person who pays it. */
export type BroughtSubscription = {
  email: string;
  name: string;
  /** The language of a new account. */
  language: Language;
  customerId: string;
  /** The creator's own account at the payment provider; null for our account. */
  account: string | null;
  creatorId: number;
  productId: number;
  /** The subscription's title on receipts. */
  title: string;
  priceMinor: number;
  currency: Currency;
  every: 'month' | 'year';
};

/**
 * Prepares the records that the subscription will belong to, before the provider is called: the account, the customer,
 * and a settled checkout. The provider's objects find the person by the checkout's id, which is also the idempotency
 * key. Null if the person already subscribes to the show, or the account is being deleted.
 */
export async function bringSubscriber(
  tx: TxCtx,
  brought: BroughtSubscription,
): Promise<{ checkout: CheckoutRow; user: UserRow; isNew: boolean } | null> {
  const { email, name, language, currency, productId } = brought;
  const { user, isNew } = await findOrCreateAccount(tx, { email, language, currency, ...(name && { name }) });
  await lockPair(tx, `show ${user.id} ${productId}`);
  if (await isErased(tx, user.id)) return null;
  if (await subscribesTo(tx, { userId: user.id, productId })) return null;
  await insertCustomer(tx, brought, user.id);
  const checkout = await insertCheckout(tx, brought, { userId: user.id, isNew });
  return { checkout, user, isNew };
}

/** Stores the customer, as the main one for later checkouts unless the person has another customer there. */
async function insertCustomer(tx: TxCtx, { customerId, account }: BroughtSubscription, userId: number): Promise<void> {
  const { isMain } = paymentCustomers;
  const isThere = account === null ? sql`${paymentCustomers.account} is null` : eq(paymentCustomers.account, account);
  const others = await tx.db.$count(paymentCustomers, and(eq(paymentCustomers.userId, userId), isThere, isMain));
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  await tx.db
    .insert(paymentCustomers)
    .values({ providerId: customerId, userId, account, isMain: others === 0, ...times })
    .onConflictDoNothing();
}

type Owner = { userId: number; isNew: boolean };

async function insertCheckout(tx: TxCtx, brought: BroughtSubscription, { userId, isNew }: Owner): Promise<CheckoutRow> {
  const { productId, creatorId, account, customerId, language, title, priceMinor, currency, every } = brought;
  const now = tx.now();
  const times = { expiresAt: now, settledAt: now, createdAt: now, updatedAt: now };
  const [row] = await tx.db
    .insert(checkouts)
    .values({
      ...{ id: randomUUID(), purpose: 'show', status: 'settled', createdAccount: isNew, ...times },
      ...{ userId, productId, creatorId, account, customerId, language: language ?? DEFAULT_LANGUAGE },
      terms: { name: title, priceMinor, currency, every, isBrought: true },
    })
    .returning();
  return row!;
}
