import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * Limits of a creator's backups. `lifetime`: how long the download works. A step ends after `stepMs`, `stepBytes` or
 * `stepFiles`, so that a killed step repeats little. `overdue`: a backup without progress for this long continues with
 * a new job, and after `patience` it has failed. `kept`: how long we remember that there was a backup. `rows` are read
 * at once, and `missing` files are named. The other limits are for an import: an id up to `highestId` is kept if it is
 * free.
 */
export const CREATOR_BACKUP_LIMITS = {
  lifetime: DAYS(3),
  perDay: 3,
  stepMs: SECONDS(20),
  stepBytes: 1000 * MEGABYTES,
  stepFiles: 500,
  overdue: MINUTES(45),
  patience: HOURS(24),
  kept: DAYS(30),
  zipEntries: 1_000_000,
  directoryBytes: 300 * MEGABYTES,
  manifestBytes: 300 * MEGABYTES,
  rowBytes: 50 * MEGABYTES,
  highestId: 1_000_000_000,
  rows: 500,
  missing: 10_000,
  swept: 100,
} as const;
