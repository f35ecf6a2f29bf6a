import { job, SCHEDULED } from '../job';

export const checkComponents = job('status.check', {}, SCHEDULED);
export const sweepChecks = job('status.sweep', {}, SCHEDULED);
