import { and, asc, eq, gte, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { subscriptionSums } from '~/db/schema/subscription-sums';
import type { Money } from '../../../base/money';
import { utcMonth } from '../../../base/time';
import { authorize } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import { boundsOf } from '../../payouts/rules';
import { KINDS } from '../../products/kinds';
import { findProductRecord, type ProductRow } from '../../products/queries';
import type { FindProduct } from '../../products/schema';

/**
 * What a show brings in, by currency: for a podcast, the prices of its running subscriptions for one month, from the
 * sums; for an audio series, the creator's share of this month's sales (UTC) less refunds.
 * @throws product.not_found, common.role_not_allowed
 */
export async function revenueOfShow(ctx: Ctx, { id, kind }: FindProduct): Promise<Money[]> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.readBuyers', product);
  const found = KINDS[show.kind].sale === 'subscription' ? await ofSubscriptions(ctx, show) : await ofSales(ctx, show);
  return found.length > 0 ? found : [{ minor: 0, currency: show.currency }];
}

function ofSubscriptions({ db }: Ctx, { id, creatorId }: ProductRow): Promise<Money[]> {
  const { currency, every, priceMinor } = subscriptionSums;
  const aMonth = sql`case ${every} when 'year' then ${priceMinor} / 12.0 else ${priceMinor} end`;
  return db
    .select({ minor: sql<number>`round(sum(${aMonth}))`.mapWith(Number), currency })
    .from(subscriptionSums)
    .where(and(eq(subscriptionSums.creatorId, creatorId), eq(subscriptionSums.productId, id)))
    .groupBy(currency)
    .orderBy(asc(currency));
}

function ofSales({ db, now }: Ctx, { id }: ProductRow): Promise<Money[]> {
  const { currency, amountMinor, refundedMinor, vatMinor, commissionMinor } = sales;
  const share = sql`(${amountMinor} - ${vatMinor} - ${commissionMinor})::numeric`;
  // each part is returned in proportion (payouts/rules.ts)
  const left = sql`round(${share} * (${amountMinor} - ${refundedMinor}) / ${amountMinor})`;
  return db
    .select({ minor: sql<number>`sum(${left})`.mapWith(Number), currency })
    .from(sales)
    .where(and(eq(sales.productId, id), gte(sales.paidAt, boundsOf(utcMonth(now())).from)))
    .groupBy(currency)
    .orderBy(asc(currency));
}
