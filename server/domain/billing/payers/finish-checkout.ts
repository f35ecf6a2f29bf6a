import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { checkouts, type Purpose } from '~/db/schema/checkouts';
import { AppError } from '../../../base/errors';
import type { Money } from '../../../base/money';
import { earlier } from '../../../base/time';
import { BUYING_LIMITS } from '../../../limits/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import { findUser } from '../../accounts/base/queries';
import { openSession } from '../../accounts/logins/log-in';
import { type CheckoutRow, lookupCheckout } from '../base/queries';
import { priceRise } from '../base/rules';
import { syncCheckout } from '../provider-sync/sync-checkout';
import { chargesOfSale } from './report-checkout';

/**
 * The state of a checkout, as far as the visitor may know it. `hidden`: the checkout is unknown, or another person's,
 * or the visitor must log in; the answer does not reveal which. `logged_in`: the visitor is now logged in to the
 * account that the payment has created, in the same browser, once.
 */
export type FinishedCheckout =
  | { state: 'hidden' | 'waiting' | 'logged_in' }
  | { state: 'closed'; productId: number | null }
  | {
      state: 'done' | 'refused';
      purpose: Purpose;
      productId: number | null;
      refusedFor: CheckoutRow['refusedFor'];
      /** Null if nothing was charged today. */
      paid: Money | null;
      /** The first payment after a trial. */
      first: Later | null;
      /** The first payment without the coupon. */
      rise: Later | null;
    };
type Later = Money & { at: Date };

const HIDDEN: FinishedCheckout = { state: 'hidden' };

/**
 * Finishes a payment in the browser. It asks the provider, so a late or lost webhook does not delay the buyer.
 * @param browser the hash by which the browser of a buyer without an account is known
 */
export async function finishCheckout(
  ctx: Ctx,
  { checkout }: { checkout: string },
  browser: string | null,
): Promise<FinishedCheckout> {
  const found = await lookupCheckout(ctx, checkout);
  if (!found || !(isOfBrowser(found, browser) || isOfUser(ctx, found))) return HIDDEN;
  const row = found.status === 'open' ? await syncOpen(ctx, found) : found;
  const { purpose, productId, refusedFor } = row;
  if (row.status === 'open') return { state: 'waiting' };
  if (row.status === 'closed') return { state: 'closed', productId };
  if (isOfUser(ctx, row)) {
    const state = refusedFor ? 'refused' : 'done';
    return { state, purpose, productId, refusedFor, ...(await paymentsOf(ctx, row)) };
  }
  return (await logInOnce(ctx, row)) ? { state: 'logged_in' } : HIDDEN;
}

type Payments = { paid: Money | null; first: Later | null; rise: Later | null };

async function paymentsOf(ctx: Ctx, row: CheckoutRow): Promise<Payments> {
  const charges = await chargesOfSale(ctx, row);
  const { todayMinor, first: afterTrial, renewal } = charges;
  const first = afterTrial && (afterTrial.minor > 0 ? afterTrial : renewal);
  const rise = priceRise(charges);
  const { currency } = row.terms;
  return {
    paid: todayMinor > 0 ? { minor: todayMinor, currency } : null,
    first: first && { ...first, currency },
    // after a trial whose first payment is free, `first` already is this payment
    rise: rise && rise !== first ? { ...rise, currency } : null,
  };
}

const isOfUser = ({ actor }: Ctx, { userId }: CheckoutRow): boolean => actor.type === 'user' && userId === actor.userId;

const isOfBrowser = ({ browserHash }: CheckoutRow, browser: string | null): boolean =>
  browserHash !== null && browserHash === browser;

/** The provider may be unavailable; the webhook will arrive later. */
async function syncOpen(ctx: Ctx, row: CheckoutRow): Promise<CheckoutRow> {
  try {
    if (row.providerId) await syncCheckout(ctx, row.providerId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error, checkout: row.id }, 'payment page not fetched');
  }
  return (await lookupCheckout(ctx, row.id)) ?? row;
}

/**
 * Logs the browser that has paid in to the account that the payment created, unless the owner has set a password
 * meanwhile: the address may belong to another person. Of two tabs, one logs in.
 */
async function logInOnce(ctx: Ctx, { id, userId, createdAccount }: CheckoutRow): Promise<boolean> {
  if (!createdAccount || userId === null || ctx.actor.type === 'user') return false;
  const user = await findUser(ctx, userId);
  if (user.passwordHash !== null) return false;
  const isRecent = gt(checkouts.settledAt, earlier(ctx.now(), BUYING_LIMITS.logsIn));
  const used = await transact(ctx, (tx) =>
    tx.db
      .update(checkouts)
      .set({ browserHash: null, updatedAt: tx.now() })
      .where(and(eq(checkouts.id, id), isNotNull(checkouts.browserHash), isRecent))
      .returning({ id: checkouts.id }),
  );
  if (used.length === 0) return false;
  await openSession(ctx, user);
  return true;
}
