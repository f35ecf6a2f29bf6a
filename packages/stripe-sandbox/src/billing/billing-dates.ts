import { DAY } from '../engine/time';

/** `day`, `week`, `month` or `year`; a string because the SDK's type is open. */
export type Interval = string;

/**
 * The end of the `count`-th period after an anchor. Months keep the anchor's day, or use the last day of a shorter
 * month (31 January, 28 February, 31 March). Counting always starts at the anchor, so that dates do not drift.
 */
export function periodEnd(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * DAY;
  if (interval === 'week') return anchor + count * 7 * DAY;
  if (interval === 'month') return addMonths(anchor, count);
  if (interval === 'year') return addMonths(anchor, count * 12);
  throw new Error(`no such interval: ${interval}`);
}

/** Adds calendar months (UTC), on the same day or the last day of a shorter month. */
export function addMonths(from: number, months: number): number {
  const at = new Date(from * 1000);
  const month = at.getUTCMonth() + months;
  const last = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(at.getUTCDate(), last);
  const clock = from % DAY;
  return Date.UTC(at.getUTCFullYear(), month, day) / 1000 + clock;
}

/** The period that contains a moment. A boundary belongs to the later period. */
export function periodAround(anchor: number, interval: Interval, every: number, moment: number) {
  let count = Math.max(0, Math.floor((moment - anchor) / maxLength(interval, every)));
  while (periodEnd(anchor, interval, (count + 1) * every) <= moment) count += 1;
  return { start: periodEnd(anchor, interval, count * every), end: periodEnd(anchor, interval, (count + 1) * every) };
}

function maxLength(interval: Interval, every: number): number {
  return every * DAY * ({ day: 1, week: 7, month: 31, year: 366 }[interval] ?? 1);
}
