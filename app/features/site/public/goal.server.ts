import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Money } from '~/server/base/money';
import type { Goal } from '~/server/domain/donations/rules';

/** A donation goal as texts. A goal without a title gets a general one. */
export function toGoalBar(language: Language, { title, goalMinor, givenMinor, percent, currency }: Goal) {
  const t = translator(language, 'donation');
  const amount = (minor: number) => shortMoney({ minor, currency }, language);
  const label = t('goal.given', { given: amount(givenMinor), goal: amount(goalMinor) });
  return { title: title || t('goal.title'), label, percent };
}

export type GoalBar = ReturnType<typeof toGoalBar>;

/** Formats amounts without cents if there are none: `€5`. */
export function shortMoney({ minor, currency }: Money, language: Language): string {
  const minimumFractionDigits = minor % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits }).format(minor / 100);
}
