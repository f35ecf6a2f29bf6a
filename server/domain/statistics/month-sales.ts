import { may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type MoneyTrend, revenueOf } from './revenue';
import type { DayRange } from './rules';
import { addSubscribers, type SubscriberFigures, subscribersByCurrency } from './subscriber-figures';

/** By UTC days, as payments are. */
export type MonthSales = { subscribers: SubscriberFigures; revenue: MoneyTrend[] };
type Months = { period: DayRange; before: DayRange };

/**
 * Subscribers and revenue of all shows in a month and the one before. Null for members of the team who may not see
 * money, and for creators who have sold nothing in either of them.
 */
export async function salesOfMonth(ctx: Ctx, creatorId: number, months: Months): Promise<MonthSales | null> {
  if (!may(ctx, 'creator.readPayouts', { id: creatorId })) return null;
  const [byCurrency, revenue] = await Promise.all([
    subscribersByCurrency(ctx, { creatorId }, months),
    revenueOf(ctx, { creatorId }, months),
  ]);
  const subscribers = addSubscribers(byCurrency.map(({ now }) => now));
  const paid = revenue.filter(({ now, before }) => now !== 0 || before !== 0);
  return subscribers.start + subscribers.gained === 0 && paid.length === 0 ? null : { subscribers, revenue: paid };
}
