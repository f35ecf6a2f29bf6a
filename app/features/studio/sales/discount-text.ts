import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { CouponView } from '~/server/domain/coupons/queries';
import { KINDS } from '~/server/domain/products/kinds';

type Terms = Pick<CouponView, 'percent' | 'amountMinor' | 'currency' | 'duration' | 'months' | 'product'>;

/** `20% off the first payment`, as creators and buyers read it. */
export function discountText(
  { percent, amountMinor, currency, duration, months, product }: Terms,
  t: Translate,
  locale: Locale,
): string {
  const off =
    percent === null
      ? formatMoney({ minor: amountMinor ?? 0, currency }, locale)
      : formatNumber(percent / 100, locale, { style: 'percent' });
  if (KINDS[product.kind].sale === 'purchase') return t('discount.purchase', { off });
  return t(`discount.${duration}`, { off, count: months ?? 0 });
}
