import { DAYS, SECONDS } from '../base/time';

/**
 * The command line of operators, and their pages. `found`: results of each kind in a search; `shown`: entries of the
 * lists on the page of an account or a creator. `statementLength`: length of the reason for taking content down.
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

/** Texts in the studio of every creator. `shownFor`: longest duration; `shown`: texts at the same time. */
export const ANNOUNCEMENT_LIMITS = {
  textLength: 300,
  linkLength: 500,
  shownFor: DAYS(60),
  shown: 2,
  listed: 100,
} as const;

/**
 * `failedKept`: how long a failed job can be retried. `changedAtOnce`: jobs that one call retries. `slow`: slower jobs
 * are logged.
 */
export const JOB_LIMITS = { failedKept: DAYS(7), changedAtOnce: 1000, queueLength: 100, slow: SECONDS(10) } as const;
