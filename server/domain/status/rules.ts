import { DAYS, dayAfter, earlier, later, utcDay } from '../../base/time';
import { STATUS_LIMITS } from '../../limits/status';

const { slot: SLOT, days: SHOWN_DAYS, staleAfter } = STATUS_LIMITS;

/** The beginning of the slot that contains a moment. Slots divide a UTC day without a rest. */
export const slotOf = (at: Date): Date => new Date(Math.floor(at.getTime() / SLOT) * SLOT);

/** The first day of the status page, at its beginning. */
export const firstShown = (now: Date): Date => new Date(`${dayAfter(utcDay(now), 1 - SHOWN_DAYS)}T00:00:00Z`);

/** Checks of a component on a UTC day, `2026-12-01`. */
export type DaySums = { day: string; passed: number; failed: number };

/** `missed`: slots without a check, between the first check and now. */
export type StatusDay = DaySums & { missed: number };

type Range = {
  /** Of the first check that is kept. */
  first: Date;
  /** Of the last check. */
  last: Date;
  now: Date;
};

/**
 * All days of the status page, in order. Days before the first check have no missed ones. The current slot counts only
 * once it has been checked.
 */
export function statusDays(sums: readonly DaySums[], { first, last, now }: Range): StatusDay[] {
  const known = new Map(sums.map((each) => [each.day, each]));
  const current = slotOf(now);
  const end = last >= current ? later(last, SLOT) : current;
  const start = utcDay(firstShown(now));
  return Array.from({ length: SHOWN_DAYS }, (_, i) => {
    const day = dayAfter(start, i);
    const { passed, failed } = known.get(day) ?? { passed: 0, failed: 0 };
    return { day, passed, failed, missed: Math.max(0, slotsOn(day, first, end) - passed - failed) };
  });
}

/** The number of slots of a UTC day from `first` until before `end`. */
function slotsOn(day: string, first: Date, end: Date): number {
  const midnight = new Date(`${day}T00:00:00Z`).getTime();
  const from = Math.max(midnight, first.getTime());
  const until = Math.min(midnight + DAYS(1), end.getTime());
  return Math.max(0, Math.round((until - from) / SLOT));
}

export type DayState = 'ok' | 'failed' | 'gap' | 'none';

/** What a day's bar shows: `none` had no check, `failed` at least one that failed, `gap` slots without a check. */
export function stateOfDay({ passed, failed, missed }: StatusDay): DayState {
  if (passed + failed === 0) return 'none';
  if (failed > 0) return 'failed';
  return missed > 0 ? 'gap' : 'ok';
}

/** Checks of all days. */
export type Totals = Omit<StatusDay, 'day'>;

export const totalsOf = (days: readonly StatusDay[]): Totals =>
  days.reduce<Totals>(
    (sum, { passed, failed, missed }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      missed: sum.missed + missed,
    }),
    { passed: 0, failed: 0, missed: 0 },
  );

/** A part in hundredths of a percent, rounded down, so that 100 % means all of them. Null: there are none. */
export const shareOf = (part: number, all: number): number | null =>
  all === 0 ? null : Math.floor((part * 10_000) / all);

/** Whether the last check is too old to say how the components are. @param last the beginning of its slot */
export const isStale = (last: Date, now: Date): boolean => last < earlier(now, staleAfter);
