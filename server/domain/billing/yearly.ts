import type { Preview } from '../../adapters/payments/objects';
import type { Change } from '../../adapters/payments/port';
import type { Ctx } from '../../ctx';
import { MANAGING_LIMITS } from '../../limits/billing';
import type { Currency, Money } from '../../money';
import { earlier, utcDay } from '../../time';
import { changeDiffers, notOfferedYearly } from './errors';
import { findMySubscription, findOwn, offersYearly, requireRunning } from './managing';
import { lookupOffer } from './queries';
import type { SubscriptionRow } from './rules';
import type { ChangeToYearly, FindSubscription } from './schema';
import { syncSubscription } from './subscriptions';
import type { SubscriptionView } from './views';

/**
 * From monthly to yearly: charged at once, less the unused part of the month; after the trial if one runs. `at` is the
 * moment that the amounts are for: the confirmation repeats it, so that the charge is exactly what was shown.
 */
export type YearlyPreview = {
  at: Date;
  yearly: Money;
  due: Money;
  /** What the unused part of the month is worth. */
  credit: Money;
  chargedAt: Date;
  /** When the year after that is charged. */
  nextAt: Date;
};

/** @throws billing.subscription_not_found, billing.subscription_ended, billing.not_offered_yearly */
export async function previewYearly(ctx: Ctx, { id }: FindSubscription): Promise<YearlyPreview> {
  const row = requireRunning(ctx, await findOwn(ctx, id));
  return preview(ctx, row, wholeSecond(ctx.now()));
}

/**
 * Changes the subscription as it was shown. Repeating it is harmless.
 * @throws billing.change_differs if an amount is another one by now; payments.card_declined
 */
export async function changeToYearly(ctx: Ctx, input: ChangeToYearly): Promise<SubscriptionView> {
  const { id, at, dueMinor, yearlyMinor } = input;
  const row = requireRunning(ctx, await findOwn(ctx, id));
  if (row.every === 'year') return findMySubscription(ctx, { id });
  if (at > ctx.now() || at < earlier(ctx.now(), MANAGING_LIMITS.preview)) throw changeDiffers();
  // a period that began after the preview has another unused part, and the year begins today
  if (at < row.periodStart || utcDay(at) !== utcDay(ctx.now())) throw changeDiffers();
  const present = await preview(ctx, row, at);
  if (present.due.minor !== dueMinor || present.yearly.minor !== yearlyMinor) throw changeDiffers();
  const change: Change = { price: present.yearly, every: 'year', at };
  const key = `subscription/${row.providerId}/yearly/${at.getTime()}`;
  await ctx.ports.payments.changeSubscription(row.providerId, change, key);
  await syncSubscription(ctx, row.providerId);
  return findMySubscription(ctx, { id });
}

async function preview(ctx: Ctx, row: SubscriptionRow, at: Date): Promise<YearlyPreview> {
  const yearly = await findYearlyPrice(ctx, row);
  const found = await ctx.ports.payments.preview(row.providerId, { price: yearly, every: 'year', at });
  return {
    at,
    yearly,
    due: found.due,
    credit: { ...yearly, minor: creditIn(found) },
    chargedAt: found.at,
    nextAt: nextChargeAfter(found),
  };
}

async function findYearlyPrice(ctx: Ctx, row: SubscriptionRow): Promise<Money> {
  const offer = await lookupOffer(ctx, row.productId!);
  const isOffered = offer && offersYearly(row, offer) && offer.freeConversion === null;
  if (!isOffered || row.endsAt || row.pastDueSince || row.pausedUntil) throw notOfferedYearly();
  return { minor: offer.annualPriceMinor!, currency: offer.currency as Currency };
}

const creditIn = ({ lines }: Preview): number =>
  lines.reduce((sum, { amount }) => sum + Math.max(0, 0 - amount.minor), 0);

/** The year that is charged ends there. */
function nextChargeAfter({ lines, at }: Preview): Date {
  const ends = lines.filter(({ amount }) => amount.minor >= 0).map(({ to }) => to.getTime());
  return new Date(Math.max(at.getTime(), ...ends));
}

/** The provider counts in seconds. */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
