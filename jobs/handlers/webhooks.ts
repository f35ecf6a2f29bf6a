import { countMilestones } from '~/server/domain/webhooks/count-milestones';
import { deliverWebhooks } from '~/server/domain/webhooks/deliver-webhooks';
import { sweepEvents } from '~/server/domain/webhooks/sweep-events';
import {
  countMilestones as countJob,
  deliverWebhooks as deliverJob,
  sweepWebhooks,
} from '~/server/queue/jobs/webhooks';
import { handle } from './handle';

export const webhookHandlers = [
  handle(deliverJob, (_, ctx) => deliverWebhooks(ctx)),
  handle(countJob, (payload, ctx) => countMilestones(ctx, payload)),
  handle(sweepWebhooks, (_, ctx) => sweepEvents(ctx)),
];
