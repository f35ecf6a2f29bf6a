import { DAYS } from '../base/time';

/**
 * Of the newsletter form. `linkLifetime`: of the link that confirms an address; a contact that never confirmed is deleted
 * afterwards. `perWindow`: emails with it to one address, of all newsletters together.
 */
export const NEWSLETTER_LIMITS = { linkLifetime: DAYS(2), perWindow: 3, window: DAYS(1) } as const;
