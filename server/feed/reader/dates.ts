import { HOURS, isTimeZone, MINUTES } from '../../base/time';
import { RFC_2822 } from '../rfc-2822';
import { MONTHS, namedOffset, regionalOffset, ZONES } from './calendars';

/**
 * `regular` is false if the text is neither an RFC 2822 nor an RFC 3339 date. `zoneUnknown`: it names a zone that we
 * don't know, and was read as UTC.
 */
export type ParsedDate = { at: Date; regular: boolean; zoneUnknown?: true };

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const MAX_LENGTH = 100;

/**
 * Reads a date in any form that feeds use; without a zone it is UTC. In 3/4/2020 the day comes first, unless
 * `monthFirst` is set or the numbers require otherwise. Returns null for text that is not a date.
 */
export function readDate(source: string, monthFirst = false): ParsedDate | null {
  const text = source.trim().slice(0, MAX_LENGTH);
  if (!text) return null;
  const usual = readUsualDate(text);
  if (usual) return usual;
  const regular = RFC_2822.test(text) || RFC_3339.test(text);
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ');
  const plain = regular ? folded : withInitials(folded);
  const at = readUnixTime(plain) ?? readCalendarDate(plain, monthFirst);
  const isKnown = regular || !at || isZoneKnown(text);
  return at && { at, regular, ...(!isKnown && { zoneUnknown: true as const }) };
}

/** The form in which most feeds write dates: RFC 2822, with the offset as digits. */
const USUAL =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d\d?) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) (?:([+-])(\d\d)(\d\d)|GMT)$/;

/** Reads these dates as all others are read, in less time. Null for others, and for days that do not exist. */
function readUsualDate(text: string): ParsedDate | null {
  const found = USUAL.exec(text);
  if (!found) return null;
  const month = MONTHS.get(found[2]!.toLowerCase())!;
  const start = startOfDay({ year: Number(found[3]), month, day: Number(found[1]) });
  if (start === null) return null;
  const local = start + HOURS(Number(found[4])) + MINUTES(Number(found[5])) + Number(found[6]) * 1000;
  const offset = found[7] ? HOURS(Number(found[8])) + MINUTES(Number(found[9])) : 0;
  return { at: new Date(found[7] === '-' ? local + offset : local - offset), regular: true };
}

/** `eastern standard time` → `est` */
const withInitials = (text: string): string =>
  text.replace(
    /(?<!\w)(?!(?:[ap]m|at) )((?:[a-z]+ ){1,4})time\b/,
    (_, words: string) => `${words.replace(/(\w)\w* /g, '$1')}t`,
  );

/** The name of a zone right after the time, in capitals, and other words in capitals there. */
const ZONE_NAME =
  /\d:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?\s*)?\(?((?![AP]M\b)[A-Z]{2,5}|[A-Z][A-Za-z]+\/[A-Za-z_/]+)\b/i;
const NO_ZONE = /^(?:[ap]m|uhr|hrs?|hs|mon|tue|wed|thu|fri|sat|sun|[ecmp]t)$/;

function isZoneKnown(text: string): boolean {
  const name = ZONE_NAME.exec(text)?.[1] ?? '';
  if (name.includes('/')) return isTimeZone(name);
  const word = name.toLowerCase();
  return name !== name.toUpperCase() || word === '' || word in ZONES || NO_ZONE.test(word) || monthOf(word) !== null;
}

/** Reads seconds or milliseconds since 1970. */
function readUnixTime(text: string): Date | null {
  const number = /^(\d{9,13})(?:\.\d+)?$/.exec(text)?.[1];
  if (!number) return null;
  return new Date(Number(number) * (number.length > 11 ? 1 : 1000));
}

type Day = { year: number; month: number; day: number; rest: string };

function readCalendarDate(text: string, monthFirst: boolean): Date | null {
  const found = readIsoDay(text) ?? readNamedMonth(text) ?? readNumericDay(text, monthFirst);
  if (!found) return null;
  const start = startOfDay(found);
  if (start === null) return null;
  const local = start + timeOf(found.rest);
  return new Date(local - zoneOf(found.rest, local));
}

/** Null for a day that does not exist. */
function startOfDay({ year, month, day }: Pick<Day, 'year' | 'month' | 'day'>): number | null {
  const start = Date.UTC(year, month - 1, day);
  const date = new Date(start);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year <= 9999;
  return exists ? start : null;
}

/**
 * Two digits are a year from 1970 to 2069. More are taken literally: some programs write year 1 for an unknown date.
 */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? year + 2000 : year + 1900;
}

function readIsoDay(text: string): Day | null {
  const found =
    /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})(?=$|t)/.exec(text);
  const asian = found ?? /(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/.exec(text);
  if (!asian) return null;
  const [whole, year, month, day] = asian;
  return { year: yearOf(year!), month: Number(month), day: Number(day), rest: text.replace(whole, ' ') };
}

const DAY_MONTH =
  /(?<![\d:])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s,-]*(?:de |of )?(\p{L}{3,})\.?[\s,-]*(?:de |del )?(\d{4}|\d{2}(?!:))?/u;
const MONTH_DAY = /(\p{L}{3,})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?(?![\d:])[\s,]*(\d{4})?/u;

/** Reads a day with a month name before or after it. The year may come at the very end. */
function readNamedMonth(text: string): Day | null {
  const after = DAY_MONTH.exec(text);
  const month = after && monthOf(after[2]!);
  if (after && month) return toDay(text, after[0], { month, day: Number(after[1]), year: after[3] });
  const before = [...text.matchAll(new RegExp(MONTH_DAY, 'gu'))].find(([, name]) => monthOf(name!));
  if (!before) return null;
  return toDay(text, before[0], { month: monthOf(before[1]!)!, day: Number(before[2]), year: before[3] });
}

function toDay(
  text: string,
  whole: string,
  { month, day, year }: { month: number; day: number; year?: string },
): Day | null {
  const rest = text.replace(whole, ' ');
  const stated = year ?? /(?<![\d:+-])\d{4}(?!\d)/.exec(rest)?.[0];
  return stated ? { year: yearOf(stated), month, day, rest } : null;
}

function readNumericDay(text: string, monthFirst: boolean): Day | null {
  const found = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text);
  if (!found) return null;
  const [whole, first, mark, second, year] = found;
  const [one, two] = [Number(first), Number(second)];
  const isMonthFirst = two > 12 || (monthFirst && mark === '/' && one <= 12);
  const rest = text.replace(whole, ' ');
  return { year: yearOf(year!), month: isMonthFirst ? one : two, day: isMonthFirst ? two : one, rest };
}

/** Czech tells June from July by the seventh letter. */
const LONGEST_BEGINNING = 7;

function monthOf(name: string): number | null {
  if (MONTHS.has(name)) return MONTHS.get(name)!;
  for (let length = Math.min(name.length - 1, LONGEST_BEGINNING); length >= 3; length--) {
    const month = MONTHS.get(name.slice(0, length));
    if (month) return month;
  }
  return null;
}

function timeOf(rest: string): number {
  const basic = /^t(\d{2})(\d{2})(\d{2})?/.exec(rest.trim());
  const found =
    basic ?? /(?<![\d+-])(\d{1,2})[:h.](\d{2})(?:[:.m](\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?m\b)?/.exec(rest);
  const [, hours, minutes, seconds = '0', fraction = '0', half] = found ?? wholeHour(rest);
  if (!hours) return 0;
  const hour = half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 60) return 0;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  return HOURS(hour) + MINUTES(Number(minutes)) + Number(seconds) * 1000 + ms;
}

/** `5pm` in the form of a whole time. */
function wholeHour(rest: string): (string | undefined)[] {
  const [whole, hours, half] = /(?<![\d:.+-])(\d{1,2})\s?([ap])\.?m\b/.exec(rest) ?? [];
  return [whole, hours, '0', '0', '0', half];
}

/** The offset from UTC. `local` is the written time as if it were UTC. */
function zoneOf(rest: string, local: number): number {
  const zone = /[a-z]+\/[a-z_]+(?:\/[a-z_]+)?/.exec(rest)?.[0];
  const named = zone ? namedOffset(zone, local) : null;
  if (named !== null) return named;
  const offset = /(?:gmt|utc|[\s\d])?([+-])(\d{1,2}):?(\d{2})?(?!\d)/.exec(rest.replace(/\(.*\)/, ''));
  if (offset) {
    const ms = HOURS(Number(offset[2])) + MINUTES(Number(offset[3] ?? 0));
    return offset[1] === '-' ? -ms : ms;
  }
  for (const [word] of rest.matchAll(/[a-z]{2,5}/g)) if (word in ZONES) return HOURS(ZONES[word]!);
  const region = /(?:\d|[ap]\.?m\.?)\s*\(?([ecmp]t)\b/.exec(rest)?.[1];
  return region ? regionalOffset(region, local) : 0;
}
