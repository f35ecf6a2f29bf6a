import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { formatMoney } from '~/server/base/money';
import { giftTermsShown } from '~/server/domain/billing/base/rules';

/** The data of the page that sells gifts: `?product=7&months=3`. */
export async function giftOfferData({ api, context, request, url }: Door) {
  const { product: id = '', months } = Object.fromEntries(url.searchParams);
  const offer = await api.gifts.offer({ product: id });
  const { product, creator, prices, currency, refusal } = offer;
  const t = translator(context.language, 'buying');
  const choices = prices.map((price) => ({
    months: price.months,
    label: t(keyOf(price.months), {
      count: price.months ?? 1,
      amount: formatMoney({ minor: price.minor, currency }, context.locale),
    }),
  }));
  const chosen = choices.find((choice) => String(choice.months) === months) ?? choices[0];
  return {
    title: t('gift.buy.title', { show: product.name }),
    product: { id: product.id, name: product.name, language: product.language, cover: product.cover },
    creator: creator.name,
    brand: creator.brand,
    pageUrl: urlsFromApp(context, request, creator.domain).product(product.slug),
    refusal: refusal === null ? null : context.translate(`errors:${refusal}`),
    ...{ choices, chosen: chosen?.months ?? null, shown: giftTermsShown(prices, currency) },
    buyer: offer.buyer,
    kept: offer.kept,
    login: pathsFor(url).login(`${url.pathname.replace(/\.data$/, '')}?product=${product.id}`),
  };
}

export type GiftOfferData = Awaited<ReturnType<typeof giftOfferData>>;

function keyOf(months: number | null): string {
  if (months === null) return 'gift.buy.once';
  return months === 12 ? 'gift.buy.year' : 'gift.buy.months';
}
