import { job, SCHEDULED } from '../job';

/** Deletes expired tokens, and registrations of apps that nobody has connected. */
export const sweepApps = job('apps.sweep', {}, SCHEDULED);
