import { formatDate, formatNumber, type Locale } from '~/server/base/formats';
import { currentZoneName } from '~/server/base/time';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

/** 12_400_000 → `12.4 MB`, in the reader's format. */
export function formatFileSize(bytes: number, locale: Locale): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  return formatNumber(value, locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 && value < 100 ? 1 : 0,
  });
}

/** Formats a duration, rounded for readers: `40 sec`, `3 min`, `1 hr 5 min`. */
export function formatDuration(seconds: number, locale: Locale): string {
  const unit = (value: number, name: 'second' | 'minute' | 'hour') =>
    formatNumber(value, locale, { style: 'unit', unit: name, unitDisplay: 'short' });
  const total = Math.max(0, Math.round(seconds));
  if (total < 60) return unit(total, 'second');
  const minutes = Math.round(total / 60);
  if (minutes < 60) return unit(minutes, 'minute');
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

/** A date and time in a time zone, optionally followed by the zone's name. */
export function formatDateTime(at: Date, locale: Locale, timeZone: string, withZone = false): string {
  const dateTime = formatDate(at, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return withZone ? `${dateTime} (${timeZoneName(timeZone)})` : dateTime;
}

/** A date and time with seconds, for logs. */
export const formatSeconds = (at: Date, locale: Locale, timeZone: string): string =>
  formatDate(at, locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone });

/**
 * Adds the offset from UTC, which tells the two instants apart when clocks show a time twice: `25 Oct 2026, 02:30
 * GMT+1`.
 */
export function formatMoment(at: Date, locale: Locale, timeZone: string): string {
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'shortOffset' } as const;
  return formatDate(at, locale, { ...date, ...time, timeZone });
}

/** `America/Mexico_City` → `America/Mexico City` */
export function timeZoneName(timeZone: string): string {
  return currentZoneName(timeZone).replaceAll('_', ' ');
}
