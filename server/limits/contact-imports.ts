import { MEGABYTES } from './sizes';

/**
 * Files of contacts. `breaks`: lines with blank ones and those within cells. `tags`: of one contact; those of a creator
 * are limited, too. `dateSample`: rows that tell the order of day and month.
 */
export const CONTACT_IMPORT_LIMITS = {
  bytes: 100 * MEGABYTES,
  rows: 1_000_000,
  breaks: 3_000_000,
  cells: 100,
  cellLength: 1000,
  nameLength: 100,
  emailLength: 254,
  tags: 20,
  tagLength: 50,
  firstYear: 1990,
} as const;
