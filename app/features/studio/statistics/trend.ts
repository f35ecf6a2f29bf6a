import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { percentChange } from './percent-change';

/** From here on, percentages say more than numbers: below, one person is several per cent. */
const PERCENT_FROM = 20;
/** From here on, shares of a period are percentages. */
const SHARES_FROM = 100;

type Compared = { now: number; before: number };

/** How a figure has changed, in words. Small numbers differ by people, not by per cent. */
export function trendText(t: Translate, { now, before }: Compared, locale: Locale): string {
  const more = now - before;
  if (before === 0 && now === 0) return t('trend.none');
  if (more === 0) return t('trend.same');
  const direction = more > 0 ? 'up' : 'down';
  if (before < PERCENT_FROM) {
    return t(`trend.${direction}`, { number: formatNumber(Math.abs(more), locale) });
  }
  const percent = Math.abs(percentChange(now, before) ?? 0);
  return percent === 0 ? t('trend.same') : t(`trend.${direction}Percent`, { percent: formatNumber(percent, locale) });
}

/** A number of a few plays, and a percentage of many. */
export function shareText(t: Translate, { plays, all }: { plays: number; all: number }, locale: Locale): string {
  if (all < SHARES_FROM) return formatNumber(plays, locale);
  const percent = Math.round((plays / all) * 100);
  return t('share', { percent: percent === 0 ? `< ${formatNumber(1, locale)}` : formatNumber(percent, locale) });
}
