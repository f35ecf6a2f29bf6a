import type { Translate } from '~/locales/translate';
import { formatDate, type Locale } from '~/server/base/formats';
import type { Days, Granularity } from './view';

/** A local day has no zone. */
const at = (day: string) => new Date(`${day}T00:00:00Z`);

export const longDay = (day: string, locale: Locale): string => formatDate(at(day), locale);

export const longDays = (t: Translate, { from, to }: Days, locale: Locale): string =>
  from === to ? longDay(from, locale) : t('days', { from: longDay(from, locale), to: longDay(to, locale) });

/** `29 October 2026 – 27 November 2026 (Europe/Madrid)` */
export const periodText = (t: Translate, { zone, ...days }: Days & { zone: string }, locale: Locale): string =>
  t('period.shown', { days: longDays(t, days, locale), zone: zone.replaceAll('_', ' ') });

/** Whole months, by their first and last day; the year is named once. */
export function longMonths(t: Translate, { from, to }: Days, locale: Locale): string {
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  const last = longMonth(to, locale);
  if (from.slice(0, 7) === to.slice(0, 7)) return last;
  const first = isOneYear ? formatDate(at(from), locale, { month: 'long', timeZone: 'UTC' }) : longMonth(from, locale);
  return t('months', { from: first, to: last });
}

const longMonth = (day: string, locale: Locale): string =>
  formatDate(at(day), locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The name of a point below its chart. */
export function shortPoint(day: string, granularity: Granularity, locale: Locale): string {
  const part =
    granularity === 'month'
      ? ({ month: 'short', year: '2-digit' } as const)
      : ({ day: 'numeric', month: 'short' } as const);
  return formatDate(at(day), locale, { ...part, timeZone: 'UTC' });
}

/** The name of a point in a sentence or a table. */
export function longPoint(
  t: Translate,
  day: string,
  { granularity, locale }: { granularity: Granularity; locale: Locale },
): string {
  if (granularity === 'month') return longMonth(day, locale);
  const date = formatDate(at(day), locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  return granularity === 'week' ? t('weekFrom', { day: date }) : date;
}

/** The weekdays, Monday first. */
export const weekdayNames = (locale: Locale, weekday: 'short' | 'long'): string[] =>
  Array.from({ length: 7 }, (_, i) => formatDate(at(`2024-01-0${i + 1}`), locale, { weekday, timeZone: 'UTC' }));

/** Fewer plays have no pattern. */
export const PATTERN_FROM = 20;

/** The names of the weekday and the hour that have most of the plays of `week`. */
export function bestHour(week: number[][], locale: Locale): { day: string; hour: string } {
  const plays = week.flat();
  const best = plays.indexOf(Math.max(...plays));
  return {
    day: weekdayNames(locale, 'long')[Math.floor(best / HOURS_PER_DAY)] ?? '',
    hour: hourNames(locale)[best % HOURS_PER_DAY] ?? '',
  };
}

const HOURS_PER_DAY = 24;

/** The full hours of a day. */
export const hourNames = (locale: Locale): string[] =>
  Array.from({ length: 24 }, (_, hour) =>
    formatDate(new Date(Date.UTC(2024, 0, 1, hour)), locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }),
  );
