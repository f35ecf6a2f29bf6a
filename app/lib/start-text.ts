import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { DAYS, HOURS, later } from '~/server/base/time';

/** The first times of an episode that are compared. */
export const STARTS = [
  { name: 'first24h', length: HOURS(24) },
  { name: 'first7d', length: DAYS(7) },
  { name: 'first30d', length: DAYS(30) },
] as const;
type Start = (typeof STARTS)[number];

/** `t`: of `statistics`. */
type Reader = { t: Translate; locale: Locale; now: Date };
type Started<Name extends Start['name']> = { releasedAt: Date } & Record<Name, number | null>;

/** The plays of an episode's first time once it is over, as files have them; null before, or if it was not counted. */
export const finalStart = <Name extends Start['name']>(figures: Started<Name>, name: Name, now: Date): number | null =>
  isOver(figures.releasedAt, name, now) ? figures[name] : null;

function isOver(releasedAt: Date, name: Start['name'], now: Date): boolean {
  const { length } = STARTS.find((one) => one.name === name)!;
  return later(releasedAt, length) <= now;
}

/** The plays of an episode's first time; those of a time that is not over are marked. */
export function startText<Name extends Start['name']>(figures: Started<Name>, name: Name, reader: Reader): string {
  const { t, locale, now } = reader;
  const plays = figures[name];
  if (plays === null) return '–';
  const number = formatNumber(plays, locale);
  return isOver(figures.releasedAt, name, now) ? number : t('episodes.soFar', { number });
}
