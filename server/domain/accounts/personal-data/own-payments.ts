import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { refunds, sales } from '~/db/schema/billing';
import { creditNotes } from '~/db/schema/credit-notes';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { type DataFile, inPages, jsonRows } from './rows';

/**
 * The person's receipts, with their refunds and credit notes; also of donations without an account. Our commission is
 * not about them.
 */
export async function* receiptFiles(ctx: Ctx, { id, email }: UserRow): AsyncGenerator<DataFile, void> {
  const isOwn = or(eq(sales.userId, id), and(isNull(sales.userId), eq(sales.email, email)));
  const own = inPages(
    async (after) => {
      const rows = await ctx.db
        .select()
        .from(sales)
        .where(and(isOwn, gt(sales.id, after)))
        .orderBy(asc(sales.id))
        .limit(EXPORT_LIMITS.page);
      return withCorrections(ctx, rows);
    },
    ({ saleId }) => saleId,
  );
  yield { name: 'receipts.json', rows: () => jsonRows(own) };
}

async function withCorrections({ db }: Ctx, rows: (typeof sales.$inferSelect)[]) {
  const ids = rows.map(({ id }) => id);
  const ofRefunds = { saleId: refunds.saleId, amountMinor: refunds.amountMinor, status: refunds.status };
  const [returned, notes] = await Promise.all([
    db
      .select({ ...ofRefunds, refundedAt: refunds.refundedAt })
      .from(refunds)
      .where(inArray(refunds.saleId, ids))
      .orderBy(asc(refunds.refundedAt)),
    db.select().from(creditNotes).where(inArray(creditNotes.saleId, ids)).orderBy(asc(creditNotes.number)),
  ]);
  return rows.map((row) => {
    const { commissionBasisPoints, commissionFixedMinor, commissionMinor, providerFeeMinor, plan, ...sale } = row;
    const isOf = ({ saleId }: { saleId: number }) => saleId === sale.id;
    return { ...sale, saleId: sale.id, refunds: returned.filter(isOf), creditNotes: notes.filter(isOf) };
  });
}
