import { DAYS, later, utcDay } from '../../base/time';

/** The first day from this one on (both as `YYYY-MM-DD`) on which banks settle SEPA credit transfers. */
export function nextBankDay(day: string): string {
  let at = new Date(`${day}T00:00:00Z`);
  while (!isBankDay(at)) at = later(at, DAYS(1));
  return utcDay(at);
}

/** The earliest day on which a payout that is requested now arrives: approved on one bank day, settled on the next. */
export function expectedDay(day: string): string {
  const dayAfter = (known: string) => utcDay(later(new Date(`${known}T00:00:00Z`), DAYS(1)));
  return nextBankDay(dayAfter(nextBankDay(dayAfter(day))));
}

/** New Year, Labour Day, Christmas and the day after it (month and day). */
const HOLIDAYS = new Set(['01-01', '05-01', '12-25', '12-26']);
/** Good Friday and Easter Monday, in days from Easter Sunday. */
const AROUND_EASTER = [-2, 1];

/**
 * The settlement system of the euro (TARGET) is closed on weekends and on six holidays. Source: the European Central
 * Bank's calendar since 2002; national holidays don't count.
 */
function isBankDay(at: Date): boolean {
  const easter = easterSunday(at.getUTCFullYear());
  const isAroundEaster = AROUND_EASTER.some((days) => later(easter, DAYS(days)).getTime() === at.getTime());
  return at.getUTCDay() % 6 !== 0 && !HOLIDAYS.has(utcDay(at).slice(5)) && !isAroundEaster;
}

/** Easter of the Gregorian calendar, by the method of Gauss with the terms of this and the next century. */
function easterSunday(year: number): Date {
  const fullMoon = (19 * (year % 19) + 24) % 30;
  const age = fullMoon === 29 || (fullMoon === 28 && year % 19 > 10) ? fullMoon - 1 : fullMoon;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) + 6 * age + 5) % 7;
  return new Date(Date.UTC(year, 2, 22 + age + toSunday));
}
