import { job, SCHEDULED } from '../job';

/** Deletes old entries of the log of API calls, and answers that were kept for repeated calls. */
export const sweepApiCalls = job('developers.sweep', {}, SCHEDULED);
