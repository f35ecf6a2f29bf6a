import { deliverBulkEmails } from '~/server/domain/newsletter/deliver-bulk-emails';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { readMailbox } from '~/server/domain/newsletter/read-mailbox';
import { sweepDmarcReports } from '~/server/domain/newsletter/record-dmarc-report';
import { sweepReports } from '~/server/domain/newsletter/record-mail-events';
import { recoverEditions, startScheduled } from '~/server/domain/newsletter/send-edition';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import {
  deliverEdition as deliver,
  deliverBulkEmails as deliverBulk,
  readMailbox as readMailboxJob,
  recoverEditions as recover,
  startEdition,
  sweepReports as sweep,
  sendWelcome as welcome,
} from '~/server/queue/catalog';
import { handle } from './handle';

export const newsletterHandlers = [
  handle(welcome, (payload, ctx) => sendWelcome(ctx, payload)),
  handle(startEdition, (payload, ctx) => startScheduled(ctx, payload)),
  handle(deliver, (payload, ctx) => deliverEdition(ctx, payload)),
  handle(deliverBulk, (_, ctx) => deliverBulkEmails(ctx)),
  handle(recover, (_, ctx) => recoverEditions(ctx)),
  handle(readMailboxJob, (_, ctx) => readMailbox(ctx)),
  handle(sweep, async (_, ctx) => {
    await sweepReports(ctx);
    await sweepDmarcReports(ctx);
  }),
];
