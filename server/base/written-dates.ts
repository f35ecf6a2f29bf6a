import { utcDay } from './time';

/** The order of day and month in dates of digits. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A date as it is written; of `either`, only the order of the file says which number is the day. */
export type WrittenDate =
  | { kind: 'day'; year: number; month: number; day: number }
  | { kind: 'month'; year: number; month: number }
  | { kind: 'either'; year: number; first: number; second: number };

/** Spreadsheets write an apostrophe before numbers that are text. */
export const withoutMark = (cell: string) => cell.trim().replace(/^'/, '');

const TIME = '(?:[T ,]+\\d{1,2}:\\d{2}.*)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME}$`);
const YEAR_MONTH = /^(\d{4})[-/.](\d{1,2})$/;
const MONTH_YEAR = /^(\d{1,2})[-/.](\d{4})$/;
const LONGEST_DATE = 60;

/** Reads `2026-01-31`, `20260131`, `31/01/2026`, `2026-01`, `Jan 31, 2026` or `enero de 2026`; null for other texts. */
export function readWrittenDate(cell: string): WrittenDate | null {
  const text = withoutMark(cell);
  if (text.length > LONGEST_DATE) return null;
  const ymd = YEAR_FIRST.exec(text);
  if (ymd) return { kind: 'day', ...numbers({ year: ymd[1], month: ymd[3], day: ymd[4] }) };
  const compact = COMPACT.exec(text);
  if (compact) return { kind: 'day', ...numbers({ year: compact[1], month: compact[2], day: compact[3] }) };
  const last = YEAR_LAST.exec(text);
  if (last) return { kind: 'either', ...numbers({ first: last[1], second: last[3], year: fullYear(last[4]) }) };
  const month = YEAR_MONTH.exec(text);
  if (month) return { kind: 'month', ...numbers({ year: month[1], month: month[2] }) };
  const monthLast = MONTH_YEAR.exec(text);
  if (monthLast) return { kind: 'month', ...numbers({ month: monthLast[1], year: monthLast[2] }) };
  return readNamedMonth(text);
}

const numbers = <Key extends string>(parts: Record<Key, string | undefined>) =>
  Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, Number(value)])) as Record<Key, number>;

const fullYear = (year: string | undefined) => (year?.length === 2 ? `20${year}` : year);

/** English and Spanish, by their first letters. */
const MONTHS = [
  ['jan', 'ene'],
  ['feb'],
  ['mar'],
  ['apr', 'abr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['aug', 'ago'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dec', 'dic'],
];
const MONTH_NAME =
  /^(?:jan(?:uary)?|ene(?:ro)?|feb(?:ruary|rero)?|mar(?:ch|zo)?|apr(?:il)?|abr(?:il)?|mayo?|june?|junio|july?|julio|aug(?:ust)?|ago(?:sto)?|sept?(?:ember|iembre)?|set(?:iembre)?|oct(?:ober|ubre)?|nov(?:ember|iembre)?|dec(?:ember)?|dic(?:iembre)?)$/;

function readNamedMonth(text: string): WrittenDate | null {
  const words = text
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && word !== 'de' && word !== 'of');
  const month = MONTHS.findIndex((starts) =>
    words.some((word) => MONTH_NAME.test(word) && starts.includes(word.slice(0, 3))),
  );
  const year = words.find((word) => /^\d{4}$/.test(word));
  if (month === -1 || year === undefined) return null;
  const day = words.find((word) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word));
  const known = { year: Number(year), month: month + 1 };
  return day === undefined ? { kind: 'month', ...known } : { kind: 'day', ...known, day: Number.parseInt(day, 10) };
}

/** The order that some dates prove, such as 31/01/2026; null if they prove none, or both. */
export function orderOf(dates: readonly (WrittenDate | null)[]): DateOrder | null {
  const either = dates.filter((date) => date?.kind === 'either');
  const isDayFirst = either.some(({ first }) => first > 12);
  const isMonthFirst = either.some(({ second }) => second > 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'dmy' : 'mdy';
  // without a date that can be read in two ways, any order is right
  return isDayFirst || either.some(({ first, second }) => first !== second) ? null : 'dmy';
}

/** The day that was written, as `2026-01-31`; of a month, its first one. Null for a day that no calendar has. */
export function writtenDay(date: WrittenDate, order: DateOrder): string | null {
  const [month, day] =
    date.kind === 'either'
      ? order === 'dmy'
        ? [date.second, date.first]
        : [date.first, date.second]
      : [date.month, date.kind === 'day' ? date.day : 1];
  const at = new Date(Date.UTC(date.year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? utcDay(at) : null;
}
