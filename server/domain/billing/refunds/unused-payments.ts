import { and, eq, gt, isNull, lte, type SQLWrapper, sql } from 'drizzle-orm';
import { sales, subscriptions } from '~/db/schema/billing';
import { type UnusedPayments, unusedPayments } from '~/db/schema/unused-payments';
import { earlier } from '../../../base/time';
import { END_REFUND_LIMITS } from '../../../limits/billing';
import { authorize } from '../../../policy/authorize';
import { computeUnused } from '../../../queue/jobs/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import { partsOf } from '../../payouts/rules';
import { findProductRecord } from '../../products/queries';
import type { FindProduct } from '../../products/schema';

/** `found` is null while a job computes it. */
export type AskedUnused = { askedAt: Date; found: UnusedPayments | null };

/**
 * What refunding the unused parts of all subscriptions to a show would cost; null if nobody has asked within the last
 * minutes. @throws product.not_found
 */
export async function findUnused(ctx: Ctx, { id, kind }: FindProduct): Promise<AskedUnused | null> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.price', product);
  const { askedAt, found } = unusedPayments;
  const [asked] = await ctx.db
    .select({ askedAt, found })
    .from(unusedPayments)
    .where(and(eq(unusedPayments.productId, show.id), gt(askedAt, shownSince(ctx))));
  return asked ?? null;
}

/**
 * Queues the computation, because the sum over all subscriptions takes longer than a page may. Repeating it changes
 * nothing while an answer is under way or shown. @throws product.not_found
 */
export async function askForUnused(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.price', product);
  const asked = { askedAt: ctx.now(), found: null };
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .insert(unusedPayments)
      .values({ productId: show.id, ...asked })
      .onConflictDoUpdate({
        target: unusedPayments.productId,
        set: asked,
        setWhere: lte(unusedPayments.askedAt, shownSince(ctx)),
      })
      .returning({ productId: unusedPayments.productId });
    if (row) await tx.jobs.enqueue(computeUnused, row);
  });
}

const shownSince = (ctx: Ctx) => earlier(ctx.now(), END_REFUND_LIMITS.shown);

/**
 * The job: an upper bound, never less than what goes back. It uses our own books, because the provider would need a
 * call for each subscription.
 */
export async function computeUnusedPayments(ctx: Ctx, { productId }: { productId: number }): Promise<void> {
  const found = await sumUnused(ctx, productId);
  await ctx.db.update(unusedPayments).set({ found }).where(eq(unusedPayments.productId, productId));
}

async function sumUnused(ctx: Ctx, productId: number): Promise<UnusedPayments> {
  const parts = unusedParts(ctx, productId);
  const rows = await ctx.db
    .select({
      currency: parts.currency,
      minor: sql<number>`sum(${parts.minor})`.mapWith(Number),
      commissionMinor: sql<number>`sum(${parts.commission})`.mapWith(Number),
      vatMinor: sql<number>`sum(${parts.vat})`.mapWith(Number),
      subscriptions: sql<number>`count(*)`.mapWith(Number),
    })
    .from(parts)
    .groupBy(parts.currency)
    .orderBy(parts.currency);
  return {
    totals: rows.map(({ currency, minor, commissionMinor, vatMinor }) => {
      const { shareMinor } = partsOf({ amountMinor: minor, commissionMinor, vatMinor });
      const money = (amount: number) => ({ minor: amount, currency });
      return {
        ...{ refund: money(minor), share: money(shareMinor) },
        ...{ commission: money(commissionMinor), vat: money(vatMinor) },
      };
    }),
    subscriptions: rows.reduce((sum, row) => sum + row.subscriptions, 0),
  };
}

/**
 * One row per subscription. The unused part of the period shrinks with time, and no more than is left of the payments
 * goes back. The period costs its price, of which a credit may have paid a part: after a change to yearly, the payment is
 * less than the price by the unused part of the month. Disputed payments count, because they can be refunded once the
 * bank has returned them.
 */
function unusedParts({ db, now }: Ctx, productId: number) {
  const at = sql`${now().toISOString()}::timestamptz`;
  const left = sql`(${sales.amountMinor} - ${sales.refundedMinor})`;
  const rest = (from: unknown, to: unknown) =>
    sql`least(1, extract(epoch from ${to} - ${at}) / nullif(extract(epoch from ${to} - ${from}), 0))`;
  const cost = sql`greatest(${sales.amountMinor}, ${subscriptions.priceMinor} - ${sales.discountMinor})`;
  const unused = sql`ceil(${cost} * ${rest(sales.periodStart, sales.periodEnd)})`;
  const bound = sql`least(sum(${left}), max(${unused}))`;
  const partOf = (minor: SQLWrapper) => sql`round(${bound} * sum(${minor})::numeric / sum(${sales.amountMinor}))`;
  return db
    .select({
      currency: sales.currency,
      minor: sql<number>`${bound}`.as('minor'),
      commission: sql<number>`${partOf(sales.commissionMinor)}`.as('commission'),
      vat: sql<number>`${partOf(sales.vatMinor)}`.as('vat'),
    })
    .from(subscriptions)
    .innerJoin(sales, eq(sales.subscriptionId, subscriptions.id))
    .where(
      and(
        eq(subscriptions.productId, productId),
        eq(subscriptions.purpose, 'show'),
        isNull(subscriptions.endedAt),
        gt(sales.periodEnd, now()),
        sql`${left} > 0`,
      ),
    )
    .groupBy(subscriptions.id, sales.currency)
    .as('parts');
}
