/** Hosts and directories whose statistics can be imported; `other`: the creator names it. */
export const HISTORY_HOSTS = [
  'transistor',
  'buzzsprout',
  'libsyn',
  'podbean',
  'spotify',
  'ivoox',
  'apple',
  'other',
] as const;
export type HistoryHost = (typeof HISTORY_HOSTS)[number];

/** The order of day and month in dates of digits. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The span of one imported figure. */
export const HISTORY_PERIODS = ['day', 'month'] as const;
export type HistoryPeriod = (typeof HISTORY_PERIODS)[number];
