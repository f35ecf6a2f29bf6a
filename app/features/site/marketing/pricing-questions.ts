import type { Translate } from '~/locales/translate';
import type { Locale } from '~/server/base/formats';
import { formatShortMoney } from '~/server/base/money';
import { DAYS } from '~/server/base/time';
import { PAYOUT_LIMITS } from '~/server/limits/payouts';
import { TRIAL_LIMITS } from '~/server/limits/plans';

export type Question = { name: string; question: string; answer: string };

const QUESTIONS = ['trial', 'outgrown', 'change', 'cards', 'vat', 'payout', 'leave', 'server'] as const;

type Seller = { locale: Locale /** The operator declares VAT. */; chargesVat: boolean };

/** Questions about prices, and their answers. @param t of the namespace `pricing` */
export function pricingQuestions(t: Translate, { locale, chargesVat }: Seller): Question[] {
  const values = {
    days: TRIAL_LIMITS.days,
    pending: PAYOUT_LIMITS.pending / DAYS(1),
    threshold: formatShortMoney({ minor: PAYOUT_LIMITS.thresholdMinor, currency: 'eur' }, locale),
  };
  return QUESTIONS.filter((name) => chargesVat || name !== 'vat').map((name) => ({
    name,
    question: t(`question.${name}`, values),
    answer: t(`answer.${name}`, values),
  }));
}
