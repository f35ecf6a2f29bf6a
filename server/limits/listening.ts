import { DAYS, MINUTES, SECONDS } from '../time';

export const LISTEN_LIMITS = { countedAfterSeconds: 60 } as const;

export const DOWNLOAD_LIMITS = { countedAfterMs: MINUTES(1), rawKept: DAYS(90) } as const;

/** How long a web process serves an episode's audio without asking the database again, and for how many episodes. */
export const AUDIO_LIMITS = { rowCachedFor: SECONDS(1), cachedRows: 1000 } as const;

/** Plays and downloads that may wait for the next commit, and the most that one statement writes. */
export const RECORDER_LIMITS = { capacity: 20_000, batch: 4000 } as const;
