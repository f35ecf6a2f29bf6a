import { useMemo } from 'react';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { type Currency, formatMoney } from '~/server/base/money';
import { PLANS, type Plan, type PlanCode } from '~/server/limits/plans';
import { gainsOf, type LimitRow } from './plan-names';

/** Texts about plans in the page's language and the account's currency. */
export function usePlanTexts(currency: Currency) {
  const { t, language } = useTranslation('plans');
  const timeZone = useCreatorTimeZone();
  return useMemo(() => planTexts(t, { language, currency, timeZone }), [t, language, currency, timeZone]);
}

type Reader = { language: Language; currency: Currency; timeZone: string };

function planTexts(t: Translate, { language, currency, timeZone }: Reader) {
  const number = new Intl.NumberFormat(language);
  const money = (minor: number) => formatMoney({ minor, currency }, language);
  const date = (at: Date) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(at);
  const time = (at: Date) => new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }).format(at);
  const fee = ({ basisPoints, fixedMinor }: Plan['commission']) =>
    t('plans.commissionOf', { percent: number.format(basisPoints / 100), fixed: money(fixedMinor) });
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
    const { limits, features } = gainsOf(PLANS[from], PLANS[to]);
    return [
      ...features.map((row) => t(`row.${row}`)),
      ...limits.map((row) => t('gain.limit', { name: t(`row.${row}`), value: limit(PLANS[to], row) })),
    ];
  };
  return { t, money, date, time, fee, limit, price, gains };
}

export type PlanTexts = ReturnType<typeof planTexts>;
