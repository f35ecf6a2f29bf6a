import { DAYS } from '../base/time';
import { WARM_UP } from '../limits/newsletter';

/** The day of the warm-up, from 1 on, by UTC days. A start that lies ahead counts as today. */
export function warmUpDay(startedAt: Date, now: Date): number {
  const dayOf = (at: Date) => Math.floor(at.getTime() / DAYS(1));
  return Math.max(0, dayOf(now) - dayOf(startedAt)) + 1;
}

/**
 * How many emails may leave from a domain on a day of its warm-up; null: all of them, because it is over. Each day has a
 * quarter more than the one before, rounded to two digits.
 */
export function shareOf(day: number): number | null {
  if (day > WARM_UP.days) return null;
  const exact = WARM_UP.firstDay * WARM_UP.growth ** (day - 1);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / unit) * unit;
}
