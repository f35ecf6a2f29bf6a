import type { Scope } from '../../adapters/statistics/port';
import type { Currency } from '../../base/money';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import { type CouponFigures, couponsOf } from './coupon-figures';
import { type MoneyTrend, revenueOf } from './revenue';
import { type DayRange, type Period, periodBefore } from './rules';
import type { CreatorSalesInput, ShowSalesInput } from './schema';
import { peopleWithAccess } from './show-sales';
import { periodOf } from './show-statistics';
import {
  addSubscribers,
  type SubscriberFigures,
  type SubscriberPoint,
  subscribersByCurrency,
  subscribersOverTime,
} from './subscriber-figures';

/** Minor units for each of the subscribers that ran on average; null without any. */
export type PerSubscriber = { currency: Currency; now: number | null; before: number | null };

/** By UTC days, as payments are. Gains, losses and payments count at their time; a refund, at that of its payment. */
export type SalesStatistics = {
  period: Period;
  before: DayRange;
  /** People with access at present, free access included; null for several shows, because a person may have several. */
  people: number | null;
  subscribers: SubscriberFigures;
  subscribersBefore: SubscriberFigures;
  evolution: SubscriberPoint[];
  revenue: MoneyTrend[];
  /** Revenue without gifts, by the average of the subscribers at the beginning and the end. */
  perSubscriber: PerSubscriber[];
  coupons: CouponFigures[];
};

/**
 * Subscribers and money of a show in a period.
 * @throws product.not_found, common.role_not_allowed, and as resolvePeriod
 */
export async function salesStatisticsOfShow(ctx: Ctx, input: ShowSalesInput): Promise<SalesStatistics> {
  const { product } = await findProductRecord(ctx, input.id, input.kind);
  const show = authorize(ctx, 'product.read', product);
  const { creatorId } = authorize(ctx, 'product.readBuyers', show);
  const period = await periodOf(ctx, creatorId, input);
  const [people, figures] = await Promise.all([
    peopleWithAccess(ctx, show),
    salesIn(ctx, { creatorId, productId: input.id }, period),
  ]);
  return { ...figures, people };
}

/** Subscribers and money of all shows of the creator. @throws common.role_not_allowed, and as resolvePeriod */
export async function salesStatisticsOfCreator(ctx: Ctx, input: CreatorSalesInput): Promise<SalesStatistics> {
  const { id: creatorId } = authorize(ctx, 'creator.readPayouts', currentCreator(ctx));
  return { ...(await salesIn(ctx, { creatorId }, await periodOf(ctx, creatorId, input))), people: null };
}

async function salesIn(ctx: Ctx, scope: Scope, period: Period): Promise<Omit<SalesStatistics, 'people'>> {
  const days = { period, before: periodBefore(period) };
  const [byCurrency, revenue, ofSubscribers, coupons] = await Promise.all([
    subscribersByCurrency(ctx, scope, days),
    revenueOf(ctx, scope, days),
    revenueOf(ctx, scope, { ...days, purposes: ['show'] }),
    couponsOf(ctx, scope, days),
  ]);
  const subscribers = addSubscribers(byCurrency.map(({ now }) => now));
  const perSubscriber = byCurrency.map(({ currency, now, before }) => {
    const paid = ofSubscribers.find((one) => one.currency === currency);
    return { currency, now: average(paid?.now, now), before: average(paid?.before, before) };
  });
  return {
    ...{ period, before: { from: days.before.from, to: days.before.to }, subscribers, revenue, coupons },
    subscribersBefore: addSubscribers(byCurrency.map(({ before }) => before)),
    evolution: await subscribersOverTime(ctx, scope, { period, start: subscribers.start }),
    // single purchases of other shows would be in the sum of a creator
    perSubscriber: scope.productId === undefined ? [] : perSubscriber.filter(({ now, before }) => now || before),
  };
}

function average(minor = 0, { start, end }: SubscriberFigures): number | null {
  return start + end > 0 ? Math.round((2 * minor) / (start + end)) : null;
}
