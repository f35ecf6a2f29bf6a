import { savingLabel } from '~/app/features/site/public/offer-labels.server';
import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door, Reader } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';
import { formatMoney, toDecimal } from '~/server/base/money';
import { termsShown } from '~/server/domain/billing/base/rules';
import { KINDS } from '~/server/domain/products/kinds';

export type ApiOffer = Awaited<ReturnType<Door['api']['billing']['offer']>>;
type ApiSale = NonNullable<ApiOffer['sale']>;
/** Errors of the query: the page then shows the offer without the rejected choice. */
type Problem = { fields: Record<string, string[]>; values: Record<string, string> };

/** The data of the purchase page: the show, its price and the buyer. The query holds the buyer's choice. */
export async function offerData(door: Door) {
  const { context, request, url } = door;
  const { offer, problem } = await findOffer(door);
  const { product, creator, sale } = offer;
  const t = translator(context.language, 'buying');
  return {
    title: t(`title.${KINDS[product.kind].sale}`, { show: product.name }),
    product: { id: product.id, name: product.name, language: product.language, cover: product.cover },
    creator: creator.name,
    brand: creator.brand,
    pageUrl: urlsFromApp(context, request, creator.domain).product(product.slug),
    refusal:
      offer.refusal === null ? null : { code: offer.refusal, message: context.translate(`errors:${offer.refusal}`) },
    sale: sale && { ...toSaleView(sale, context), problem },
    buyer: offer.buyer,
    kept: offer.kept,
    login: pathsFor(url).login(url.pathname.replace(/\.data$/, '') + queryOf(url)),
  };
}

export type OfferData = Awaited<ReturnType<typeof offerData>>;
export type SaleView = NonNullable<OfferData['sale']>;

function queryOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete('_routes');
  return query.size > 0 ? `?${query}` : '';
}

async function findOffer({ api, context, url }: Door): Promise<{ offer: ApiOffer; problem: Problem | null }> {
  const query = Object.fromEntries(url.searchParams);
  const { product = '', interval, amount, coupon } = query;
  const plain = { product, interval: interval as 'month' | undefined };
  try {
    const offer = coupon
      ? await api.billing.reducedOffer({ ...plain, amount, coupon })
      : await api.billing.offer({ ...plain, amount });
    return { offer, problem: null };
  } catch (error) {
    const { fields, message, code } = context.describeError(error);
    if (fields.amount) return { offer: await api.billing.offer(plain), problem: problemOf('amount', fields.amount) };
    const isOfCoupon = code.startsWith('coupon.') || fields.coupon;
    if (!isOfCoupon) throw error;
    return { offer: await api.billing.offer({ ...plain, amount }), problem: problemOf('coupon', [message]) };
  }

  function problemOf(field: 'amount' | 'coupon', messages: string[]): Problem {
    return { fields: { [field]: messages }, values: { [field]: query[field] ?? '' } };
  }
}

function toSaleView(sale: ApiSale, { language, locale }: Reader) {
  const { interval, prices, priceMinor, amountMinor, currency, trialDays, coupon, reducedMinor, highestMinor } = sale;
  const amount = (minor: number) => formatMoney({ minor, currency }, locale);
  const t = translator(language, 'buying');
  const labelled = (price: (typeof prices)[number]) => t(`price.${price.interval}`, { amount: amount(price.minor) });
  const priceOf = (of: ApiSale['interval']) => prices.find((price) => price.interval === of)?.minor ?? null;
  const saving = savingLabel(priceOf('month'), priceOf('year'), translator(language, 'public'));
  return {
    interval,
    choices: prices.map((price) => ({
      interval: price.interval,
      label: labelled(price),
      saving: price.interval === 'year' ? saving : null,
    })),
    price: t(`price.${interval}`, { amount: amount(amountMinor) }),
    shown: termsShown({ prices, currency, trialDays }),
    trialDays,
    coupon: coupon && { code: coupon.code, discount: amount(reducedMinor - amountMinor) },
    amount: toDecimal(amountMinor),
    bounds: highestMinor === null ? null : { min: amount(priceMinor), max: amount(highestMinor) },
    today: amount(sale.charges.todayMinor),
    lines: chargeLines(sale, { language, locale }),
  };
}

/** The amount of every later payment. */
function chargeLines({ charges, interval, currency }: ApiSale, { language, locale }: Reader): string[] {
  const t = translator(language, 'buying');
  const { first, renewal, regular } = charges;
  const line = (key: string, charge: typeof first) =>
    charge === null
      ? []
      : [
          t(`later.${key}.${interval}`, {
            amount: formatMoney({ minor: charge.minor, currency }, locale),
            date: formatDate(charge.at, locale),
          }),
        ];
  return [...line('first', first), ...line('renewal', renewal), ...line('regular', regular)];
}
