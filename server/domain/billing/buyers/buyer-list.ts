import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { sales } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import type { Currency } from '../../../base/money';
import type { Page } from '../../../base/paging';
import { countListed } from '../../../policy/holder-counts';
import type { ProductRow } from '../../products/queries';
import type { BuyerState } from '../base/kinds';
import { type BuyerFilter, isFound, isListed, sinceOf } from './buyer-filter';
import { type Db, type People, peopleOf } from './buyer-states';

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

/** A page of the show's buyers, the latest first: their ids by an index, and the rest for these rows only. */
export async function listBuyerPage(
  ctx: Db,
  show: ProductRow,
  { page, pageSize, ...filter }: BuyerFilter & { page: number; pageSize: number },
): Promise<Page<BuyerView>> {
  const found = { where: and(isListed(show), isFound(ctx, show, filter)), since: sinceOf(show) };
  const isFiltered = Boolean(filter.search || filter.state);
  const [ids, total] = await Promise.all([
    ctx.db
      .select({ id: holders.userId })
      .from(holders)
      .where(found.where)
      .orderBy(desc(found.since), desc(holders.userId))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    isFiltered ? ctx.db.$count(holders, found.where) : countBuyers(ctx, show),
  ]);
  const people = peopleOf(ctx, show, idsIn(ids));
  const items = await selectBuyers(ctx, show, people).orderBy(desc(people.since), desc(people.userId));
  return { items, total, page, pageSize };
}

/** The next part of a list of all buyers, in the order of their accounts. */
export async function listBuyersAfter(
  ctx: Db,
  show: ProductRow,
  { after, limit }: { after: number; limit: number },
): Promise<BuyerView[]> {
  const ids = await ctx.db
    .select({ id: holders.userId })
    .from(holders)
    .where(and(eq(holders.creatorId, show.creatorId), isListed(show), gt(holders.userId, after)))
    .orderBy(asc(holders.userId))
    .limit(limit);
  const people = peopleOf(ctx, show, idsIn(ids));
  return selectBuyers(ctx, show, people).orderBy(asc(people.userId));
}

export async function lookupBuyer(ctx: Db, show: ProductRow, userId: number): Promise<BuyerView | null> {
  const [row] = await selectBuyers(ctx, show, peopleOf(ctx, show, [userId]));
  return row ?? null;
}

const idsIn = (rows: { id: number }[]) => rows.map(({ id }) => id);

async function countBuyers({ db }: Db, { id: productId, creatorId, priceMinor }: ProductRow): Promise<number> {
  const [row] = await db.execute<{ total: number }>(
    sql`select ${countListed({ creatorId, productId, isPaid: priceMinor !== null })} as total`,
  );
  return row!.total;
}

/** The sums are computed only for the rows of one page, by the index of each person's sales. */
function selectBuyers({ db }: Db, { id, currency }: ProductRow, people: People) {
  const ownSales = and(eq(sales.userId, people.userId), eq(sales.productId, id));
  const revenue = sql<number>`(
    select coalesce(sum(${sales.amountMinor} - ${sales.refundedMinor}), 0)::int from ${sales}
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
