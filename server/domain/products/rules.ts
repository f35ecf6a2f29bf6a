import type { Locale } from '../../base/formats';
import { type Currency, formatMoney } from '../../base/money';
import { PRICE_LIMITS } from '../../limits/billing';
import { KINDS, type KindName } from './kinds';

/** `paid` is a form's word for the paid type of the kind. */
export const PLAN_TYPES = ['free', 'monthly', 'yearly', 'one_time', 'paid'] as const;
export type PlanType = Exclude<(typeof PLAN_TYPES)[number], 'paid'>;

/** Amounts in minor units. Without a price the product is free; only podcasts have a yearly price. */
export type Prices = { priceMinor: number | null; annualPriceMinor: number | null; currency: Currency };
/** Amounts in minor units; null removes a price. Missing fields stay unchanged. */
export type PriceInput = {
  planType?: (typeof PLAN_TYPES)[number];
  price?: number | null;
  annualPrice?: number | null;
  currency?: Currency;
};
export type PriceProblem = {
  code: PriceProblemCode;
  field: 'planType' | 'price' | 'annualPrice';
  params: Record<string, string>;
};
type PriceProblemCode =
  | 'product.plan_type_of_other_kind'
  | 'product.free_with_price'
  | 'product.price_required'
  | 'product.annual_price_required'
  | 'product.annual_price_of_subscriptions'
  | (typeof BOUNDS)[keyof typeof BOUNDS];

const BOUNDS = {
  monthly: 'product.monthly_price_bounds',
  yearly: 'product.annual_price_bounds',
  oneTime: 'product.one_time_price_bounds',
} as const satisfies Record<keyof typeof PRICE_LIMITS, string>;

export const FREE_PRICES = { priceMinor: null, annualPriceMinor: null } as const;

export function planTypeOf(kind: KindName, { priceMinor, annualPriceMinor }: Omit<Prices, 'currency'>): PlanType {
  if (priceMinor === null) return 'free';
  if (KINDS[kind].sale === 'purchase') return 'one_time';
  return annualPriceMinor === null ? 'monthly' : 'yearly';
}

/** The prices after an input. `monthly` without a yearly price removes the stored one. */
export function pricesAfter(current: Prices, input: PriceInput): Prices {
  const currency = input.currency ?? current.currency;
  const price = input.price === undefined ? current.priceMinor : input.price;
  if (price === null || input.planType === 'free') return { ...FREE_PRICES, currency };
  const kept = input.planType === 'monthly' ? null : current.annualPriceMinor;
  return { priceMinor: price, annualPriceMinor: input.annualPrice === undefined ? kept : input.annualPrice, currency };
}

/** Why the prices can't be stored; null if they can (spec §5). `locale`: of the amounts in the message. */
export function priceProblem(
  kind: KindName,
  input: PriceInput,
  { prices, locale }: { prices: Prices; locale: Locale },
): PriceProblem | null {
  return contradiction(kind, input, prices) ?? outOfBounds(kind, prices, locale);
}

function contradiction(kind: KindName, input: PriceInput, prices: Prices): PriceProblem | null {
  const { planType, price, annualPrice } = input;
  const isSubscription = KINDS[kind].sale === 'subscription';
  const fits = isSubscription ? planType !== 'one_time' : planType !== 'monthly' && planType !== 'yearly';
  if (!fits) return problem('product.plan_type_of_other_kind', 'planType');
  if (annualPrice && !isSubscription) return problem('product.annual_price_of_subscriptions', 'annualPrice');
  if (planType === 'free' && (price || annualPrice))
    return problem('product.free_with_price', price ? 'price' : 'annualPrice');
  const isMeantPaid = (planType !== undefined && planType !== 'free') || annualPrice;
  if (isMeantPaid && prices.priceMinor === null) return problem('product.price_required', 'price');
  if (planType === 'yearly' && prices.annualPriceMinor === null)
    return problem('product.annual_price_required', 'annualPrice');
  return null;
}

function outOfBounds(kind: KindName, prices: Prices, locale: Locale): PriceProblem | null {
  const { priceMinor, annualPriceMinor, currency } = prices;
  const exceeds = (minor: number | null, name: keyof typeof PRICE_LIMITS) =>
    minor !== null && (minor < PRICE_LIMITS[name].minMinor || minor > PRICE_LIMITS[name].maxMinor);
  const amount = (minor: number) => formatMoney({ minor, currency }, locale);
  const bounds = (name: keyof typeof PRICE_LIMITS) => {
    const { minMinor, maxMinor } = PRICE_LIMITS[name];
    return { min: amount(minMinor), max: amount(maxMinor) };
  };
  const main = KINDS[kind].sale === 'subscription' ? 'monthly' : 'oneTime';
  if (exceeds(priceMinor, main)) return problem(BOUNDS[main], 'price', bounds(main));
  if (exceeds(annualPriceMinor, 'yearly')) return problem(BOUNDS.yearly, 'annualPrice', bounds('yearly'));
  return null;
}

const problem = (
  code: PriceProblemCode,
  field: PriceProblem['field'],
  params: PriceProblem['params'] = {},
): PriceProblem => ({ code, field, params });

/** Whether the user has typed the name that confirms a deletion. Case and surrounding spaces don't matter. */
export function isSameName(text: string, name: string): boolean {
  const plain = (value: string) => value.trim().toLocaleLowerCase().normalize();
  return plain(text) === plain(name);
}

/**
 * The known word closest to a mistyped one: at most one letter wrong, missing, added or swapped with its neighbour, or
 * two in words of seven letters and more. Of several equally close words, the first; null if no word is close enough.
 */
export function closestWord(word: string, known: readonly string[]): string | null {
  const most = word.length < 7 ? 1 : 2;
  const distances = known.map((candidate) => ({ candidate, distance: editDistance(word, candidate, most) }));
  const closest = distances.toSorted((a, b) => a.distance - b.distance)[0];
  return closest && closest.distance <= most ? closest.candidate : null;
}

/**
 * The Damerau–Levenshtein distance, in which neighbours change places at most once; above `most` it may be any larger
 * number.
 */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const simple = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (isSame ? 0 : 1));
      row.push(isSwapped ? Math.min(simple, beforePrevious[j - 2]! + 1) : simple);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/** The fields of each page of a show's settings, which saves no others. Every field is on one page. */
export const SETTINGS = {
  details: ['name', 'description', 'category', 'language', 'coverKey', 'slug', 'isListed', 'explicit', 'showsPlays'],
  price: [
    'planType',
    'price',
    'annualPrice',
    'currency',
    'paysWhatTheyWant',
    'trialDays',
    'benefits',
    'earlyAccessDays',
    'dripDays',
    'hideSubscribeButton',
  ],
  messages: ['welcomeMessage', 'subscriberEmailMessage'],
  feed: [
    'author',
    'copyright',
    'ownerName',
    'ownerEmail',
    'fundingUrl',
    'fundingText',
    'spotifyShowUrl',
    'feedLength',
    'measurementPrefixes',
    'namesListener',
    'complete',
  ],
} as const;

export type SettingsPart = keyof typeof SETTINGS;
export const SETTINGS_PARTS = Object.keys(SETTINGS) as SettingsPart[];
/** The fields that can't be empty. A page has only some of them. */
export const SETTINGS_REQUIRED = ['id', 'kind', 'name', 'description', 'category', 'language'] as const;

/** The page that has a field; the first one for other names. */
export function settingsPartOf(field: string): SettingsPart {
  return SETTINGS_PARTS.find((part) => SETTINGS[part].some((name) => name === field)) ?? 'details';
}
