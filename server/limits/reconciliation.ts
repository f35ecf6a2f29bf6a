import { DAYS, HOURS } from '../base/time';

/**
 * `overlap`: how far before the last comparison we read the provider's books again, because entries appear late.
 * `window`: the period for which both books are compared. At its beginning (`edge`) and its end (`settles`), one side
 * may have entries that the other one does not have yet. An open difference lengthens the period, up to `oldest`.
 * `healed`: differences for which we ask the provider again, in a run and in a day. `captures`: how long the provider
 * may take to capture a payment before it counts as missing in its books. `written`: new differences of a run. `shown`:
 * differences that the operator sees.
 */
export const RECONCILIATION_LIMITS = {
  page: 100,
  overlap: DAYS(3),
  window: DAYS(120),
  oldest: DAYS(730),
  edge: DAYS(2),
  settles: HOURS(2),
  healed: { inRun: 200, inDay: 400 },
  captures: DAYS(3),
  written: 1000,
  shown: 200,
} as const;
