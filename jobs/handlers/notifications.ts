import { deliverEmail } from '~/server/domain/notifications/delivering';
import { sweepOutbox as sweep } from '~/server/domain/notifications/outbox';
import { deliverMail, sweepOutbox } from '../catalog';
import { handle } from './handle';

export const notificationHandlers = [
  handle(deliverMail, (payload, ctx) => deliverEmail(ctx, payload)),
  handle(sweepOutbox, (_, ctx) => sweep(ctx)),
];
