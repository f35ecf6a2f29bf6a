import type { Texts } from '~/locales/translate';

/** Also the texts of the studio, of accounts and of payments: two thirds of all files, whose names listeners don't load. */
export const allFiles = import.meta.glob<Texts>(['/locales/*/*.json', '!/locales/*/{mail,feeds}.json'], {
  import: 'default',
});
