import type { Language } from '~/locales/languages';

/** Days of payments, as receipts and emails state them. */
export const formatDay = (at: Date, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
