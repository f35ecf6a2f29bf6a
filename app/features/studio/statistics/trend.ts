import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { changeOf, percentChange, percentOf } from '~/server/domain/statistics/rules';

type Compared = { now: number; before: number };

/** How a figure has changed, in words. Small numbers differ by people, not by per cent. */
export function trendText(t: Translate, compared: Compared, locale: Locale): string {
  const { kind, by } = changeOf(compared);
  const number = formatNumber(by, locale);
  return t(`trend.${kind}`, { number, percent: number });
}

/** How an amount has changed, in words; undefined after nothing, which no percentage is known of. */
export function moneyTrendText(t: Translate, { now, before }: Compared, locale: Locale): string | undefined {
  const change = percentChange(now, before);
  if (change === null) return undefined;
  const percent = formatNumber(Math.abs(change), locale);
  return change === 0 ? t('trend.same') : t(change > 0 ? 'trend.upPercent' : 'trend.downPercent', { percent });
}

/** A number of a few plays, and a percentage of many. */
export function shareText(t: Translate, { plays, all }: { plays: number; all: number }, locale: Locale): string {
  const percent = percentOf(plays, all);
  if (percent === null) return formatNumber(plays, locale);
  return t('share', { percent: percent === 0 ? `< ${formatNumber(1, locale)}` : formatNumber(percent, locale) });
}
