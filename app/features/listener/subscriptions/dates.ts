import type { Language } from '~/locales/languages';

/** Formats payment days as receipts and emails show them. */
export const formatDay = (at: Date, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
