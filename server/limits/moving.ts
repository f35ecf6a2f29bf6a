import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * `undo`: how long a creator can undo the redirect of a feed. `guids`: number of newest episodes whose GUIDs are
 * compared.
 */
export const REDIRECT_LIMITS = { urlLength: 2000, undo: DAYS(1), guids: 500 } as const;

/**
 * Files with subscribers of another host. `breaks`: all lines of a file, with blank ones and those within cells. `batch`: lines that are written at once. `stepMs`: how long one job works
 * before others take turns. `furthest`: the latest renewal; the provider starts nothing later. `soonest`: a renewal
 * that comes sooner than this after the start of a run is left to the next file. `retries`: pauses after failures of a
 * line. `kept`: how long we keep the lines of finished imports, with their addresses. `passwordLink`: how long the link
 * in the welcome email works. `atOnce`: lines that are imported at the same time, so that pages of buyers have enough
 * of the provider's calls.
 */
export const SUBSCRIBER_IMPORT_LIMITS = {
  bytes: 40 * MEGABYTES,
  lines: 100_000,
  breaks: 200_000,
  cellLength: 4000,
  cells: 200,
  nameLength: 100,
  urlLength: 2000,
  keyLength: 100,
  batch: 1000,
  checkedAtOnce: 50,
  stepMs: SECONDS(5),
  furthest: DAYS(730),
  soonest: HOURS(1),
  pages: 5000,
  pageSize: 100,
  retries: [SECONDS(10), MINUTES(1), MINUTES(10), HOURS(1)],
  overdue: MINUTES(10),
  recoveredAtOnce: 50,
  kept: DAYS(90),
  passwordLink: DAYS(14),
  atOnce: 5,
  batchOfRun: 20,
  shownLines: 50,
  shownRenewals: 12,
  exported: 500,
} as const;

/**
 * Moves of subscriptions to a creator's own account. `aroundRenewal`: a subscription is not moved this close to its
 * renewal, before or after it, because the payment may still be on its way. `late`: how late a subscription is charged
 * whose period has ended while the move was interrupted.
 */
export const MOVE_LIMITS = {
  stepMs: SECONDS(5),
  atOnce: 5,
  aroundRenewal: HOURS(3),
  late: HOURS(1),
  retries: [SECONDS(10), MINUTES(1), MINUTES(10), HOURS(1)],
  overdue: MINUTES(10),
  recoveredAtOnce: 50,
  shownLines: 50,
} as const;
