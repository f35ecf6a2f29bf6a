import { deliverEmail as deliver } from '~/server/domain/notifications/deliver-email';
import { sweepOutbox as sweep } from '~/server/domain/notifications/outbox';
import { deliverEmail, sweepOutbox } from '~/server/queue/jobs/notifications';
import { handle } from './handle';

export const notificationHandlers = [
  handle(deliverEmail, (payload, ctx) => deliver(ctx, payload)),
  handle(sweepOutbox, (_, ctx) => sweep(ctx)),
];
