import { DAYS, SECONDS } from '../base/time';

/**
 * Of the command line of operators, and of their pages. `found`: of each kind in a search; `shown`: of the lists on the
 * page of an account or a creator. `statementLength`: why something is taken down.
 */
export const OPERATOR_LIMITS = {
  listed: 100,
  found: 20,
  shown: 20,
  nameLength: 100,
  reasonLength: 140,
  statementLength: 1000,
  searchLength: 100,
  errorLength: 300,
} as const;

/**
 * Texts in everybody's studio. `shownFor`: at most; `shown`: at once.
 */
export const ANNOUNCEMENT_LIMITS = {
  textLength: 300,
  linkLength: 500,
  shownFor: DAYS(60),
  shown: 2,
  listed: 100,
} as const;

/**
 * `failedKept`: how long a failed job can be retried. `changedAtOnce`: jobs that one call retries. `slow`: what takes
 * longer is worth a line in the log.
 */
export const JOB_LIMITS = { failedKept: DAYS(7), changedAtOnce: 1000, queueLength: 100, slow: SECONDS(10) } as const;
