import { defineError } from '../../base/errors';

export const listenTooShort = defineError('listening.too_short', 'invalid', { field: 'seconds' });
/** Missing, forged, expired, or of another episode or session: who made it up must not learn which. */
export const ticketInvalid = defineError('listening.ticket_invalid', 'invalid', { field: 'ticket' });
export const ticketTooEarly = defineError('listening.ticket_too_early', 'invalid', { field: 'ticket' });
