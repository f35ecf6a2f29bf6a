import type { Translate } from '~/locales/translate';
import { formatDate, type Locale, numberFormat } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import { PLANS, type Plan, type PlanCode } from '~/server/limits/plans';
import type { Equipment } from '~/server/policy/capabilities';
import { gainsOf, type LimitRow } from './plan-names';

type Reader = { locale: Locale; currency: Currency; timeZone: string } & Equipment;

/** Texts about plans. @param t of the namespace `plans` */
export function planTexts(t: Translate, { locale, currency, timeZone, transcribes }: Reader) {
  const number = numberFormat(locale);
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const date = (at: Date) => formatDate(at, locale, { dateStyle: 'long', timeZone });
  const time = (at: Date) => formatDate(at, locale, { timeStyle: 'short', timeZone });
  const fee = ({ basisPoints, fixedMinor }: Plan['commission']) =>
    basisPoints + fixedMinor === 0
      ? t('plans.noCommission')
      : t('plans.commissionOf', { percent: number.format(basisPoints / 100), fixed: money(fixedMinor) });
  const limit = (plan: Plan, row: LimitRow): string => {
    const value = plan.limits[row];
    if (value === null)
      return t(
        plan.code === 'ULTRA' && !row.startsWith('free') && row !== 'paidProducts'
          ? 'plans.byContract'
          : 'plans.unlimited',
      );
    return value === 0 ? t('plans.none') : number.format(value);
  };
  const price = ({ priceMinor }: Plan) =>
    priceMinor === null ? t('plans.contract') : priceMinor === 0 ? t('plans.free') : money(priceMinor);
  /** The advantages of another plan, one line each. */
  const gains = (from: PlanCode, to: PlanCode): string[] => {
    const { limits, features } = gainsOf(PLANS[from], PLANS[to], { transcribes });
    return [
      ...features.map((row) => t(`row.${row}`)),
      ...limits.map((row) => t('gain.limit', { name: t(`row.${row}`), value: limit(PLANS[to], row) })),
    ];
  };
  return { t, money, date, time, fee, limit, price, gains };
}

export type PlanTexts = ReturnType<typeof planTexts>;
