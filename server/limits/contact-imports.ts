import { DAYS, HOURS, MINUTES } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * Files of contacts. `breaks`: lines with blank ones and those within cells. `tags`: of one contact; those of a creator are
 * limited, too. `batch`: rows that are written at once. `sample`: rows that a preview reads, of which it shows `shown`.
 * `encodingBytes`: by which a preview tells the encoding. `exported`: rows of a part of the report. `kept`: how long it is kept. `lost`: an import that has not got on for so long
 * gets another job, and after `stuck` it has failed. `recovered`: such imports at a time.
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
  dateLength: 60,
  firstYear: 1990,
  keyLength: 100,
  sourceLength: 200,
  batch: 10_000,
  sample: 500,
  shown: 5,
  encodingBytes: MEGABYTES,
  exported: 1000,
  kept: DAYS(90),
  lost: MINUTES(10),
  stuck: HOURS(6),
  recovered: 50,
} as const;
