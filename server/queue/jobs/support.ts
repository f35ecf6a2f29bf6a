import { job, SCHEDULED } from '../job';

export const sweepMessages = job('support.sweep-messages', {}, SCHEDULED);
