import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { buyerStates } from '~/db/schema/buyers';
import { checkouts } from '~/db/schema/checkouts';
import type { BuyerState } from '~/db/values/buyer-states';
import type { Currency } from '../../../base/money';
import type { Page } from '../../../base/paging';
import type { ProductRow } from '../../products/queries';
import { type BuyerFilter, countFound, type Db, isFound } from './buyer-filter';
import { LISTED, type People, peopleOf } from './buyer-states';

/**
 * `until`: the end of access, trial or pause; null without an end. `name`: null for people who were only invited by an
 * address, because a name would reveal that the address has an account. `revenueMinor`: sales less refunds, in the
 * show's currency.
 */
export type BuyerView = {
  userId: number;
  name: string | null;
  email: string;
  state: BuyerState;
  /** The bank waits for the buyer's confirmation of the last payment, which has not failed. */
  isUnconfirmed: boolean;
  since: Date;
  until: Date | null;
  /** Time of the subscription's next charge. */
  renewsAt: Date | null;
  revenueMinor: number;
  currency: Currency;
  every: 'month' | 'year' | null;
  priceMinor: number | null;
  /** Ids at the payment provider, which a creator who leaves keeps. */
  subscription: string | null;
  customer: string | null;
  /** The creator's own account, to which both ids belong; null for our account. */
  account: string | null;
};

/**
 * A page of the show's buyers, the latest first: their ids, read from whichever end of the index is nearer, and the rest
 * for these rows only.
 */
export async function listBuyerPage(
  ctx: Db,
  show: ProductRow,
  { page, pageSize, ...filter }: BuyerFilter & { page: number; pageSize: number },
): Promise<Page<BuyerView>> {
  const total = await countFound(ctx, show, filter);
  const before = (page - 1) * pageSize;
  const limit = Math.max(0, Math.min(pageSize, total - before));
  const behind = total - before - limit;
  const isNearEnd = behind < before;
  const order = isNearEnd ? asc : desc;
  const listed = ctx.db
    .select(LISTED)
    .from(buyerStates)
    .where(isFound(ctx, show, filter))
    .orderBy(order(buyerStates.since), order(buyerStates.userId))
    .limit(limit)
    .offset(isNearEnd ? Math.max(0, behind) : before)
    .as('listed');
  const people = peopleOf(ctx, show.id, listed);
  const items = limit > 0 ? await selectBuyers(ctx, show, people).orderBy(desc(people.since), desc(people.userId)) : [];
  return { items, total, page, pageSize };
}

/** The next part of a list of all buyers, in the order of their accounts. */
export async function listBuyersAfter(
  ctx: Db,
  show: ProductRow,
  { after, limit }: { after: number; limit: number },
): Promise<BuyerView[]> {
  const listed = ctx.db
    .select(LISTED)
    .from(buyerStates)
    .where(and(isFound(ctx, show, {}), gt(buyerStates.userId, after)))
    .orderBy(asc(buyerStates.userId))
    .limit(limit)
    .as('listed');
  const people = peopleOf(ctx, show.id, listed);
  return selectBuyers(ctx, show, people).orderBy(asc(people.userId));
}

export async function lookupBuyer(ctx: Db, show: ProductRow, userId: number): Promise<BuyerView | null> {
  const listed = ctx.db
    .select(LISTED)
    .from(buyerStates)
    .where(and(isFound(ctx, show, {}), eq(buyerStates.userId, userId)))
    .as('listed');
  const [row] = await selectBuyers(ctx, show, peopleOf(ctx, show.id, listed));
  return row ?? null;
}

/** The sums are computed only for the rows of one page, by the index of each person's sales. */
function selectBuyers({ db }: Db, { id, currency }: ProductRow, people: People) {
  const ownSales = and(eq(sales.userId, people.userId), eq(sales.productId, id));
  const revenue = sql<number>`(
    select coalesce(sum(${sales.amountMinor} - ${sales.refundedMinor}), 0)::float8 from ${sales}
    where ${ownSales} and ${sales.currency} = ${currency})`;
  const buyer = sql<string | null>`(
    select ${checkouts.customerId} from ${sales} inner join ${checkouts} on ${checkouts.id} = ${sales.checkoutId}
    where ${ownSales} order by ${sales.paidAt} desc limit 1)`;
  return db
    .select({
      userId: people.userId,
      name: people.name,
      email: people.email,
      state: people.state,
      isUnconfirmed: people.isUnconfirmed,
      since: people.since,
      until: people.until,
      renewsAt: people.renewsAt,
      revenueMinor: revenue,
      currency: sql<Currency>`${currency}`,
      every: people.every,
      priceMinor: people.priceMinor,
      subscription: people.subscription,
      customer: sql<string | null>`coalesce(${people.customer}, ${buyer})`,
      account: people.account,
    })
    .from(people);
}
