import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { recoverEditions, startScheduled } from '~/server/domain/newsletter/send-edition';
import { deliverEdition as deliver, recoverEditions as recover, startEdition } from '~/server/queue/catalog';
import { handle } from './handle';

export const newsletterHandlers = [
  handle(startEdition, (payload, ctx) => startScheduled(ctx, payload)),
  handle(deliver, (payload, ctx) => deliverEdition(ctx, payload)),
  handle(recover, (_, ctx) => recoverEditions(ctx)),
];
