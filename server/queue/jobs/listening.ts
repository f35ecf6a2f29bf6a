import { count, job, SCHEDULED } from '../job';

export const prepareListening = job('listening.prepare', {}, SCHEDULED);
/** Sums up plays that months and starts lack (listening/catch-up-sums.ts), of shows with ids above `after`. */
export const catchUpSums = job('listening.catch-up-sums', { after: count }, { ...SCHEDULED, expires: 900 });
/** Sends counted plays to ClickHouse, if `STATISTICS_URL` names one. */
export const shipStatistics = job('listening.ship-statistics', {}, SCHEDULED);
