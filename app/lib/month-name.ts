import { formatDate, type Locale } from '~/server/base/formats';

/** `2026-11` → “November 2026”. */
export const monthName = (month: string, locale: Locale): string =>
  formatDate(new Date(`${month}-01T00:00:00Z`), locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
