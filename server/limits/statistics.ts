import { HOURS } from '../base/time';

/**
 * `days`: length of a period. `buckets`: points of a chart. `weekDays`: days that the weekly
 * pattern covers at most. `slices`: values of a dimension. `releases`: marks in a chart. `changes`: corrections below it.
 * `sideBySide`: episodes in the table of a show. `pacing`: earlier episodes with which one is compared, over
 * `pacingHours`. `latest`: the episodes whose `firstDay` is a show's figure 'listeners' (spec §9).
 */
export const STATISTICS_LIMITS = {
  days: 3660,
  buckets: 400,
  weekDays: 92,
  slices: 50,
  releases: 200,
  changes: 50,
  sideBySide: 50,
  pacing: 20,
  pacingHours: 168,
  latest: 3,
  firstDay: HOURS(24),
} as const;

/** Without a granularity, a longer period is shown by weeks, and then by months. */
export const GRANULARITY_UP_TO = { day: 92, week: 731 } as const;
