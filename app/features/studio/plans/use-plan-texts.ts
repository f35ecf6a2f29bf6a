import { useMemo } from 'react';
import { useCreatorTimeZone, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Currency } from '~/server/base/money';
import { planTexts } from './plan-texts';

/** Texts about plans in the page's language and the account's currency. */
export function usePlanTexts(currency: Currency) {
  const { t, locale } = useTranslation('plans');
  const timeZone = useCreatorTimeZone();
  const { transcribes } = useStudio();
  return useMemo(
    () => planTexts(t, { locale, currency, timeZone, transcribes }),
    [t, locale, currency, timeZone, transcribes],
  );
}

export type { PlanTexts } from './plan-texts';
