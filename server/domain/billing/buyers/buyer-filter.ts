import { and, eq, exists, gt, ilike, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { buyerStateCounts, buyerStates } from '~/db/schema/buyers';
import { patternOf } from '~/db/search';
import type { BuyerState } from '~/db/values/buyer-states';
import { DAYS, later, utcDay } from '../../../base/time';
import { countListed } from '../../../policy/holder-counts';
import type { Ctx } from '../../../runtime/ctx';
import type { ProductRow } from '../../products/queries';

export type Db = Pick<Ctx, 'db' | 'now'>;
export type BuyerFilter = { search?: string; state?: BuyerState };

/** The filter as a condition on `buyer_states`: one row for each person. */
export function isFound(ctx: Db, show: Pick<ProductRow, 'id'>, { search, state }: BuyerFilter): SQL | undefined {
  const now = ctx.now();
  const isCurrent = and(lte(buyerStates.begins, now), gt(buyerStates.ends, now));
  const pattern = patternOf(search);
  const isInState = state && eq(buyerStates.state, state);
  return and(eq(buyerStates.productId, show.id), isCurrent, isInState, pattern ? isNamed(ctx, pattern) : undefined);
}

/** The search skips names of people who were only invited, because the list hides them. An index finds the parts of texts. */
function isNamed({ db }: Db, pattern: string): SQL | undefined {
  const named = db
    .select({ id: users.id })
    .from(users)
    .where(or(ilike(users.email, pattern), ilike(users.name, pattern)));
  const hasAddress = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, buyerStates.userId), ilike(users.email, pattern)));
  return and(inArray(buyerStates.userId, named), or(ne(buyerStates.state, 'invited'), exists(hasAddress)));
}

/** The number of people whom `isFound` finds, without a search from sums. */
export async function countFound(ctx: Db, show: ProductRow, filter: BuyerFilter): Promise<number> {
  if (filter.search) return ctx.db.$count(buyerStates, isFound(ctx, show, filter));
  const { id: productId, creatorId, priceMinor } = show;
  const counted = filter.state
    ? countInState(show, filter.state, ctx.now())
    : countListed({ creatorId, productId, isPaid: priceMinor !== null });
  const [row] = await ctx.db.execute<{ total: number }>(sql`select ${counted} as total`);
  return row!.total;
}

/** Those whose state began before today (UTC) and had not ended by then, from the sums; what changed today, one by one. */
function countInState({ id, creatorId }: ProductRow, state: BuyerState, now: Date): SQL<number> {
  const today = utcDay(now);
  const tomorrow = utcDay(later(now, DAYS(1)));
  const own = and(eq(buyerStates.productId, id), eq(buyerStates.state, state));
  const sums = and(eq(buyerStateCounts.creatorId, creatorId), eq(buyerStateCounts.productId, id));
  const inState = eq(buyerStateCounts.state, state);
  const changed = (at: typeof buyerStates.begins | typeof buyerStates.ends) => sql`(
    select count(*)::int from ${buyerStates} where ${own} and ${at} >= ${`${today}T00:00:00Z`}::timestamptz
      and ${at} < ${`${tomorrow}T00:00:00Z`}::timestamptz and ${lte(at, now)})`;
  return sql<number>`(
    (select coalesce(sum(${buyerStateCounts.people}), 0)::float8 from ${buyerStateCounts}
      where ${sums} and ${inState} and ${buyerStateCounts.onDay} < ${today}::date)
    + ${changed(buyerStates.begins)} - ${changed(buyerStates.ends)})`;
}
