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
  creatorId: number | null;
  creator: string | null;
  show: string | null;
  currency: string;
  oursMinor: number;
  theirsMinor: number;
  /** By entries that were compared. */
  differenceMinor: number;
  /** By entries since the last comparison, most of which the provider’s books lack until the next one. */
  uncomparedMinor: number;
};

type MonthRow = {
  creator_id: string | null;
  creator: string | null;
  show: string | null;
  currency: string;
  ours: string;
  theirs: string;
  uncompared: string;
};

/** Both books in a month (UTC), by creator and show: the same sums of compared entries, unless something is wrong. */
export async function compareMonth(ctx: Pick<Ctx, 'db' | 'now'>, from: Date, to: Date): Promise<MonthOfShow[]> {
  const { edge, settles, written } = RECONCILIATION_LIMITS;
  const last = await lastComparison(ctx);
  const until = (last ? earlier(last.startedAt, settles) : new Date(0)).toISOString();
  const rows = await ctx.db.execute<MonthRow>(sql`
    select b.creator_id, c.domain as creator, p.name as show, b.currency,
      coalesce(sum(b.ours), 0)::bigint as ours, coalesce(sum(b.theirs), 0)::bigint as theirs,
      coalesce(sum(coalesce(b.ours, 0) - coalesce(b.theirs, 0))
        filter (where b.at > ${until}::timestamptz), 0)::bigint as uncompared
    from (${comparedBooks(ctx, earlier(from, edge))}) b
    left join creators c on c.id = b.creator_id
    left join products p on p.id = b.product_id
    where b.at >= ${from.toISOString()}::timestamptz and b.at < ${to.toISOString()}::timestamptz
    group by 1, 2, 3, 4 order by 2 nulls last, 3 nulls last, 4 limit ${written}`);
  return rows.map(({ creator_id: creatorId, creator, show, currency, ...sums }) => {
    const oursMinor = Number(sums.ours);
    const theirsMinor = Number(sums.theirs);
    const uncomparedMinor = Number(sums.uncompared);
    return {
      creatorId: creatorId === null ? null : Number(creatorId),
      ...{ creator, show, currency, oursMinor, theirsMinor, uncomparedMinor },
      differenceMinor: oursMinor - theirsMinor - uncomparedMinor,
    };
  });
}

/** The last completed comparison. */
async function lastComparison({ db }: Pick<Ctx, 'db'>) {
  const [last] = await db
    .select()
    .from(reconciliations)
    .where(isNotNull(reconciliations.finishedAt))
    .orderBy(desc(reconciliations.finishedAt))
    .limit(1);
  return last ?? null;
}

export type BooksView = {
  /** The last completed comparison. */
  last: { finishedAt: Date; entries: number } | null;
  differences: Pick<
    Difference,
    'key' | 'at' | 'creatorId' | 'creator' | 'show' | 'currency' | 'oursMinor' | 'theirsMinor'
  >[];
  month: string;
  shows: MonthOfShow[];
};

/** The data of the operators' page about the books. @throws as requireOperator */
export async function viewBooks(ctx: Ctx, { month = utcMonth(ctx.now()) }: ViewBooks): Promise<BooksView> {
  await requireOperator(ctx);
  const [from, to] = monthBounds(month);
  const [last, differences, shows] = await Promise.all([
    lastComparison(ctx),
    listDifferences(ctx),
    compareMonth(ctx, from, to),
  ]);
  return {
    last: last?.finishedAt ? { finishedAt: last.finishedAt, entries: last.entries } : null,
    differences: differences.map(({ key, at, creatorId, creator, show, currency, oursMinor, theirsMinor }) => ({
      ...{ key, at, creatorId, creator, show, currency, oursMinor, theirsMinor },
    })),
    month,
    shows,
  };
}
