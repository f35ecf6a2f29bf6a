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

/** The span of one imported figure. */
export const HISTORY_PERIODS = ['day', 'month'] as const;
export type HistoryPeriod = (typeof HISTORY_PERIODS)[number];
