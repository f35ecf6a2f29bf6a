import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { ledgerEntries } from '~/db/schema/ledger';
import { VAT_LIMITS } from '../../limits/vat';
import type { Ctx } from '../../runtime/ctx';
import { monthsOf, requireComplete } from './vat-return';

/**
 * The sales of a quarter with fewer than two pieces of evidence for their country, for review by the operator (Art. 24b
 * of Implementing Regulation (EU) 282/2011). Sales with a VAT number and donations need no evidence.
 * @throws vat.quarter_unknown, vat.too_many_rows
 */
export async function listUnconfirmed({ db }: Ctx, quarter: string) {
  const { from, to } = monthsOf(quarter);
  const agreeing = sql<number>`(
    select count(*) from jsonb_array_elements(${sales.vatEvidence}) piece where piece ->> 'country' = ${sales.vatCountry})`;
  const rows = await db
    .select({ sale: sales })
    .from(ledgerEntries)
    .innerJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .where(
      and(
        and(gte(ledgerEntries.at, from), lt(ledgerEntries.at, to), eq(ledgerEntries.kind, 'sale')),
        inArray(sales.vatBasis, ['charged', 'outside_eu']),
        sql`${agreeing} < 2`,
      ),
    )
    .orderBy(asc(sales.paidAt), asc(sales.id))
    .limit(VAT_LIMITS.returnRows + 1);
  return requireComplete(rows).map(({ sale }) => sale);
}
