import { DAYS, HOURS } from '../base/time';

/**
 * `overlap`: how far before the last comparison the provider's books are read again, because entries appear late. `window`:
 * how far back both books are compared; `edge`: at its beginning, and `settles`: at its end, one side may have what the other
 * one has not yet. `healed`: differences of a run for which the provider is asked again. `shown`: to the operator.
 */
export const RECONCILIATION_LIMITS = {
  page: 100,
  overlap: DAYS(3),
  window: DAYS(120),
  edge: DAYS(2),
  settles: HOURS(2),
  healed: 200,
  written: 1000,
  shown: 200,
} as const;
