import { count, job, LONG, SCHEDULED } from '../job';

/** Sends events to the endpoints of creators (webhooks/deliver-webhooks.ts). jobs/waking.ts enqueues it. */
export const deliverWebhooks = job('webhooks.deliver', {}, LONG);
/** Finds shows that have reached a milestone, those with ids above `after` first (webhooks/count-milestones.ts). */
export const countMilestones = job('webhooks.count-milestones', { after: count }, SCHEDULED);
/** Deletes old events (webhooks/sweep-events.ts). */
export const sweepWebhooks = job('webhooks.sweep', {}, SCHEDULED);
