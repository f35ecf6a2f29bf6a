import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { changeOf, percentOf } from '~/server/domain/statistics/rules';

type Compared = { now: number; before: number };

/** How a figure has changed, in words. Small numbers differ by people, not by per cent. */
export function trendText(t: Translate, compared: Compared, locale: Locale): string {
  const { kind, by } = changeOf(compared);
  const number = formatNumber(by, locale);
  return t(`trend.${kind}`, { number, percent: number });
}

/** A number of a few plays, and a percentage of many. */
export function shareText(t: Translate, { plays, all }: { plays: number; all: number }, locale: Locale): string {
  const percent = percentOf(plays, all);
  if (percent === null) return formatNumber(plays, locale);
  return t('share', { percent: percent === 0 ? `< ${formatNumber(1, locale)}` : formatNumber(percent, locale) });
}
