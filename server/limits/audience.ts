import { DAYS } from '../base/time';

/**
 * The newsletter form. `linkLifetime`: how long the link that confirms an address works; a contact that never confirms
 * is deleted afterwards. `perWindow`: such emails to one address, from all newsletters together.
 */
export const NEWSLETTER_LIMITS = { linkLifetime: DAYS(2), perWindow: 3, window: DAYS(1) } as const;
