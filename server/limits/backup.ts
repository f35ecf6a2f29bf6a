import { MINUTES } from '../base/time';

/**
 * `holdLock` is held while a backup runs, and `aloneLock` keeps a second one from starting: arbitrary numbers, the same
 * in every process. `retry`: the pause before another attempt to delete an object that a backup may need. `together`:
 * objects that are copied at the same time.
 */
export const BACKUP_LIMITS = { holdLock: 727_275, aloneLock: 727_276, retry: MINUTES(10), together: 8 } as const;
