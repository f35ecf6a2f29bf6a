import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { csvLine } from '../../base/csv';
import { VAT_LIMITS } from '../../limits/vat';
import type { Ctx } from '../../runtime/ctx';
import { quarterUnknown, rateMissing, tooManyRows } from './errors';
import { mayCorrect, quarterOf } from './rules';

/**
 * A line of a quarter's VAT return, in minor units. `oss`: sales to consumers of other countries, for the One Stop
 * Shop. `correction`: returned amounts of an earlier quarter's sales, which the return lists separately. `domestic`:
 * for the operator's own return.
 */
export type ReturnLine = {
  part: 'oss' | 'correction' | 'domestic';
  /** For a correction, the quarter of the sales. */
  quarter: string;
  country: string;
  basisPoints: number;
  currency: string;
  taxableMinor: number;
  vatMinor: number;
  /** In euros, at the rate of the quarter of the sales. */
  taxableEurMinor: number;
  vatEurMinor: number;
};
/** `tooOld`: corrections after three years, which go to the country itself instead of into the return. */
export type VatReturn = { lines: ReturnLine[]; tooOld: ReturnLine[] };
/**
 * The value of one euro in a currency on the last day of a quarter, or the next day for which the European Central Bank
 * publishes it (Art. 369h of Directive 2006/112/EC): `{ 'usd@2026-Q3': 1.0837 }`. A correction has the rate of the quarter that it corrects.
 */
export type EuroRates = Record<string, number>;

/**
 * The VAT of a quarter such as `2026-Q3`, by country and rate, from the books: refunds and disputes reduce it.
 * @throws vat.quarter_unknown, vat.rate_missing for a currency without a rate, vat.too_many_rows
 */
export async function vatReturn(ctx: Ctx, quarter: string, rates: EuroRates): Promise<VatReturn> {
  const months = monthsOf(quarter);
  const rows = requireComplete(await sumsOf(ctx, months));
  const own = ctx.settings.operator.country;
  const lines = rows.map((row): ReturnLine => {
    const part = row.country === own ? 'domestic' : row.quarter === quarter ? 'oss' : 'correction';
    const euros = inEuros(row, rates);
    return { part, ...row, taxableEurMinor: euros(row.taxableMinor), vatEurMinor: euros(row.vatMinor) };
  });
  const isTooOld = (line: ReturnLine) => line.part === 'correction' && !mayCorrect(months, monthsOf(line.quarter));
  return { lines: lines.filter((line) => !isTooOld(line)), tooOld: lines.filter(isTooOld) };
}

/** The first moment of a quarter, and of the next quarter. @throws vat.quarter_unknown */
export function monthsOf(quarter: string): { from: Date; to: Date } {
  const months = quarterOf(quarter);
  if (!months) throw quarterUnknown({ quarter });
  return months;
}

/** Returns all rows; they were read with a limit of one more than allowed. @throws vat.too_many_rows */
export function requireComplete<Row>(rows: Row[]): Row[] {
  if (rows.length > VAT_LIMITS.returnRows) throw tooManyRows({ max: VAT_LIMITS.returnRows });
  return rows;
}

/** @throws vat.rate_missing */
export function inEuros({ currency, quarter }: { currency: string; quarter: string }, rates: EuroRates) {
  if (currency === 'eur') return (minor: number) => minor;
  const rate = rates[`${currency}@${quarter}`];
  if (!rate) throw rateMissing({ currency: currency.toUpperCase(), quarter });
  return (minor: number) => Math.round(minor / rate);
}

type Sums = Omit<ReturnLine, 'part' | 'taxableEurMinor' | 'vatEurMinor'>;

const isCharged = inArray(sales.vatBasis, ['charged', 'charged_at_home']);
/** The kinds of entries that change the amount of a sale. */
export const isOfSale = sql`${ledgerEntries.kind} in ('sale', 'refund', 'refund_failed', 'dispute', 'dispute_won')`;
export const quarterOfSale = sql<string>`to_char(${sales.paidAt} at time zone 'UTC', 'YYYY"-Q"Q')`;
export const grossMinor = sql`coalesce(sum(${ledgerLines.amountMinor}) filter (where ${ledgerLines.account} = 'provider_balance'), 0)`;

/** Each entry contains the amount that moved at the provider, and the VAT in it. */
function sumsOf({ db }: Ctx, { from, to }: { from: Date; to: Date }): Promise<Sums[]> {
  const vat = sql`coalesce(-sum(${ledgerLines.amountMinor}) filter (where ${ledgerLines.account} = 'vat_payable'), 0)`;
  return db
    .select({
      quarter: quarterOfSale,
      country: sql<string>`${sales.vatCountry}`,
      basisPoints: sales.vatBasisPoints,
      currency: sql<string>`${sales.currency}`,
      taxableMinor: sql<number>`${grossMinor} - ${vat}`.mapWith(Number),
      vatMinor: sql<number>`${vat}`.mapWith(Number),
    })
    .from(ledgerEntries)
    .innerJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .where(and(gte(ledgerEntries.at, from), lt(ledgerEntries.at, to), isCharged, isOfSale))
    .groupBy(quarterOfSale, sales.vatCountry, sales.vatBasisPoints, sales.currency)
    .orderBy(quarterOfSale, sales.vatCountry, sales.vatBasisPoints, sales.currency)
    .limit(VAT_LIMITS.returnRows + 1);
}

const AMOUNTS = ['taxable', 'vat', 'taxable_eur', 'vat_eur'];
const COLUMNS = ['part', 'quarter', 'country', 'rate_percent', 'currency', ...AMOUNTS, 'note'];
/** A line that tells the operator something that belongs into no return. */
export type ReturnNotice = { quarter: string; country: string; text: string };

/** The return as a table for a spreadsheet, or for the form of the tax office. */
export const returnCsv = (lines: ReturnLine[], notices: ReturnNotice[]): string =>
  [COLUMNS, ...lines.map(cellsOf), ...notices.map(noticeCells)].map(csvLine).join('');

const noticeCells = ({ quarter, country, text }: ReturnNotice) => [
  ...['notice', quarter, country, '', ''],
  ...AMOUNTS.map(() => ''),
  text,
];

const cellsOf = ({ part, quarter, country, basisPoints, currency, ...amounts }: ReturnLine) => [
  ...[part, quarter, country, basisPoints / 100, currency.toUpperCase()],
  ...[amounts.taxableMinor, amounts.vatMinor, amounts.taxableEurMinor, amounts.vatEurMinor].map((minor) => minor / 100),
  '',
];
