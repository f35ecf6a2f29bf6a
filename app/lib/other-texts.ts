import type { Texts } from '~/locales/translate';

/**
 * All files, including texts of the studio, of accounts and of payments: two thirds of the files, whose names listeners
 * don't load.
 */
export const allFiles = import.meta.glob<Texts>(['/locales/*/*.json', '!/locales/*/{mail,feeds}.json'], {
  import: 'default',
});
