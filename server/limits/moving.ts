import { DAYS } from '../time';

/** `undo`: how long a creator can take the redirect of a feed back. `guids`: of the newest episodes, which are compared. */
export const REDIRECT_LIMITS = { urlLength: 2000, undo: DAYS(1), guids: 500 } as const;
