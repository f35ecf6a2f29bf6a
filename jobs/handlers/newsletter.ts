import { recheckDomain, recheckDomains } from '~/server/domain/newsletter/check-sending-domain';
import { deliverBulkEmails } from '~/server/domain/newsletter/deliver-bulk-emails';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { enrolContact } from '~/server/domain/newsletter/enrol-contact';
import { moveOtherWaiting } from '~/server/domain/newsletter/move-waiting';
import { readMailbox } from '~/server/domain/newsletter/read-mailbox';
import { sweepDmarcReports } from '~/server/domain/newsletter/record-dmarc-report';
import { sweepReports } from '~/server/domain/newsletter/record-mail-events';
import { releaseUnused } from '~/server/domain/newsletter/release-pictures';
import { sendDueSteps } from '~/server/domain/newsletter/send-due-steps';
import { recoverEditions, startScheduled } from '~/server/domain/newsletter/send-edition';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { sweepWarmUps } from '~/server/domain/newsletter/warm-up-again';
import {
  checkDomain,
  checkDomains,
  deliverEdition as deliver,
  deliverBulkEmails as deliverBulk,
  sendDueSteps as dueSteps,
  enrolContact as enrol,
  moveWaiting,
  readMailbox as readMailboxJob,
  recoverEditions as recover,
  releasePictures,
  startEdition,
  deliverStep as step,
  sweepReports as sweep,
  sendWelcome as welcome,
} from '~/server/queue/jobs/newsletter';
import { handle } from './handle';

export const newsletterHandlers = [
  handle(welcome, (payload, ctx) => sendWelcome(ctx, payload)),
  handle(startEdition, (payload, ctx) => startScheduled(ctx, payload)),
  handle(deliver, (payload, ctx) => deliverEdition(ctx, payload)),
  handle(deliverBulk, (_, ctx) => deliverBulkEmails(ctx)),
  handle(enrol, (payload, ctx) => enrolContact(ctx, payload)),
  handle(step, (payload, ctx) => deliverStep(ctx, payload)),
  handle(dueSteps, (payload, ctx) => sendDueSteps(ctx, payload)),
  handle(moveWaiting, (payload, ctx) => moveOtherWaiting(ctx, payload)),
  handle(releasePictures, (payload, ctx) => releaseUnused(ctx, payload)),
  handle(checkDomain, (payload, ctx) => recheckDomain(ctx, payload)),
  handle(checkDomains, (_, ctx) => recheckDomains(ctx)),
  handle(recover, (_, ctx) => recoverEditions(ctx)),
  handle(readMailboxJob, (_, ctx) => readMailbox(ctx)),
  handle(sweep, async (_, ctx) => {
    await sweepReports(ctx);
    await sweepDmarcReports(ctx);
    await sweepWarmUps(ctx);
  }),
];
