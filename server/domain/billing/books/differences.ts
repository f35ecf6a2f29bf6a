import { asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { earlier, monthBounds, utcMonth } from '../../../base/time';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import type { Ctx } from '../../../runtime/ctx';
import { requireOperator } from '../../operators/require-operator';
import type { ViewBooks } from '../base/schema';
import { comparedBooks } from './compare-books';

/** A difference between both books, as operators see it. */
export type Difference = typeof reconciliationDifferences.$inferSelect & {
  creator: string | null;
  show: string | null;
};

/** Open differences, the oldest first. */
export async function listDifferences({ db }: Pick<Ctx, 'db'>): Promise<Difference[]> {
  const rows = await db
    .select({ difference: reconciliationDifferences, creator: creators.domain, show: products.name })
    .from(reconciliationDifferences)
    .leftJoin(creators, eq(creators.id, reconciliationDifferences.creatorId))
    .leftJoin(products, eq(products.id, reconciliationDifferences.productId))
    .where(isNull(reconciliationDifferences.resolvedAt))
    .orderBy(asc(reconciliationDifferences.at), asc(reconciliationDifferences.key))
    .limit(RECONCILIATION_LIMITS.shown);
  return rows.map(({ difference, creator, show }) => ({ ...difference, creator, show }));
}

/** The change of our balance in a month by a creator's show; without a creator: entries that belong to no creator. */
export type MonthOfShow = {
  creator: string | null;
  show: string | null;
  currency: string;
  oursMinor: number;
  theirsMinor: number;
};

type MonthRow = { creator: string | null; show: string | null; currency: string; ours: string; theirs: string };

/** Both books in a month (UTC), by creator and show: the same sums, unless something is wrong. */
export async function compareMonth(ctx: Pick<Ctx, 'db' | 'now'>, from: Date, to: Date): Promise<MonthOfShow[]> {
  const { edge, written } = RECONCILIATION_LIMITS;
  const rows = await ctx.db.execute<MonthRow>(sql`
    select c.domain as creator, p.name as show, b.currency,
      coalesce(sum(b.ours), 0)::bigint as ours, coalesce(sum(b.theirs), 0)::bigint as theirs
    from (${comparedBooks(ctx, earlier(from, edge))}) b
    left join creators c on c.id = b.creator_id
    left join products p on p.id = b.product_id
    where b.at >= ${from.toISOString()}::timestamptz and b.at < ${to.toISOString()}::timestamptz
    group by 1, 2, 3 order by 1 nulls last, 2 nulls last, 3 limit ${written}`);
  return rows.map(({ creator, show, currency, ours, theirs }) => ({
    ...{ creator, show, currency },
    oursMinor: Number(ours),
    theirsMinor: Number(theirs),
  }));
}

export type BooksView = {
  /** The last completed comparison. */
  last: { finishedAt: Date; entries: number } | null;
  differences: Pick<Difference, 'key' | 'at' | 'creator' | 'show' | 'currency' | 'oursMinor' | 'theirsMinor'>[];
  month: string;
  shows: MonthOfShow[];
};

/** The data of the operators' page about the books. @throws as requireOperator */
export async function viewBooks(ctx: Ctx, { month = utcMonth(ctx.now()) }: ViewBooks): Promise<BooksView> {
  await requireOperator(ctx);
  const [from, to] = monthBounds(month);
  const [[last], differences, shows] = await Promise.all([
    ctx.db
      .select()
      .from(reconciliations)
      .where(isNotNull(reconciliations.finishedAt))
      .orderBy(desc(reconciliations.finishedAt))
      .limit(1),
    listDifferences(ctx),
    compareMonth(ctx, from, to),
  ]);
  return {
    last: last?.finishedAt ? { finishedAt: last.finishedAt, entries: last.entries } : null,
    differences: differences.map(({ key, at, creator, show, currency, oursMinor, theirsMinor }) => ({
      ...{ key, at, creator, show, currency, oursMinor, theirsMinor },
    })),
    month,
    shows,
  };
}
