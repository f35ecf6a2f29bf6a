import { and, gte, lt, sql } from 'drizzle-orm';
import { sales, type VatBasis } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { monthsLater } from '../../base/time';
import { VAT_LIMITS } from '../../limits/vat';
import type { Ctx } from '../../runtime/ctx';
import { isInEu } from './kinds';
import { PER_EURO, RATES_ON, REGISTRATION_RULES, type RegistrationRule } from './registration-rules';
import { isOfSale, monthsOf, type ReturnNotice, requireComplete } from './vat-return';

/** Sales by the operator without VAT and refunds, in minor units: of the last twelve months, this year and the last one. */
export type SoldTo = {
  country: string;
  basis: VatBasis | null;
  currency: string;
  twelveMonths: number;
  thisYear: number;
  lastYear: number;
};

/** A country where the operator has to register, or soon will. */
export type Registration = {
  rule: RegistrationRule;
  /** Sales there in whole units of the rule's currency, or of euros if we have no rate for it. */
  sold: number;
  currency: string;
  /** Of the threshold: at least 1 if it is reached. */
  share: number;
  isReached: boolean;
};

/**
 * Sales of the operator by country, from the books, as known at a moment. Donations are no sales, and sales on the
 * creators' own accounts are theirs. @throws vat.too_many_rows
 */
export async function soldByCountry({ db }: Pick<Ctx, 'db'>, at: Date): Promise<SoldTo[]> {
  const thisYear = new Date(Date.UTC(at.getUTCFullYear(), 0, 1));
  const lastYear = new Date(Date.UTC(at.getUTCFullYear() - 1, 0, 1));
  const country = sql<string>`${sales.vatCountry}`;
  const isSold = sql`${sales.vatCountry} is not null and ${sales.vatBasis} is distinct from 'donation'`;
  const rows = await db
    .select({
      country,
      basis: sales.vatBasis,
      currency: sql<string>`${sales.currency}`,
      twelveMonths: netMinor(monthsLater(at, -12), at),
      thisYear: netMinor(thisYear, at),
      lastYear: netMinor(lastYear, thisYear),
    })
    .from(ledgerEntries)
    .innerJoin(sales, sql`${sales.id} = ${ledgerEntries.saleId}`)
    .innerJoin(ledgerLines, sql`${ledgerLines.entryId} = ${ledgerEntries.id}`)
    .where(and(gte(ledgerEntries.at, lastYear), lt(ledgerEntries.at, at), isOfSale, isSold))
    .groupBy(country, sales.vatBasis, sales.currency)
    .orderBy(country, sales.vatBasis, sales.currency)
    .limit(VAT_LIMITS.returnRows + 1);
  return requireComplete(rows);
}

/** The VAT is a credit, so the sum is the amount without it. */
const netMinor = (from: Date, to: Date) =>
  sql<number>`coalesce(sum(${ledgerLines.amountMinor}) filter (
    where ${ledgerLines.account} in ('provider_balance', 'vat_payable')
      and ${ledgerEntries.at} >= ${from.toISOString()}::timestamptz and ${ledgerEntries.at} < ${to.toISOString()}::timestamptz
  ), 0)`.mapWith(Number);

type Home = { country: string; taxRegistrations: readonly string[] };

/** The countries whose threshold is reached by `VAT_LIMITS.warnFromShare` or more, the most urgent first. */
export function registrationsDue(sold: SoldTo[], { country, taxRegistrations }: Home): Registration[] {
  const isElsewhere = ({ countries }: RegistrationRule) =>
    !countries.some((one) => one === country || taxRegistrations.includes(one));
  return REGISTRATION_RULES.filter(isElsewhere)
    .flatMap((rule) => registrationOf(rule, sold) ?? [])
    .toSorted((a, b) => b.share - a.share);
}

function registrationOf(rule: RegistrationRule, sold: SoldTo[]): Registration | null {
  const { countries, threshold, worldThreshold = 0, currency } = rule;
  const there = soldIn(rule, (to) => countries.includes(to.country), sold);
  if (threshold === null || there <= 0) return null;
  const everywhere = soldIn(rule, () => true, sold);
  const share = Math.min(shareOf(there, threshold, currency), shareOf(everywhere, worldThreshold, currency));
  if (share < VAT_LIMITS.warnFromShare) return null;
  const shown = currency in PER_EURO ? currency : 'eur';
  return { rule, sold: Math.round(there * rateOf(shown)), currency: shown, share, isReached: share >= 1 };
}

/** In euros. Of two years, the one with more sales. */
function soldIn({ period }: RegistrationRule, isMeant: (to: SoldTo) => boolean, sold: SoldTo[]): number {
  const meant = sold.filter(isMeant);
  if (period === 'twelve_months') return eurosOf(meant, 'twelveMonths');
  return Math.max(eurosOf(meant, 'thisYear'), eurosOf(meant, 'lastYear'));
}

const eurosOf = (sold: SoldTo[], period: 'twelveMonths' | 'thisYear' | 'lastYear'): number =>
  sold.reduce((sum, to) => sum + to[period] / 100 / rateOf(to.currency), 0);

/** The first sale reaches a threshold of 0, in any currency. */
const shareOf = (euros: number, threshold: number, currency: string): number =>
  threshold === 0 ? Number.MAX_VALUE : (euros * rateOf(currency)) / threshold;

const rateOf = (currency: string): number => PER_EURO[currency] ?? 1;

/** Countries outside the Union with sales for which there is no rule, so that nobody has looked at them. */
export function countriesWithoutRule(sold: SoldTo[], home: Pick<Home, 'country'>): string[] {
  const known = new Set([home.country, ...REGISTRATION_RULES.flatMap(({ countries }) => countries)]);
  const unknown = sold.filter(
    ({ country, twelveMonths }) => twelveMonths > 0 && !isInEu(country) && !known.has(country),
  );
  return [...new Set(unknown.map(({ country }) => country))];
}

/**
 * Sales to consumers in other countries of the Union in euros, without VAT: of this year and of the last one. Above the
 * threshold in either, the VAT is the buyer's country's (Art. 59c of Directive 2006/112/EC).
 */
export function soldToConsumersAbroad(sold: SoldTo[], home: Pick<Home, 'country'>) {
  const isAbroad = ({ basis, country }: SoldTo) =>
    basis === 'charged_at_home' || (basis === 'charged' && country !== home.country);
  const abroad = sold.filter(isAbroad);
  return { thisYear: eurosOf(abroad, 'thisYear'), lastYear: eurosOf(abroad, 'lastYear') };
}

/** One line for operators, such as `NO: 41000 of 50000 NOK, 82 % (VAT (VOEC), https://…)`. */
export function describeRegistration({ rule, sold, currency, share, isReached }: Registration): string {
  const { countries, tax, threshold, isOfficial, source, note } = rule;
  const amount = threshold ? `${sold} of ${threshold} ${currency.toUpperCase()}` : `${sold} ${currency.toUpperCase()}`;
  const part = threshold ? `, ${Math.floor(share * 100)} %` : ', the first sale counts';
  const hint = [note, isOfficial ? null : 'not confirmed by an official source'].filter(Boolean).join('; ');
  const what = isReached ? 'register' : 'a registration is near';
  const detail = `${tax}${hint ? `: ${hint}` : ''}; ${source}; at rates of ${RATES_ON}`;
  return `${countries.join(' and ')}: ${what}: sales of ${amount}${part} (${detail})`;
}

/**
 * What a return of a quarter says about countries outside the Union: at the end of the quarter, or now.
 * @throws vat.quarter_unknown, vat.too_many_rows
 */
export async function registrationNotices(ctx: Ctx, quarter: string): Promise<ReturnNotice[]> {
  const { to } = monthsOf(quarter);
  const sold = await soldByCountry(ctx, new Date(Math.min(to.getTime(), ctx.now().getTime())));
  return registrationsDue(sold, ctx.settings.operator).map((due) => ({
    quarter,
    country: due.rule.countries.join(' '),
    text: describeRegistration(due),
  }));
}
