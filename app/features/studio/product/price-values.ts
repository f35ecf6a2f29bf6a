import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { annualSavingPercent, CURRENCIES, type Currency, fromDecimal } from '~/server/base/money';
import { KIND_NAMES, KINDS, type KindName } from '~/server/domain/products/kinds';
import {
  FREE_PRICES,
  PLAN_TYPES,
  type PriceInput,
  type Prices,
  priceProblem,
  pricesAfter,
} from '~/server/domain/products/rules';

export const isPaid = (values: FormValues) => values.planType !== 'free';
export const kindOf = (values: FormValues): KindName =>
  KIND_NAMES.find((name) => name === values.kind) ?? KIND_NAMES[0];
export const hasYearlyPrice = (values: FormValues) => KINDS[kindOf(values)].sale === 'subscription';

const AMOUNTS = ['price', 'annualPrice'];
/** The fields that decide the bounds of the amounts. */
export const PRICE_ERRORS = { kind: AMOUNTS, planType: AMOUNTS, currency: AMOUNTS, price: ['annualPrice'] };

/** As `fromDecimal` reads it. */
const AMOUNT = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false } as const;

/** The initial values of the price's fields. */
export function priceValues(product: Prices | null, currency: Currency, locale: Locale): FormValues {
  const amount = (minor: number | null | undefined) => (minor ? formatNumber(minor / 100, locale, AMOUNT) : '');
  return {
    planType: product && product.priceMinor !== null ? 'paid' : 'free',
    price: amount(product?.priceMinor),
    annualPrice: amount(product?.annualPriceMinor),
    currency: product?.currency ?? currency,
  };
}

/** The prices in the form; null while an amount is unreadable. Hidden fields don't count. */
export function pricesIn(values: FormValues): { prices: Prices; input: PriceInput } | null {
  const planType = PLAN_TYPES.find((type) => type === (values.planType ?? 'free'));
  const currency = CURRENCIES.find((known) => known === values.currency);
  const amounts = isPaid(values) ? [values.price, hasYearlyPrice(values) ? values.annualPrice : ''].map(amountIn) : [];
  if (!planType || amounts.includes(UNREADABLE)) return null;
  const [price, annualPrice] = amounts;
  const input = { planType, price, annualPrice, currency };
  const current = { ...FREE_PRICES, currency: input.currency ?? 'eur' };
  return { input, prices: pricesAfter(current, input) };
}

const UNREADABLE = Number.NaN;

/** As the schema reads it: an empty field and 0 are no price. */
function amountIn(text = ''): number | null {
  if (text.trim() === '') return null;
  const minor = fromDecimal(text);
  return minor === null ? UNREADABLE : minor || null;
}

/** Applies the server's price rules before the form is submitted. */
export function checkPrices(values: FormValues, t: Translate, locale: Locale): FieldErrors {
  const found = pricesIn(values);
  const problem = found && priceProblem(kindOf(values), found.input, { prices: found.prices, locale });
  return problem ? { [problem.field]: t(problem.code, problem.params) } : {};
}

/**
 * The saving of a yearly price over twelve monthly ones: the key of a text, and its value. Null while a price is
 * missing or invalid.
 */
export function yearlySaving(values: FormValues): { key: string; percent: number } | null {
  const found = pricesIn(values);
  const { priceMinor = null, annualPriceMinor = null } = found?.prices ?? {};
  const percent = annualSavingPercent(priceMinor, annualPriceMinor);
  if (!found || !priceMinor || !annualPriceMinor || percent === null) return null;
  if (priceProblem(kindOf(values), found.input, { prices: found.prices, locale: 'en-GB' })) return null;
  if (percent > 0) return { key: 'price.saving', percent };
  const difference = annualPriceMinor - 12 * priceMinor;
  const key = difference > 0 ? 'price.costsMore' : difference === 0 ? 'price.noSaving' : 'price.smallSaving';
  return { key, percent };
}
