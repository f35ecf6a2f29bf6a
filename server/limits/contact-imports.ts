import { DAYS, MINUTES } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * Files of contacts. `batch`: rows that are written at once. `sample`: rows that a preview reads, of which it shows `shown`.
 * `exported`: rows of a part of the report. `kept`: how long it is kept. `lost`: after this, the job of an import is lost. `breaks`: lines with blank ones and those within cells. `tags`: of one contact; those of a creator
 * are limited, too.  */
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
  keyLength: 100,
  sourceLength: 200,
  batch: 5000,
  sample: 500,
  shown: 5,
  exported: 1000,
  kept: DAYS(90),
  lost: MINUTES(10),
  recovered: 50,
} as const;
