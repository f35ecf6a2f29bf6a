import { SECONDS } from '../base/time';

/**
 * `timeout`: how long charts wait for ClickHouse. `insertTimeout`: how long a job waits. `batch`: plays that are shipped at once; an insert of more would be
 * several. `batches`: how many a run of the job ships at most. `movedDays` and `movedMonths`: rows of sums that are moved
 * at once. `compared`: shows that are compared at once.
 */
export const STATISTICS_STORE_LIMITS = {
  timeout: SECONDS(5),
  insertTimeout: SECONDS(60),
  batch: 20_000,
  batches: 100,
  movedDays: 200,
  movedMonths: 200,
  compared: 1000,
} as const;
