import type { HistoryPeriod } from '~/db/values/imported-plays';
import { type DateOrder, type WrittenDate, withoutMark, writtenDay } from '../../base/written-dates';
import { HISTORY_LIMITS } from '../../limits/statistics';

/** Why a row of a file is left out. */
export const HISTORY_FAULTS = [
  'no_date',
  'bad_date',
  'bad_year',
  'future',
  'no_number',
  'bad_number',
  'negative',
  'too_large',
  'other_period',
  'no_episode',
  'duplicate',
] as const;
export type HistoryFault = (typeof HISTORY_FAULTS)[number];

/** `day`: of a month, its first one. */
export type DatedSpan = { period: HistoryPeriod; day: string };

/** @param today the last day that may have figures, as `2026-11-27` */
export function toSpan(date: WrittenDate, order: DateOrder, today: string): DatedSpan | HistoryFault {
  const { year } = date;
  if (year < HISTORY_LIMITS.firstYear || year > Number(today.slice(0, 4)) + 1) return 'bad_year';
  const text = writtenDay(date, order);
  if (text === null) return 'bad_date';
  return text > today ? 'future' : { period: date.kind === 'month' ? 'month' : 'day', day: text };
}

const GROUPED = /^\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]0{1,2})?$/;
const WHOLE = /^\d+(?:[.,]0{1,2})?$/;
const SPACES = /[\u00a0\u2007\u2009\u202f]/g;

/**
 * A number of plays, with or without separators of thousands. Plays are whole numbers, so `1.234` is more than a
 * thousand in any country.
 */
export function readPlays(cell: string): number | HistoryFault {
  const text = withoutMark(cell).replace(SPACES, ' ').trim();
  if (/^(?:|[-–—]|n\/?a|null)$/i.test(text)) return 'no_number';
  if (/^[-−–]\s?[\d.,' ]+$/.test(text)) return 'negative';
  if (!GROUPED.test(text) && !WHOLE.test(text)) return 'bad_number';
  const plays = Number(text.replace(/[.,]0{1,2}$/, '').replace(/\D/g, ''));
  return plays > HISTORY_LIMITS.largest ? 'too_large' : plays;
}
