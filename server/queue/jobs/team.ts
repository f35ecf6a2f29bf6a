import { job, SCHEDULED } from '../job';

/** Deletes old entries of activity logs, and invitations that were not accepted. */
export const sweepTeams = job('team.sweep', {}, SCHEDULED);
