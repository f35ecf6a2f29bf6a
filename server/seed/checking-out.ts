import { and, desc, isNotNull, ne, type SQL } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { syncCheckout } from '../domain/billing/provider-sync/sync-checkout';
import type { Ctx } from '../runtime/ctx';

type Payment = {
  /** Finds the checkout among the checkouts of all buyers. */
  isIt: SQL | undefined;
  /** Opens the checkout as the page does. */
  open: () => Promise<unknown>;
  /** Pays on the payment page. */
  pay: (url: string) => Promise<void>;
};

/**
 * Buys once: a checkout that an earlier start has opened is paid now, or replaced if it has expired, and one that it has
 * paid is settled.
 * @returns the checkout's id
 */
export async function payOnce(ctx: Ctx, { isIt, open, pay }: Payment): Promise<string> {
  let found = await lookupCheckout(ctx, isIt);
  if (found?.status === 'open') {
    await syncCheckout(ctx, found.providerId ?? '');
    found = await lookupCheckout(ctx, isIt);
  }
  if (!found) {
    await open();
    found = await lookupCheckout(ctx, isIt);
  }
  if (!found) throw new Error('the checkout was not opened');
  if (found.status === 'settled') return found.id;
  await pay(found.url ?? '');
  await syncCheckout(ctx, found.providerId ?? '');
  return found.id;
}

/** The newest checkout with a payment page. */
async function lookupCheckout({ db }: Ctx, isIt: SQL | undefined) {
  const isUsable = and(isIt, ne(checkouts.status, 'closed'), isNotNull(checkouts.url), isNotNull(checkouts.providerId));
  const [found] = await db.select().from(checkouts).where(isUsable).orderBy(desc(checkouts.createdAt)).limit(1);
  return found;
}
