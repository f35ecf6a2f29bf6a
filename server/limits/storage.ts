import { SECONDS } from '../base/time';

/** A storage request fails after this long without a byte, so that no reader waits forever. */
export const STORAGE_LIMITS = { silence: SECONDS(20) } as const;
