import { and, asc, count, eq, gte, inArray, lt, sql } from 'drizzle-orm';
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
  const rows = await db
    .select({ sale: sales })
    .from(ledgerEntries)
    .innerJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .where(isUnconfirmed(monthsOf(quarter)))
    .orderBy(asc(sales.paidAt), asc(sales.id))
    .limit(VAT_LIMITS.returnRows + 1);
  return requireComplete(rows).map(({ sale }) => sale);
}

/** A consumer below the threshold of the Union pays the operator's own VAT in any country, which needs no evidence. */
function isUnconfirmed({ from, to }: { from: Date; to: Date }) {
  const agreeing = sql<number>`(
    select count(*) from jsonb_array_elements(${sales.vatEvidence}) piece where piece ->> 'country' = ${sales.vatCountry})`;
  return and(
    and(gte(ledgerEntries.at, from), lt(ledgerEntries.at, to), eq(ledgerEntries.kind, 'sale')),
    inArray(sales.vatBasis, ['charged', 'outside_eu']),
    sql`${agreeing} < 2`,
  );
}

/** The number of these sales, by the quarter of the sale. @throws vat.quarter_unknown */
export async function countUnconfirmed(
  { db }: Pick<Ctx, 'db'>,
  { first, last }: { first: string; last: string },
): Promise<{ quarter: string; count: number }[]> {
  const quarter = quarterOfEntry;
  return db
    .select({ quarter, count: count() })
    .from(ledgerEntries)
    .innerJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .where(isUnconfirmed({ from: monthsOf(first).from, to: monthsOf(last).to }))
    .groupBy(quarter)
    .orderBy(quarter)
    .limit(VAT_LIMITS.returnRows);
}

const quarterOfEntry = sql<string>`to_char(${ledgerEntries.at} at time zone 'UTC', 'YYYY"-Q"Q')`;
