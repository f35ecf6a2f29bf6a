import type { Door, Reader } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { annualSavingPercent, formatMoney, formatShortMoney } from '~/server/base/money';
import { BUY_GIFT_PATH } from '~/server/base/public-paths';
import type { SaleInterval } from '~/server/domain/billing/base/rules';
import type { ShowTotals } from '~/server/domain/episodes/show-totals';
import { KINDS } from '~/server/domain/products/kinds';
import { BUYING_LIMITS } from '~/server/limits/billing';
import { benefitsOf } from './benefits.server';
import { buyPath } from './buy-path';
import type { ApiProduct } from './page-data.server';

/** One way to pay. `path`: the page that sells the show, or null if it is not for sale. */
export type Offer = {
  interval: SaleInterval;
  /** The price, and what the page shows large: the price, or the free days before it. */
  amount: string;
  headline: string;
  saving: string | null;
  path: string | null;
  /** The button's text, and the payment terms below it. */
  label: string;
  terms: string;
};
/** What a page says about buying a show. It is formatted here, so that visitors load no texts. */
export type OfferLabels = {
  offers: Offer[];
  benefits: { list: string[]; areOwnWords: boolean };
  notes: string;
  /** Links for visitors who already have access; null for others. */
  links: { listen: string; manage: string } | null;
  /** The page that sells the show as a gift; null if it is not for sale. */
  gift: string | null;
  /** Replaces the buttons of a show that is not for sale; null if it is, or if the visitor has access. */
  unsold: string | null;
};

type Sold = { product: ApiProduct; isOnSale: boolean; isSubscribed: boolean | null; totals: ShowTotals };
type Page = Reader & Pick<Door['context'], 'urls' | 'settings'> & { coupon?: string | null };

/**
 * Null if the show is free. Visitors who have already paid get no links to buy it. The links pass `?coupon=CODE` on, so
 * that the form there is filled in. The page with a coupon is not cached, because anyone could fill the cache with
 * codes.
 */
export function offerLabels({ product, isOnSale, isSubscribed, totals }: Sold, page: Page): OfferLabels | null {
  if (product.priceMinor === null) return null;
  const { language, urls } = page;
  const { id: productId, hideSubscribeButton } = product;
  const paths = pathsIn(`/${language}`);
  const isOffered = isOnSale && !hideSubscribeButton;
  const benefits = benefitsOf(product, totals, language);
  return {
    offers: offersOf({ product, isOnSale: isOnSale && !isSubscribed }, page),
    benefits,
    notes: notesOf(product, language, benefits.areOwnWords),
    links: isSubscribed
      ? { listen: urls.app(paths.feedLinks(productId)), manage: urls.app(paths.subscriptions) }
      : null,
    gift: isOffered ? urls.app(`/${language}${BUY_GIFT_PATH}?product=${productId}`) : null,
    unsold: isOnSale || isSubscribed ? null : unsoldText(page),
  };
}

/** Says that a show is not for sale: it will be later, if this installation takes no payments yet. */
export const unsoldText = ({ language, settings }: Reader & Pick<Door['context'], 'settings'>): string =>
  translator(language, 'offer')(settings.takesPayments ? 'offer.notNow' : 'offer.notYet');

/** The ways to pay for a show, the usual one first. */
export function offersOf({ product, isOnSale }: Pick<Sold, 'product' | 'isOnSale'>, page: Page): Offer[] {
  const { id: productId, hideSubscribeButton } = product;
  const { language, locale, urls, coupon } = page;
  const pathOf = (interval: SaleInterval) =>
    isOnSale && !hideSubscribeButton ? withCoupon(urls.app(buyPath({ productId, interval, language })), coupon) : null;
  return pricesOf(product, { language, locale }).map((price) => ({ ...price, path: pathOf(price.interval) }));
}

function withCoupon(address: string, code: string | null | undefined): string {
  return code
    ? `${address}&coupon=${encodeURIComponent(code.slice(0, BUYING_LIMITS.codeLength).toWellFormed())}`
    : address;
}

/** The show's usual price, such as `€4.00 a month`; null if the show is free. */
export const priceLabel = (product: ApiProduct, reader: Reader): string | null =>
  pricesOf(product, reader)[0]?.amount ?? null;

function pricesOf(product: ApiProduct, reader: Reader): Omit<Offer, 'path'>[] {
  const { kind, priceMinor, annualPriceMinor, currency } = product;
  if (priceMinor === null) return [];
  const t = translator(reader.language, 'public');
  const priceOf = (interval: SaleInterval, minor: number, saving: string | null = null) => {
    const amount = t(`price.${interval}`, { amount: formatMoney({ minor, currency }, reader.locale) });
    return { interval, amount, saving, ...buttonOf(product, { interval, minor, amount }, reader) };
  };
  if (KINDS[kind].sale === 'purchase') return [priceOf('once', priceMinor)];
  const monthly = priceOf('month', priceMinor);
  return annualPriceMinor === null
    ? [monthly]
    : [monthly, priceOf('year', annualPriceMinor, savingLabel(priceMinor, annualPriceMinor, t))];
}

/** What a year costs less than twelve months: whole months, which people understand at once, or else per cent. */
export function savingLabel(monthly: number | null, annual: number | null, t: Translate): string | null {
  const percent = annualSavingPercent(monthly, annual);
  if (!monthly || !annual || !percent || percent <= 0) return null;
  const free = MONTHS_PER_YEAR - annual / monthly;
  return Number.isInteger(free) ? t('price.monthsFree', { count: free, percent }) : t('price.saving', { percent });
}

const MONTHS_PER_YEAR = 12;

type Price = { interval: SaleInterval; minor: number; amount: string };

function buttonOf(product: ApiProduct, { interval, minor, amount: price }: Price, { language, locale }: Reader) {
  const t = translator(language, 'offer');
  const { currency, trialDays, paysWhatTheyWant } = product;
  const amount = formatShortMoney({ minor, currency }, locale);
  if (interval !== 'once' && trialDays > 0)
    return {
      headline: t('offer.days', { count: trialDays }),
      label: t('offer.trial', { count: trialDays }),
      terms: t('offer.after', { price }),
    };
  const label = paysWhatTheyWant ? t(`offer.more.${interval}`, { amount }) : t(`offer.${interval}`, { amount });
  return { headline: price, label, terms: t(interval === 'once' ? 'offer.keep' : 'offer.cancel') };
}

/** The small print. A creator's own benefits may leave out when buyers get the episodes. */
function notesOf(product: ApiProduct, language: Language, areOwnWords: boolean): string {
  const t: Translate = translator(language, 'offer');
  const tBuying = translator(language, 'buying');
  const { kind, trialDays, paysWhatTheyWant, earlyAccessDays, dripDays, insertionFreeSince } = product;
  const { sale } = KINDS[kind];
  const notes = [
    translator(language, 'public')(`price.access.${sale}`),
    ...(sale === 'subscription' && trialDays > 0 ? [t('offer.newOnly')] : []),
    ...(paysWhatTheyWant ? [t('offer.moreNote')] : []),
    ...(areOwnWords && earlyAccessDays > 0 ? [tBuying('offer.early', { count: earlyAccessDays })] : []),
    ...(areOwnWords && dripDays > 0 ? [tBuying('offer.drip', { count: dripDays })] : []),
    ...(areOwnWords && insertionFreeSince ? [tBuying('offer.noInsertions')] : []),
    tBuying('bill.vat'),
  ];
  return notes.join(' ');
}
