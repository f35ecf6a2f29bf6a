import { defineError } from '../../base/errors';

export const listenTooShort = defineError('listening.too_short', 'invalid', { field: 'seconds' });
/**
 * The ticket is missing, forged, expired, or of another episode or session: the error does not reveal which to a
 * forger.
 */
export const ticketInvalid = defineError('listening.ticket_invalid', 'invalid', { field: 'ticket' });
/** The episode is shorter. */
export const minuteBeyondEnd = defineError('listening.minute_beyond_end', 'invalid', { field: 'heard' });
/** More minutes than the time since the ticket allows. */
export const tooManyMinutes = defineError('listening.too_many_minutes', 'invalid', { field: 'heard' });
export const ticketTooEarly = defineError('listening.ticket_too_early', 'invalid', { field: 'ticket' });
/** `STATISTICS_URL` is not set. */
export const noStatisticsStore = defineError('listening.no_store', 'conflict');
/** Rollups beside Postgres are not counted again. */
export const recountWithStore = defineError('listening.recount_with_store', 'conflict');
/** Another process counts the same log, or has just counted these lines. */
export const logBusy = defineError('log_import.busy', 'conflict');
export const logCutOff = defineError('log_import.cut_off', 'invalid');
