import { eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCustomers } from '~/db/schema/checkouts';
import type { PaymentEvent } from '../../../adapters/payments/payment-events';
import type { Ctx } from '../../../runtime/ctx';
import { lookupHeldAccount } from '../../payouts/queries';

type Known = { table: PgTable; id: PgColumn; account: PgColumn; value: string | null };

/**
 * Whether an event comes from an unconnected account at the provider, or is about an object of another account:
 * otherwise, a creator who connects an account could change other creators' money (docs/decisions/0242).
 */
export async function isForeign(ctx: Pick<Ctx, 'db'>, event: PaymentEvent): Promise<boolean> {
  const { account } = event;
  if (account !== null && (await lookupHeldAccount(ctx, account)) === null) return true;
  if (event.type === 'account_changed') return event.connected !== account;
  for (const { table, id, account: column, value } of objectsOf(event)) {
    const found =
      value === null ? [] : await ctx.db.select({ account: column }).from(table).where(eq(id, value)).limit(1);
    if (found.some((row) => row.account !== account)) return true;
  }
  return false;
}

/** Objects that the event names, at most two. */
function objectsOf(event: PaymentEvent): Known[] {
  const of = (
    table: typeof subscriptions | typeof checkouts | typeof paymentCustomers,
    value: string | null,
  ): Known => ({
    ...{ table, id: table.providerId, account: table.account, value },
  });
  const payment = (value: string | null): Known => ({
    ...{ table: sales, id: sales.paymentId, account: sales.sellerAccount, value },
  });
  const named: Known[] = [];
  if ('checkout' in event) named.push(of(checkouts, event.checkout));
  if ('subscription' in event) named.push(of(subscriptions, event.subscription));
  if ('payment' in event) named.push(payment(event.payment));
  if ('customer' in event) named.push(of(paymentCustomers, event.customer));
  return named;
}
