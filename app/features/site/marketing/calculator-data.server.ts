import { data } from '@remix-run/node';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { planTexts } from '~/app/features/studio/plans/plan-texts';
import type { Door, Reader } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { countryName, formatDate, formatNumber, type Locale } from '~/server/base/formats';
import { CURRENCIES, formatMoney, toDecimal } from '~/server/base/money';
import { readTypedNumber } from '~/server/base/typed-numbers';
import type { EarningsView } from '~/server/domain/pages/estimate-earnings';
import { ELSEWHERE } from '~/server/domain/pages/schema';
import { EU_COUNTRIES } from '~/server/domain/vat/kinds';
import { EARNINGS_LIMITS } from '~/server/limits/earnings';
import { PLANS, PLANS_FOR_SALE, type PlanCode, PRICED_PLANS } from '~/server/limits/plans';
import type { PaymentFees, PaymentKind, Rate } from '~/server/limits/platform-fees';
import type { MoneyPart } from './money-bar';
import { siteLinks } from './site-links.server';

/** The form's fields, and the parameters of the address. */
export const FIELDS = [
  'plan',
  'every',
  'subscribers',
  'price',
  'donations',
  'donation',
  'sales',
  'salePrice',
  'currency',
  'country',
] as const;
export type FieldName = (typeof FIELDS)[number];
export type FieldErrors = Partial<Record<FieldName, string>>;

/** The data of the calculator: the results of the query's figures, or its errors beside the fields. */
export async function calculatorData(door: Door) {
  const { context } = door;
  const { language } = context;
  const t = translator(language, 'calculator');
  const typed = typedFigures(door.url.searchParams);
  const { answer, errors } = await calculate(door, asNumbers(typed, context.locale));
  const values = answer
    ? shownFigures(answer, context.locale)
    : { ...shownFigures(await door.api.pages.earnings({}), context.locale), ...typed };
  const metadata = await sitePageMetadata(door, {
    title: t('title'),
    description: t('description'),
    pathIn: (prefix) => pathsIn(prefix).calculator,
  });
  const view = {
    metadata,
    links: siteLinks(door),
    values,
    errors,
    options: optionsOf(door),
    takesPayments: context.settings.takesPayments,
    result: answer && { ...toResult(door, answer), path: pathOf(door, figuresOf(answer)) },
  };
  const headers = { 'x-cache-tags': 'pricing' };
  return data(view, answer ? { headers } : { headers: { 'cache-control': 'no-store' }, status: 400 });
}

export type CalculatorView = Omit<Awaited<ReturnType<typeof calculatorData>>['data'], 'metadata'>;
type Typed = Partial<Record<FieldName, string>>;

/** Of several values of one field, the last counts, as in forms. Longer values than any field takes are cut. */
function typedFigures(query: URLSearchParams): Typed {
  const entries = FIELDS.map((name) => [name, query.getAll(name).at(-1)?.slice(0, EARNINGS_LIMITS.fieldLength)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const NUMBERS: readonly FieldName[] = ['subscribers', 'price', 'donations', 'donation', 'sales', 'salePrice'];

/** Figures as the schema reads them. What is no number stays as it was typed, and the schema rejects it. */
function asNumbers(typed: Typed, locale: Locale): Typed {
  const entries = Object.entries(typed) as [FieldName, string][];
  return Object.fromEntries(
    entries.map(([name, text]) => [name, NUMBERS.includes(name) ? (readTypedNumber(text, locale) ?? text) : text]),
  );
}

type Calculated = { answer: EarningsView; errors: FieldErrors } | { answer: null; errors: FieldErrors };

async function calculate({ api, context }: Door, typed: Typed): Promise<Calculated> {
  try {
    // the schema checks every value
    return { answer: await api.pages.earnings(typed as Parameters<typeof api.pages.earnings>[0]), errors: {} };
  } catch (error) {
    const { kind, fields } = context.describeError(error);
    if (kind !== 'invalid') throw error;
    const errors = Object.entries(fields).map(([name, messages]) => [name, messages.join(' ')]);
    return { answer: null, errors: Object.fromEntries(errors) };
  }
}

/** What the fields show: amounts have the reader's decimal mark. */
function shownFigures(answer: EarningsView, locale: Locale): Record<FieldName, string> {
  const { priceMinor, donationMinor, salePriceMinor } = answer.figures;
  const amount = (minor: number) =>
    formatNumber(minor / 100, locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
  const amounts = { price: amount(priceMinor), donation: amount(donationMinor), salePrice: amount(salePriceMinor) };
  return { ...figuresOf(answer), ...amounts };
}

/** The figures of an address, which means the same in each language. */
function figuresOf({ figures, plan, currency, country }: EarningsView): Record<FieldName, string> {
  const { every, subscribers, donations, sales, priceMinor, donationMinor, salePriceMinor } = figures;
  return {
    plan,
    every,
    currency,
    country,
    subscribers: String(subscribers),
    price: toDecimal(priceMinor),
    donations: String(donations),
    donation: toDecimal(donationMinor),
    sales: String(sales),
    salePrice: toDecimal(salePriceMinor),
  };
}

function pathOf({ context }: Door, values: Record<FieldName, string>): string {
  const { calculator } = pathsIn(`/${context.language}`);
  return context.urls.app(`${calculator}?${new URLSearchParams(FIELDS.map((name) => [name, values[name]]))}`);
}

function optionsOf({ context: { language, locale } }: Door) {
  const t = translator(language, 'calculator');
  const texts = planTexts(translator(language, 'plans'), {
    locale,
    currency: CURRENCIES[0],
    timeZone: 'UTC',
    transcribes: false,
  });
  const countries = EU_COUNTRIES.map((value) => ({ value, label: countryName(value, language) }));
  return {
    plan: PRICED_PLANS.map((value) => ({
      value,
      label: t('planOption', { plan: PLANS[value].name, fee: texts.fee(PLANS[value].commission) }),
    })),
    every: (['month', 'year'] as const).map((value) => ({ value, label: t(`every.${value}`) })),
    currency: CURRENCIES.map((value) => ({ value, label: value.toUpperCase() })),
    country: [
      ...countries.sort((a, b) => a.label.localeCompare(b.label, language)),
      { value: ELSEWHERE, label: t('elsewhere') },
    ],
  };
}

/** The results as texts. */
function toResult({ context }: Door, answer: EarningsView) {
  const { language, locale } = context;
  const t = translator(language, 'calculator');
  const { month, year, currency, plan, figures } = answer;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const { name, commission } = PLANS[plan];
  const fee = planTexts(translator(language, 'plans'), { locale, currency, timeZone: 'UTC', transcribes: false });
  const part = (key: MoneyPart['name'], of: typeof month, minor: (of: typeof month) => number) => ({
    name: key,
    label: t(`part.${key}`, { plan: name, fee: fee.fee(commission) }),
    minor: minor(of),
    amount: money(minor(of)),
    yearly: money(minor(year)),
  });
  const parts = [
    part('kept', month, (of) => of.leftMinor),
    part('commission', month, (of) => of.commissionMinor),
    part('plan', month, (of) => of.planMinor),
    part('vat', month, (of) => of.vatMinor),
  ].filter((each) => each.name === 'kept' || each.minor > 0);
  return {
    month: money(month.leftMinor),
    year: money(year.leftMinor),
    paid: { month: money(month.amountMinor), year: money(year.amountMinor) },
    keptShare: year.amountMinor > 0 ? percentOf(year.leftMinor / year.amountMinor, locale) : null,
    parts,
    vatNote: vatNoteOf(answer.vat, { t, language, locale }),
    income: year.income.map(({ kind, count, each }) => ({
      kind,
      label: t(`kind.${kind}`),
      count: formatNumber(count, locale),
      price: money(each.amountMinor),
      vat: money(each.vatMinor),
      commission: money(each.commissionMinor),
      share: money(each.shareMinor),
    })),
    advice: adviceOf(plan, figures.subscribers + 12 * figures.sales, t),
    platforms: platformsOf(answer, { t, money, locale }),
  };
}

/** Which VAT the figures contain, or why they contain none, and what differs for listeners elsewhere. */
function vatNoteOf(
  { basis, country, basisPoints }: EarningsView['vat'],
  { t, language, locale }: Reader & Pick<Texts, 't'>,
) {
  const rate = percentOf(basisPoints / 10_000, locale);
  return t(`vat.${basis}`, { rate, country: country === null ? '' : countryName(country, language) });
}

const percentOf = (share: number, locale: Parameters<typeof formatNumber>[1]) =>
  formatNumber(share, locale, { style: 'percent', maximumFractionDigits: 1 });

type Texts = {
  t: ReturnType<typeof translator>;
  money: (minor: number) => string;
  locale: Parameters<typeof formatNumber>[1];
};

/** A plan that these sales need: the chosen one sells nothing, or has room for fewer paying people; null if it fits. */
function adviceOf(code: PlanCode, buyers: number, t: Texts['t']): string | null {
  const { name, features, limits } = PLANS[code];
  if (buyers === 0) return null;
  if (!features.includes('selling')) return t('advice.selling', { plan: name });
  const limit = limits.paidSubscribers;
  if (limit === null || buyers <= limit) return null;
  const larger = PLANS_FOR_SALE.map((other) => PLANS[other]).find(
    (other) => other.limits.paidSubscribers === null || other.limits.paidSubscribers >= buyers,
  );
  return t('advice.larger', { plan: name, limit, larger: larger?.name ?? name });
}

/** Altavoz and the other platforms, those that leave most first; those that don't take all of these payments last. */
function platformsOf({ year, platforms }: EarningsView, texts: Texts) {
  const { t, money } = texts;
  const altavoz = {
    id: 'altavoz',
    name: 'Altavoz',
    published: t('ours'),
    fees: money(year.commissionMinor + year.planMinor),
    leftMinor: year.leftMinor as number | null,
    missing: null as string | null,
    sources: [] as { url: string; label: string }[],
  };
  const others = platforms.map(({ platform, feeMinor, missing, leftMinor }) => ({
    id: platform.id,
    name: platform.name,
    published: publishedFees(platform, texts),
    fees: money(feeMinor),
    leftMinor,
    missing: missing.length > 0 ? t('missing', { kinds: missing.map((kind) => t(`kindOf.${kind}`)).join(', ') }) : null,
    sources: platform.sources.map(({ url, asOf }) => ({ url, label: t('source', { date: monthText(asOf, texts) }) })),
  }));
  return [altavoz, ...others]
    .sort((a, b) => (b.leftMinor ?? Number.NEGATIVE_INFINITY) - (a.leftMinor ?? Number.NEGATIVE_INFINITY))
    .map(({ leftMinor, ...row }) => ({ ...row, left: leftMinor === null ? null : money(leftMinor) }));
}

/** The fees of a platform in words, one line for each kind of payment with fees of its own. */
function publishedFees(platform: EarningsView['platforms'][number]['platform'], { t, locale }: Texts): string {
  const dollars = (minor: number) => formatMoney({ minor, currency: 'usd' }, locale);
  const rate = ({ basisPoints, fixedMinor }: Rate) =>
    [percentOf(basisPoints / 10_000, locale), ...(fixedMinor > 0 ? [dollars(fixedMinor)] : [])].join(' + ');
  const payment = ({ platform: own, processing }: PaymentFees) =>
    t('fee.withCard', { fee: rate(own), card: rate(processing) });
  const kinds = Object.entries(platform.fees) as [PaymentKind, PaymentFees | null][];
  const lines = kinds.flatMap(([kind, fees]) => (fees ? [`${t(`kind.${kind}`)}: ${payment(fees)}`] : []));
  const { monthlyMinor } = platform;
  const base = monthlyMinor ? [t('fee.monthly', { amount: dollars(monthlyMinor) })] : [];
  return [...lines, ...base].join('. ');
}

/** `2025-08` → August 2025; `2025` → 2025. */
function monthText(asOf: string, { locale }: Texts): string {
  if (asOf.length === 4) return asOf;
  return formatDate(new Date(`${asOf}-01T00:00:00Z`), locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}
