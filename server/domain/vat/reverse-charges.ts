import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { csvLine } from '../../base/csv';
import { VAT_LIMITS } from '../../limits/vat';
import type { Ctx } from '../../runtime/ctx';
import { euVatNumber } from './rules';
import { type EuroRates, grossMinor, inEuros, isOfSale, monthsOf, quarterOfSale, requireComplete } from './vat-return';

/** Purchases of a company abroad without VAT, for the recapitulative statement (in Spain form 349, services). */
export type ReverseChargeLine = {
  part: 'sales' | 'correction';
  /** For a correction, the quarter of the sales. */
  quarter: string;
  /** The VAT number with the country's prefix, such as `FRXX999999999`. */
  vatNumber: string;
  name: string;
  currency: string;
  taxableMinor: number;
  taxableEurMinor: number;
};

/**
 * The lines of a quarter, by VAT number, from the books. @throws vat.quarter_unknown, vat.rate_missing,
 * vat.too_many_rows
 */
export async function reverseCharges(ctx: Ctx, quarter: string, rates: EuroRates): Promise<ReverseChargeLine[]> {
  const rows = requireComplete(await sumsOf(ctx, monthsOf(quarter)));
  return rows.map(({ country, taxNumber, ...row }) => {
    const number = euVatNumber(country, taxNumber);
    return {
      part: row.quarter === quarter ? 'sales' : 'correction',
      ...row,
      vatNumber: number ? number.country + number.number : taxNumber,
      taxableEurMinor: inEuros(row, rates)(row.taxableMinor),
    };
  });
}

function sumsOf({ db }: Ctx, { from, to }: { from: Date; to: Date }) {
  const taxNumber = sql<string>`coalesce(${sales.buyer} ->> 'taxNumber', '')`;
  const isInQuarter = and(gte(ledgerEntries.at, from), lt(ledgerEntries.at, to));
  return db
    .select({
      quarter: quarterOfSale,
      country: sales.vatCountry,
      taxNumber,
      name: sql<string>`max(${sales.buyer} ->> 'name')`,
      currency: sql<string>`${sales.currency}`,
      taxableMinor: sql<number>`${grossMinor}`.mapWith(Number),
    })
    .from(ledgerEntries)
    .innerJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .where(and(isInQuarter, eq(sales.vatBasis, 'reverse_charge'), isOfSale))
    .groupBy(quarterOfSale, sales.vatCountry, taxNumber, sales.currency)
    .orderBy(quarterOfSale, sales.vatCountry, taxNumber, sales.currency)
    .limit(VAT_LIMITS.returnRows + 1);
}

const COLUMNS = ['part', 'quarter', 'vat_number', 'name', 'currency', 'taxable', 'taxable_eur'];

export const reverseChargesCsv = (lines: ReverseChargeLine[]): string =>
  [
    COLUMNS,
    ...lines.map(({ part, quarter, vatNumber, name, currency, taxableMinor, taxableEurMinor }) => [
      ...[part, quarter, vatNumber, name, currency.toUpperCase()],
      ...[taxableMinor / 100, taxableEurMinor / 100],
    ]),
  ]
    .map(csvLine)
    .join('');
