import { formatNumber, type Locale } from './formats';

/** Amounts are integers in the minor unit (cents), always with their currency. */
export const CURRENCIES = ['eur', 'usd'] as const;
export type Currency = (typeof CURRENCIES)[number];
export type Money = { minor: number; currency: Currency };
/** An amount in any currency (ISO 4217, in lower case), as the payment provider states it. */
export type AnyMoney = { minor: number; currency: string };

/** The same amount as our `Money`. @throws for a currency in which we do not sell */
export function inOurs({ minor, currency }: AnyMoney): Money {
  const known = CURRENCIES.find((ours) => ours === currency);
  if (!known) throw new Error(`the payment provider speaks of ${currency}, in which this product does not sell`);
  return { minor, currency: known };
}

const MINOR_DIGITS = 2;

/** `"4.99"`, the format of REST amounts. */
export function toDecimal(minor: number): string {
  return (minor / 10 ** MINOR_DIGITS).toFixed(MINOR_DIGITS);
}

/** `4.99` or `4,99` → 499; null if the text is not an amount with at most two decimals. */
export function fromDecimal(text: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(MINOR_DIGITS, '0'));
}

/** The amount in a reader's format: `€4.99`, `4,99 €`. English pages write `$4.99`, not `US$4.99`. */
export function formatMoney({ minor, currency }: Money, locale: Locale): string {
  return formatNumber(minor / 10 ** MINOR_DIGITS, locale, asMoney(currency, locale));
}

const asMoney = (currency: Currency, locale: Locale) =>
  ({ style: 'currency', currency, currencyDisplay: locale === 'en-GB' ? 'narrowSymbol' : 'symbol' }) as const;

/** For buttons: without decimals if they are zero, such as `€4`. */
export function formatShortMoney({ minor, currency }: Money, locale: Locale): string {
  const format = { ...asMoney(currency, locale), trailingZeroDisplay: 'stripIfInteger' } as const;
  return formatNumber(minor / 10 ** MINOR_DIGITS, locale, format);
}

/** Floor of 100 × (12 × monthly − annual) / (12 × monthly), spec §9; null if either price is missing. */
export function annualSavingPercent(monthly: number | null, annual: number | null): number | null {
  if (!monthly || !annual) return null;
  return Math.max(0, Math.floor((100 * (12 * monthly - annual)) / (12 * monthly)));
}

const EURO_COUNTRIES = new Set(
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '),
);

/** The currency of a country (ISO 3166-1 alpha-2): the euro where it is legal tender, otherwise US dollars. */
export function currencyOf(country: string): Currency {
  return EURO_COUNTRIES.has(country) ? 'eur' : 'usd';
}
