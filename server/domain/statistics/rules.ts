import type { Bucket, EpisodeMonth, Filters, Slot, WeekdayPlays } from '../../adapters/statistics/port';
import { dayAfter, MINUTES, startOfDay, toWallClock, utcDay, zoneOffset } from '../../base/time';
import { GRANULARITY_UP_TO, READABLE, STATISTICS_LIMITS } from '../../limits/statistics';
import { rangeInFuture, rangeReversed, rangeTooLong, tooManyPoints } from './errors';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Local days such as `2026-11-26`, both included. */
export type DayRange = { from: string; to: string };
export type Period = DayRange & { zone: string; granularity: Granularity };

export const SLOTS_PER_DAY = 96;
const SLOTS_PER_HOUR = 4;
const SLOT = MINUTES(15);
const DEFAULT_DAYS = 30;
const DATE_LENGTH = 10;
const DAYS_PER_WEEK = 7;

type Asked = Partial<DayRange> & { granularity?: Granularity };

/**
 * The period of a request. It ends today at the latest.
 * @throws statistics.range_reversed, statistics.range_in_future, statistics.range_too_long, statistics.too_many_points
 */
export function resolvePeriod(asked: Asked, { now, zone }: { now: Date; zone: string }): Period {
  const today = toWallClock(now, zone).slice(0, DATE_LENGTH);
  const to = asked.to && asked.to < today ? asked.to : today;
  const from = asked.from ?? dayAfter(to, 1 - DEFAULT_DAYS);
  if (asked.from && asked.to && asked.from > asked.to) throw rangeReversed();
  if (from > to) throw rangeInFuture();
  const days = daysOf({ from, to });
  if (days > STATISTICS_LIMITS.days) throw rangeTooLong({ days: STATISTICS_LIMITS.days });
  const granularity = asked.granularity ?? granularityFor(days);
  if (startsOf({ from, to }, granularity).length > STATISTICS_LIMITS.buckets) throw tooManyPoints();
  return { from, to, zone, granularity };
}

export const isFiltered = ({ country, app }: Filters): boolean => country !== undefined || app !== undefined;

function granularityFor(days: number): Granularity {
  if (days <= GRANULARITY_UP_TO.day) return 'day';
  return days <= GRANULARITY_UP_TO.week ? 'week' : 'month';
}

export function daysOf({ from, to }: DayRange): number {
  const between = new Date(`${to}T00:00:00Z`).getTime() - new Date(`${from}T00:00:00Z`).getTime();
  return Math.round(between / (SLOT * SLOTS_PER_DAY)) + 1;
}

/** The months that are wholly within a range, from the first day to the last one; null if it contains none. */
export function wholeMonths({ from, to }: DayRange): DayRange | null {
  const first = from.endsWith('-01') ? from : nextStart(from, 'month');
  const last = dayAfter(`${dayAfter(to, 1).slice(0, 7)}-01`, -1);
  return first < last ? { from: first, to: last } : null;
}

/** The period of the same length that ends the day before. */
export function periodBefore<P extends DayRange>(period: P): P {
  return { ...period, from: dayAfter(period.from, -daysOf(period)), to: dayAfter(period.from, -1) };
}

/** The points of a period's chart. Weeks begin on Monday; the first and the last one may be cut by the period. */
export function bucketsOf(period: Period): Bucket[] {
  const starts = startsOf(period, period.granularity);
  const slots = [...starts, dayAfter(period.to, 1)].map((day) => slotOf(startOfDay(day, period.zone)));
  return starts.map((at, i) => ({ at, from: slots[i]!, until: slots[i + 1]! }));
}

/** The whole period as one bucket. */
export function wholeOf({ from, to, zone }: Period): Bucket {
  return {
    at: from,
    from: slotOf(startOfDay(from, zone)),
    until: slotOf(startOfDay(dayAfter(to, 1), zone)),
  };
}

function startsOf({ from, to }: DayRange, granularity: Granularity): string[] {
  const starts: string[] = [];
  for (let at = from; at <= to; at = nextStart(at, granularity)) starts.push(at);
  return starts;
}

function nextStart(day: string, granularity: Granularity): string {
  if (granularity === 'day') return dayAfter(day, 1);
  if (granularity === 'week') return dayAfter(day, DAYS_PER_WEEK - weekdayOf(day));
  const [year = 0, month = 0] = day.split('-').map(Number);
  return utcDay(new Date(Date.UTC(year, month, 1)));
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
}

function slotOf(at: Date): Slot {
  const day = utcDay(at);
  return { day, slot: Math.floor((at.getTime() - new Date(`${day}T00:00:00Z`).getTime()) / SLOT) };
}

export type Slice = { key: string; plays: number };
export const OTHER = 'other';

/** Largest first; those beyond the limit are summed as `other`. */
export function topSlices(slices: Slice[], limit: number = STATISTICS_LIMITS.slices): Slice[] {
  const sorted = [...slices]
    .filter(({ key, plays }) => key !== OTHER && plays > 0)
    .sort((a, b) => b.plays - a.plays || (a.key < b.key ? -1 : 1));
  const shown = sorted.slice(0, limit);
  const all = slices.reduce((sum, { plays }) => sum + plays, 0);
  const rest = all - shown.reduce((sum, { plays }) => sum + plays, 0);
  return rest > 0 ? [...shown, { key: OTHER, plays: rest }] : shown;
}

type HourOfWeek = Omit<WeekdayPlays, 'offset'>;

/**
 * Plays by local weekday (Monday first) and hour, from plays by UTC weekday and slot.
 * @param offsetSlots the zone's offset from UTC, in slots
 */
export function weekOf(hours: HourOfWeek[], offsetSlots: number): number[][] {
  const week = Array.from({ length: DAYS_PER_WEEK }, () => Array<number>(24).fill(0));
  const slots = DAYS_PER_WEEK * SLOTS_PER_DAY;
  for (const { weekday, slot, plays } of hours) {
    const local = (((weekday * SLOTS_PER_DAY + slot + offsetSlots) % slots) + slots) % slots;
    const day = week[Math.floor(local / SLOTS_PER_DAY)]!;
    const hour = Math.floor((local % SLOTS_PER_DAY) / SLOTS_PER_HOUR);
    day[hour] = day[hour]! + plays;
  }
  return week;
}

/** Running totals of plays by hour since the release, up to the hour in which the episode is now. */
export function runningTotals(byHour: ReadonlyMap<number, number>, hours: number): number[] {
  const totals: number[] = [];
  let sum = 0;
  for (let hour = 0; hour < hours; hour += 1) {
    sum += byHour.get(hour) ?? 0;
    totals.push(sum);
  }
  return totals;
}

/** The UTC days of a range on which plays were counted: from the first play on, and not in the future. */
export function countedDays({ from, to }: DayRange, { since, today }: { since: string | null; today: string }): number {
  const [first, last] = [since !== null && since > from ? since : from, to < today ? to : today];
  return since === null || first > last ? 0 : daysOf({ from: first, to: last });
}

export type Quartiles = { lower: number[]; median: number[]; upper: number[] };

/**
 * The quartiles of several episodes' running totals at each hour, as far as at least half of the episodes go.
 * Linear interpolation between the closest ranks.
 */
export function quartilesOf(totals: number[][]): Quartiles {
  const result: Quartiles = { lower: [], median: [], upper: [] };
  const most = Math.max(0, ...totals.map(({ length }) => length));
  for (let hour = 0; hour < most; hour += 1) {
    const values = totals.flatMap((one) => (hour < one.length ? [one[hour]!] : [])).sort((a, b) => a - b);
    if (values.length * 2 < totals.length) break;
    result.lower.push(quantile(values, 0.25));
    result.median.push(quantile(values, 0.5));
    result.upper.push(quantile(values, 0.75));
  }
  return result;
}

function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}

/** Plays that began within an hour. `at`: its start, in milliseconds since 1970. */
export type HourCounts = { at: number; listens: number; downloads: number; playerDownloads: number };

export function hoursOf(months: Pick<EpisodeMonth, 'month' | 'hours'>[]): HourCounts[] {
  return months.flatMap(({ month, hours: { l: listens = {}, d: downloads = {}, p: playerDownloads = {} } }) =>
    [...new Set([listens, downloads, playerDownloads].flatMap(Object.keys))].map((key) => ({
      at: Date.parse(`${month.slice(0, 8)}${key.slice(0, 2)}T${key.slice(2)}:00:00Z`),
      listens: listens[key] ?? 0,
      downloads: downloads[key] ?? 0,
      playerDownloads: playerDownloads[key] ?? 0,
    })),
  );
}

/** Hours that begin within a period. */
export function hoursWithin(hours: HourCounts[], { from, until }: Bucket): HourCounts[] {
  return hours.filter(({ at }) => at >= timeOf(from) && at < timeOf(until));
}

/** Plays by local weekday and hour. */
export function weekOfHours(hours: HourCounts[], zone: string): number[][] {
  const local = hours.map(({ at, listens, downloads }) => {
    const wall = new Date(at + zoneOffset(new Date(at), zone));
    return {
      weekday: weekdayOf(utcDay(wall)),
      slot: wall.getUTCHours() * SLOTS_PER_HOUR,
      plays: listens + downloads,
    };
  });
  return weekOf(local, 0);
}

/** Sums hours by buckets. An hour belongs to the bucket in which it begins, so half-hour zones are half an hour off. */
export function sumHours(hours: HourCounts[], buckets: Bucket[]) {
  const starts = buckets.map(({ from }) => timeOf(from));
  const end = timeOf(buckets.at(-1)!.until);
  const points = buckets.map(({ at }) => ({ at, plays: 0, listens: 0, downloads: 0, playerDownloads: 0 }));
  for (const { at, listens, downloads, playerDownloads } of hours) {
    const point = at < end ? points[starts.findLastIndex((start) => start <= at)] : undefined;
    if (!point) continue;
    point.listens += listens;
    point.downloads += downloads;
    point.playerDownloads += playerDownloads;
    point.plays += listens + downloads;
  }
  return points;
}

const timeOf = ({ day, slot }: Slot): number => Date.parse(`${day}T00:00:00Z`) + slot * SLOT;

/** The change in whole percent; null if the former period had no plays. */
export function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}

/** How a figure has changed: small numbers differ by people, not by per cent. */
export type Comparison = { kind: 'none' | 'same' | 'up' | 'down' | 'upPercent' | 'downPercent'; by: number };

export function changeOf({ now, before }: { now: number; before: number }): Comparison {
  if (now === before) return { kind: now === 0 ? 'none' : 'same', by: 0 };
  const direction = now > before ? 'up' : 'down';
  if (before < READABLE.percentFrom) return { kind: direction, by: Math.abs(now - before) };
  const by = Math.abs(percentChange(now, before) ?? 0);
  return by === 0 ? { kind: 'same', by } : { kind: `${direction}Percent`, by };
}

/** The share of many plays in whole percent; null where the plays themselves say more. */
export function percentOf(plays: number, all: number): number | null {
  return all < READABLE.sharesFrom ? null : Math.round((plays / all) * 100);
}
