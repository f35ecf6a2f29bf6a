import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';

/**
 * The locales in which dates, times, numbers and amounts are written. They are few on purpose: the browser formats a
 * page again that the server has formatted, and all browsers have these (docs/decisions/0319).
 */
export type Locale = 'en-GB' | 'en-US' | 'es-ES' | 'es-MX';

/** Formats follow the country: a reader in Ireland writes 24 November 2026 in any language. */
const NEUTRAL: Record<Language, Locale> = { en: 'en-GB', es: 'es-ES' };

/** The United States and their territories write November 24, 2026 and 7:01 PM. */
const AMERICAN = new Set('AS GU MP PR UM US VI'.split(' '));

/** Spanish-speaking countries with a decimal point: 1,234.50. */
const POINT = new Set('CU DO GT HN MX NI PA PE PR SV US'.split(' '));

/** The locale of a reader's formats. @param country ISO 3166-1 alpha-2; null if unknown, and on shared pages */
export function localeOf(language: Language, country: string | null = null): Locale {
  if (country === null) return NEUTRAL[language];
  if (language === 'en') return AMERICAN.has(country) ? 'en-US' : 'en-GB';
  return POINT.has(country) ? 'es-MX' : 'es-ES';
}

type Recipient = { language: Language | null; country: string | null };

/** The locale of an email to a user. */
export const localeOfUser = ({ language, country }: Recipient): Locale =>
  localeOf(language ?? DEFAULT_LANGUAGE, country);

/** `es-MX,es;q=0.9,en-GB;q=0.8` → MX, GB: the regions of an Accept-Language header, in its order. */
export function regionsOf(header: string): string[] {
  const regions = header.split(',').map((tag) => /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(tag)?.[1]);
  return regions.flatMap((region) => region?.toUpperCase() ?? []);
}

type WeekInfo = { firstDay: number };

/** The day with which weeks start in a country: 0 is Sunday, 1 is Monday. Server only: not every browser knows it. */
export function firstDayOfWeek(country: string | null): number {
  if (country === null) return 1;
  const place = new Intl.Locale('und', { region: country }) as { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo };
  return ((place.getWeekInfo?.() ?? place.weekInfo)?.firstDay ?? 1) % 7;
}

type DateOptions = Intl.DateTimeFormatOptions;
type NumberOptions = Intl.NumberFormatOptions;

/** Kept, because creating a formatter takes longer than rendering a row. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

const LONG_DAY = { dateStyle: 'long', timeZone: 'UTC' } as const;

/** By default a day in UTC, as receipts and emails show it: `24 November 2026`. */
export const formatDate = (at: Date, locale: Locale, options: DateOptions = LONG_DAY): string =>
  dateFormat(locale, options).format(at);

export function dateFormat(locale: Locale, options: DateOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, format);
  return format;
}

export const formatNumber = (value: number, locale: Locale, options: NumberOptions = {}): string =>
  numberFormat(locale, options).format(value);

export function numberFormat(locale: Locale, options: NumberOptions = {}): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(key, format);
  return format;
}

/** The country's name. @param code ISO 3166-1 alpha-2; returned if it has no name */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
