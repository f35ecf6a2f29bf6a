import type { Preview } from '../../../adapters/payments/objects';
import type { Change } from '../../../adapters/payments/port';
import { AppError } from '../../../base/errors';
import { type Currency, inOurs, type Money } from '../../../base/money';
import { earlier, utcDay } from '../../../base/time';
import { MANAGING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';
import { changeDiffers, notOfferedYearly } from '../base/errors';
import { lookupOffer } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import type { ChangeToYearly, FindSubscription } from '../base/schema';
import type { SubscriptionView } from '../base/views';
import { findMySubscription, findOwn, offersYearly, requireRunning } from './my-subscriptions';
import { setFeeOfChange } from './platform-fees';
import { syncSubscription } from './subscriptions';

/**
 * A change from monthly to yearly is charged at once, less the unused part of the month; during a trial, after the
 * trial. `at` is the time of the calculation: the confirmation repeats it, so that the charge is exactly the amount
 * shown.
 */
export type YearlyPreview = {
  at: Date;
  yearly: Money;
  due: Money;
  /** The value of the unused part of the month. */
  credit: Money;
  /** What a coupon takes off; zero without one. */
  discount: Money;
  chargedAt: Date;
  /** The time of the charge for the second year. */
  nextAt: Date;
};

/** @throws billing.subscription_not_found, billing.subscription_ended, billing.not_offered_yearly */
export async function previewYearly(ctx: Ctx, { id }: FindSubscription): Promise<YearlyPreview> {
  const row = requireRunning(ctx, await findOwn(ctx, id));
  return previewChange(ctx, row, wholeSecond(ctx.now()));
}

/**
 * Changes the subscription on the terms shown. Repeating it is harmless.
 * @throws billing.change_differs if an amount has changed; payments.card_declined
 */
export async function changeToYearly(ctx: Ctx, input: ChangeToYearly): Promise<SubscriptionView> {
  const { id, at, dueMinor, yearlyMinor } = input;
  const row = requireRunning(ctx, await findOwn(ctx, id));
  if (row.every === 'year') return findMySubscription(ctx, { id });
  if (at > ctx.now() || at < earlier(ctx.now(), MANAGING_LIMITS.preview)) throw changeDiffers();
  // a period that began after the preview has another unused part, and the year begins today
  if (at < row.periodStart || utcDay(at) !== utcDay(ctx.now())) throw changeDiffers();
  try {
    await changeInterval(ctx, row, { at, dueMinor, yearlyMinor });
  } catch (error) {
    // of two concurrent changes, the provider may refuse the second one after it has done the first
    if (!(error instanceof AppError)) throw error;
    await syncSubscription(ctx, row.providerId);
    if ((await findOwn(ctx, id)).every !== 'year') throw error;
    return findMySubscription(ctx, { id });
  }
  await syncSubscription(ctx, row.providerId);
  return findMySubscription(ctx, { id });
}

type Confirmed = Pick<ChangeToYearly, 'at' | 'dueMinor' | 'yearlyMinor'>;

async function changeInterval(ctx: Ctx, row: SubscriptionRow, { at, dueMinor, yearlyMinor }: Confirmed): Promise<void> {
  const present = await previewChange(ctx, row, at);
  if (present.due.minor !== dueMinor || present.yearly.minor !== yearlyMinor) throw changeDiffers();
  const terms: Change = { price: present.yearly, every: 'year', at };
  const key = `subscription/${row.providerId}/yearly/${at.getTime()}`;
  if (present.due.minor > 0) await setFeeOfChange(ctx, row, present.due.minor);
  await ctx.ports.payments.on(row.account).changeSubscription(row.providerId, terms, key);
}

async function previewChange(ctx: Ctx, row: SubscriptionRow, at: Date): Promise<YearlyPreview> {
  const yearly = await findYearlyPrice(ctx, row);
  const found = await ctx.ports.payments.on(row.account).preview(row.providerId, { price: yearly, every: 'year', at });
  const [due, credit] = [inOurs(found.due), creditIn(found)];
  return {
    at,
    yearly,
    due,
    credit: { ...yearly, minor: credit },
    discount: { ...yearly, minor: Math.max(0, yearly.minor - credit - due.minor) },
    chargedAt: found.at,
    nextAt: nextChargeAfter(found),
  };
}

async function findYearlyPrice(ctx: Ctx, row: SubscriptionRow): Promise<Money> {
  const offer = await lookupOffer(ctx, row.productId!);
  const isOffered = offer && offersYearly(row, offer) && offer.freeConversion === null && offer.takenDownAt === null;
  if (!isOffered || row.endsAt || row.pastDueSince || row.pausedUntil) throw notOfferedYearly();
  return { minor: offer.annualPriceMinor!, currency: offer.currency as Currency };
}

const creditIn = ({ lines }: Preview): number =>
  lines.reduce((sum, { amount }) => sum + Math.max(0, 0 - amount.minor), 0);

/** The charged year ends then. */
function nextChargeAfter({ lines, at }: Preview): Date {
  const ends = lines.filter(({ amount }) => amount.minor >= 0).map(({ to }) => to.getTime());
  return new Date(Math.max(at.getTime(), ...ends));
}

/** The provider counts in seconds. */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
