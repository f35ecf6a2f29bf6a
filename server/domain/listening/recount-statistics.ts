import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { statisticsRecounts } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, monthsLater, utcDay } from '../../base/time';
import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { recountWithStore } from './errors';
import { recountMinutes } from './recount-minutes';
import { recountMonth } from './recount-month';

/** UTC months, as `YYYY-MM`; `to` is included. `productId`: null for all shows. */
export type Recount = { operator: Operator; from: string; to: string; productId: number | null };

/** `removed`: downloads of machines. `kept`: months whose events are gone, so that their sums stay. */
export type Recounted = { shows: number; removed: number; kept: number };

type OpenRecount = typeof statisticsRecounts.$inferSelect;

/**
 * Counts past months again, show by show. A recount that was stopped continues after the last finished show when it is
 * started with the same months; counting a show twice changes nothing. @throws listening.recount_with_store
 */
export async function recountStatistics(ctx: Ctx, { operator, ...range }: Recount): Promise<Recounted> {
  if (ctx.ports.statistics.store !== null) throw recountWithStore();
  const recount = await openRecount(ctx, range);
  const months = monthsBetween(recount);
  const sum: Recounted = { shows: 0, removed: 0, kept: 0 };
  let show = await nextShow(ctx, recount, recount.doneProductId);
  while (show) {
    for (const month of months) {
      const { removed, isKept } = await recountMonth(ctx, { ...show, ...month });
      // the minutes of a month with plays of a backup, or of deleted events, contain others than our rows, too
      if (!isKept) await recountMinutes(ctx, { ...show, ...month });
      sum.removed += removed;
      sum.kept += isKept ? 1 : 0;
    }
    await noteProgress(ctx, recount, { doneProductId: show.productId });
    sum.shows += 1;
    await ctx.reach('recount.show');
    show = await nextShow(ctx, recount, show.productId);
  }
  await transact(ctx, async (tx) => {
    await noteProgress(tx, recount, { finishedAt: tx.now() });
    const { from, to, productId } = range;
    const target = productId === null ? 'statistics' : `product/${productId}`;
    await recordOperation(tx, operator, { action: 'statistics.recounted', target, details: { from, to, ...sum } });
  });
  return sum;
}

/** The unfinished recount of the same months and shows, or a new one. */
async function openRecount({ db }: Ctx, { from, to, productId }: Omit<Recount, 'operator'>): Promise<OpenRecount> {
  const lastDay = earlier(monthsLater(new Date(`${to}-01`), 1), DAYS(1));
  const range = { fromDay: `${from}-01`, toDay: utcDay(lastDay), productId };
  await db.insert(statisticsRecounts).values(range).onConflictDoNothing();
  const [open] = await db
    .select()
    .from(statisticsRecounts)
    .where(
      and(
        eq(statisticsRecounts.fromDay, range.fromDay),
        eq(statisticsRecounts.toDay, range.toDay),
        productId === null ? isNull(statisticsRecounts.productId) : eq(statisticsRecounts.productId, productId),
        isNull(statisticsRecounts.finishedAt),
      ),
    );
  return open!;
}

function monthsBetween({ fromDay, toDay }: OpenRecount): { from: string; until: string }[] {
  const months: { from: string; until: string }[] = [];
  for (let first = new Date(fromDay); utcDay(first) <= toDay; first = monthsLater(first, 1))
    months.push({ from: utcDay(first), until: utcDay(monthsLater(first, 1)) });
  return months;
}

async function nextShow({ db }: Ctx, { productId, fromDay, toDay }: OpenRecount, after: number) {
  const inRange = sql`creator_id = ${products.creatorId} and product_id = ${products.id}
    and day between ${fromDay}::date and ${toDay}::date`;
  const [show] = await db
    .select({ productId: products.id, creatorId: products.creatorId })
    .from(products)
    .where(
      and(
        gt(products.id, after),
        productId === null ? undefined : eq(products.id, productId),
        sql`(exists(select from downloads where ${inRange}) or exists(select from listens where ${inRange})
          or exists(select from heard_minutes where ${inRange}))`,
      ),
    )
    .orderBy(asc(products.id))
    .limit(1);
  return show ?? null;
}

async function noteProgress({ db }: Pick<Ctx, 'db'>, { id }: OpenRecount, progress: Partial<OpenRecount>) {
  await db.update(statisticsRecounts).set(progress).where(eq(statisticsRecounts.id, id));
}
