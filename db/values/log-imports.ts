/** How lines of a log are written (docs/log-import.md). */
export const LOG_FORMATS = ['cloudfront', 'fastly', 'combined'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Why a line can't be read. */
export const LOG_FAULTS = ['unreadable', 'too_long', 'bad_time', 'future', 'too_old', 'no_fields'] as const;
export type LogFault = (typeof LOG_FAULTS)[number];

/**
 * What became of lines. `delivered`: audio for a listener; `machines`; `ignored`: other addresses, HEAD, 304, probes and
 * comments; `unknown`: episodes that are not here.
 */
export type LogCounts = Partial<Record<'delivered' | 'machines' | 'ignored' | 'unknown' | LogFault, number>>;
