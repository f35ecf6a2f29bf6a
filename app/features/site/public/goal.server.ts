import type { Reader } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatNumber, type Locale } from '~/server/base/formats';
import type { Money } from '~/server/base/money';
import type { Goal } from '~/server/domain/donations/rules';

/** A donation goal as texts. A goal without a title gets a general one. */
export function toGoalBar({ language, locale }: Reader, { title, goalMinor, givenMinor, percent, currency }: Goal) {
  const t = translator(language, 'donation');
  const amount = (minor: number) => shortMoney({ minor, currency }, locale);
  const label = t('goal.given', { given: amount(givenMinor), goal: amount(goalMinor) });
  return { title: title || t('goal.title'), label, percent };
}

export type GoalBar = ReturnType<typeof toGoalBar>;

/** Formats amounts without cents if there are none: `€5`. */
export function shortMoney({ minor, currency }: Money, locale: Locale): string {
  const minimumFractionDigits = minor % 100 === 0 ? 0 : 2;
  return formatNumber(minor / 100, locale, { style: 'currency', currency, minimumFractionDigits });
}
