import type { Reader } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatShortMoney } from '~/server/base/money';
import type { Goal } from '~/server/domain/donations/rules';

/** A donation goal as texts. A goal without a title gets a general one. */
export function toGoalBar({ language, locale }: Reader, { title, goalMinor, givenMinor, percent, currency }: Goal) {
  const t = translator(language, 'donation');
  const amount = (minor: number) => formatShortMoney({ minor, currency }, locale);
  const label = t('goal.given', { given: amount(givenMinor), goal: amount(goalMinor) });
  return { title: title || t('goal.title'), label, percent };
}

export type GoalBar = ReturnType<typeof toGoalBar>;
