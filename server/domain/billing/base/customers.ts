import { hash } from 'node:crypto';
import { and, type Column, eq, isNull, type SQL } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { paymentCustomers } from '~/db/schema/checkouts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import type { Currency } from '../../../base/money';
import { MANAGING_LIMITS } from '../../../limits/billing';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { cardsOf, findUser } from '../../accounts/base/queries';

/**
 * A user's customer at the payment provider, created with the first checkout or card. This file handles customers of
 * the provider's account on which the context acts (`onAccount`); each account has its own customers.
 */
export async function customerOf(ctx: Ctx, userId: number): Promise<string> {
  const known = await lookupMainCustomer(ctx, userId);
  if (known) return known;
  const id = await createCustomer(ctx, { userId, scope: 'main' });
  await ctx.db
    .insert(paymentCustomers)
    .values({ ...newRow(ctx, id), userId, isMain: true })
    .onConflictDoNothing();
  return (await lookupMainCustomer(ctx, userId)) ?? id;
}

type NewCustomer = { userId: number; scope: string };

/**
 * The key gives two concurrent requests the same customer. It contains the parameters: for a day, the provider refuses
 * a key with others, and a user may change name or language between two attempts. @returns the customer's ID
 */
export async function createCustomer(ctx: Ctx, { userId, scope }: NewCustomer): Promise<string> {
  const { email, name, language } = await findUser(ctx, userId);
  const input = { email, name, language: language ?? DEFAULT_LANGUAGE, reference: {} };
  const facts = hash('sha256', JSON.stringify(input));
  const { id } = await ctx.ports.payments.createCustomer(input, `customer/${userId}/${scope}/${facts}`);
  return id;
}

/**
 * The customer for a new subscription. At the provider, all subscriptions of a customer have one currency, so
 * subscriptions in another currency get a separate customer.
 */
export async function customerWith(ctx: Ctx, userId: number, currency: Currency): Promise<string> {
  const main = await customerOf(ctx, userId);
  const { customerId, currency: used } = subscriptions;
  const known = await ctx.db
    .selectDistinct({ customerId, currency: used })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isOnAccount(ctx, subscriptions.account)));
  if (!known.some((row) => row.customerId === main && row.currency !== currency)) return main;
  const other = known.find((row) => row.currency === currency);
  if (other) return other.customerId;
  const id = await createCustomer(ctx, { userId, scope: currency });
  await ctx.db
    .insert(paymentCustomers)
    .values({ ...newRow(ctx, id), userId })
    .onConflictDoNothing();
  return id;
}

/**
 * The customer for a single payment: another one than the usual only if their card is saved and the usual one has none,
 * as after a purchase without a login. Until the address is verified, such a card may be another person's.
 */
export async function customerToPay(ctx: Ctx, userId: number): Promise<string> {
  const main = await customerOf(ctx, userId);
  const { emailVerifiedAt } = await findUser(ctx, userId);
  if (!emailVerifiedAt) return main;
  const saved = await cardsOf(ctx, userId, MANAGING_LIMITS.listed);
  const { account } = ctx.ports.payments;
  const usable = saved.filter((card) => card.account === account && card.expiresAt > ctx.now());
  return usable.find(({ customerId }) => customerId === main)?.customerId ?? usable[0]?.customerId ?? main;
}

/** A customer for one checkout of a guest: guests must not see other people's saved cards. */
export async function createGuestCustomer(
  ctx: Ctx,
  { email, language, checkoutId }: { email: string; language: Language; checkoutId: string },
): Promise<string> {
  const input = { email, name: '', language, reference: { checkout: checkoutId } };
  const { id } = await ctx.ports.payments.createCustomer(input, `checkout/${checkoutId}/customer`);
  await ctx.db.insert(paymentCustomers).values(newRow(ctx, id)).onConflictDoNothing();
  return id;
}

type Assigned = { customerId: string; userId: number; isMain: boolean };

/**
 * Call it after a guest's checkout is settled: assigns the customer to the account. `isMain`: the checkout has created
 * the account, whose later cards and checkouts use the same customer.
 */
export async function assignCustomer(tx: TxCtx, { customerId, userId, isMain }: Assigned): Promise<void> {
  await tx.db
    .update(paymentCustomers)
    .set({ userId, isMain, updatedAt: tx.now() })
    .where(and(eq(paymentCustomers.providerId, customerId), isNull(paymentCustomers.userId)));
}

export async function lookupMainCustomer(ctx: Pick<Ctx, 'db' | 'ports'>, userId: number): Promise<string | null> {
  const [row] = await ctx.db
    .select({ id: paymentCustomers.providerId })
    .from(paymentCustomers)
    .where(
      and(
        eq(paymentCustomers.userId, userId),
        eq(paymentCustomers.isMain, true),
        isOnAccount(ctx, paymentCustomers.account),
      ),
    );
  return row?.id ?? null;
}

function newRow(ctx: Pick<Ctx, 'ports' | 'now'>, providerId: string) {
  const now = ctx.now();
  return { providerId, account: ctx.ports.payments.account, createdAt: now, updatedAt: now };
}

function isOnAccount({ ports }: Pick<Ctx, 'ports'>, column: Column): SQL {
  const { account } = ports.payments;
  return account === null ? isNull(column) : eq(column, account);
}

type Customer = { userId: number | null; account: string | null };

/** The customer's owner and account; the owner is null until a guest's checkout is settled. */
export async function lookupCustomer(ctx: Pick<Ctx, 'db'>, providerId: string): Promise<Customer | null> {
  const { userId, account } = paymentCustomers;
  const [row] = await ctx.db
    .select({ userId, account })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.providerId, providerId));
  return row ?? null;
}
