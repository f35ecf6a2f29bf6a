import * as accounts from '~/server/domain/console/accounts';
import { allowCreator, showCreator, stopCreator } from '~/server/domain/console/allow-publishing';
import { dismissReport } from '~/server/domain/console/dismiss-report';
import { resendEmail, resendEmails } from '~/server/domain/console/emails';
import { findAnything, findCreators, findUsers } from '~/server/domain/console/find-anything';
import { cancelAnyImport, listImports, retryAnyImport } from '~/server/domain/console/imports';
import { cancelJob, listFailedJobs, listQueues, retryJob, retryQueue } from '~/server/domain/console/jobs';
import { consoleOverview } from '~/server/domain/console/overview';
import { publishAnnouncement, withdrawAnnouncement } from '~/server/domain/console/publish-announcement';
import * as schema from '~/server/domain/console/schema';
import { setSwitch } from '~/server/domain/console/set-switch';
import { listTakenDown, restoreTaken, takeDown } from '~/server/domain/console/take-down';
import { collectFile, newFileName, tomorrow, writeFile } from '~/server/domain/console/transfers';
import { platformDmarc } from '~/server/domain/newsletter/dmarc-rate';
import { listFailedEmails } from '~/server/domain/notifications/deliver-email';
import { currentOperator } from '~/server/domain/operators/require-operator';
import { listForOperator } from '~/server/domain/payouts/collect-transfers';
import { approvePayout, markPayoutPaid, reversePayout } from '~/server/domain/payouts/settle-payout';
import { featuredForOperators, featureShow, unfeatureShow } from '~/server/domain/products/feature-show';
import { listAnnouncements } from '~/server/domain/reference/announcements';
import { listSwitches } from '~/server/domain/reference/switches';
import { listReports } from '~/server/domain/support/decide-reports';
import { router, userProcedure } from '../init';

/**
 * For operators with a second factor. They act as operators, as on the command line, and not with rights that the same
 * person has in a team. For all other users, these procedures do not exist.
 */
const operatorProcedure = userProcedure.meta({ openTo: 'operators' }).use(async ({ ctx, next }) => {
  const operator = await currentOperator(ctx);
  return next({ ctx: { ...ctx, operator, actor: { type: 'system' as const, job: 'operator' } } });
});

const { search, findRow, withReason, findJob, findPayout } = schema;

export const consoleRouter = router({
  overview: operatorProcedure.query(({ ctx }) => consoleOverview(ctx)),
  search: operatorProcedure.input(search).query(({ ctx, input }) => findAnything(ctx, input.search)),
  users: operatorProcedure.input(search).query(({ ctx, input }) => findUsers(ctx, input.search)),
  user: operatorProcedure.input(findRow).query(({ ctx, input }) => accounts.showAccount(ctx, input.id)),
  verifyUser: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => accounts.verifyByHand(ctx, { ...input, operator: ctx.operator })),
  endSessions: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => accounts.endAllSessions(ctx, { ...input, operator: ctx.operator })),
  sendPasswordLink: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => accounts.sendPasswordLink(ctx, { ...input, operator: ctx.operator })),
  suspendUser: operatorProcedure
    .input(withReason)
    .mutation(({ ctx, input }) => accounts.suspendUser(ctx, { ...input, operator: ctx.operator })),
  unsuspendUser: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => accounts.unsuspendUser(ctx, { ...input, operator: ctx.operator })),
  creators: operatorProcedure.input(search).query(({ ctx, input }) => findCreators(ctx, input.search)),
  creator: operatorProcedure.input(findRow).query(({ ctx, input }) => showCreator(ctx, input.id)),
  stopPublishing: operatorProcedure
    .input(withReason)
    .mutation(({ ctx, input }) => stopCreator(ctx, { ...input, operator: ctx.operator })),
  allowPublishing: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => allowCreator(ctx, { ...input, operator: ctx.operator })),
  queues: operatorProcedure.query(({ ctx }) => listQueues(ctx)),
  failedJobs: operatorProcedure.input(schema.listJobs).query(({ ctx, input }) => listFailedJobs(ctx, input.queue)),
  retryJob: operatorProcedure
    .input(findJob)
    .mutation(({ ctx, input }) => retryJob(ctx, { ...input, operator: ctx.operator })),
  cancelJob: operatorProcedure
    .input(findJob)
    .mutation(({ ctx, input }) => cancelJob(ctx, { ...input, operator: ctx.operator })),
  retryQueue: operatorProcedure
    .input(schema.findQueue)
    .mutation(({ ctx, input }) => retryQueue(ctx, { ...input, operator: ctx.operator })),
  imports: operatorProcedure.query(({ ctx }) => listImports(ctx)),
  retryImport: operatorProcedure
    .input(schema.findImport)
    .mutation(({ ctx, input }) => retryAnyImport(ctx, { ...input, operator: ctx.operator })),
  cancelImport: operatorProcedure
    .input(schema.findImport)
    .mutation(({ ctx, input }) => cancelAnyImport(ctx, { ...input, operator: ctx.operator })),
  failedEmails: operatorProcedure.query(({ ctx }) => listFailedEmails(ctx)),
  dmarc: operatorProcedure.query(({ ctx }) => platformDmarc(ctx)),
  resendEmail: operatorProcedure
    .input(schema.findEmail)
    .mutation(({ ctx, input }) => resendEmail(ctx, { ...input, operator: ctx.operator })),
  resendEmails: operatorProcedure.mutation(({ ctx }) => resendEmails(ctx, { operator: ctx.operator })),
  switches: operatorProcedure.query(({ ctx }) => listSwitches(ctx)),
  setSwitch: operatorProcedure
    .input(schema.setSwitch)
    .mutation(async ({ ctx, input }) => void (await setSwitch(ctx, { ...input, operator: ctx.operator }))),
  announcements: operatorProcedure.query(({ ctx }) => listAnnouncements(ctx)),
  publishAnnouncement: operatorProcedure
    .input(schema.publishAnnouncement)
    .mutation(({ ctx, input }) => publishAnnouncement(ctx, { ...input, operator: ctx.operator })),
  withdrawAnnouncement: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => withdrawAnnouncement(ctx, { ...input, operator: ctx.operator })),
  featured: operatorProcedure.query(({ ctx }) => featuredForOperators(ctx)),
  featureShow: operatorProcedure
    .input(schema.featureShow)
    .mutation(({ ctx, input }) => featureShow(ctx, { ...input, operator: ctx.operator })),
  unfeatureShow: operatorProcedure
    .input(findRow)
    .mutation(({ ctx, input }) => unfeatureShow(ctx, { ...input, operator: ctx.operator })),
  takenDown: operatorProcedure.query(({ ctx }) => listTakenDown(ctx)),
  takeDown: operatorProcedure
    .input(schema.takeDownThing)
    .mutation(({ ctx, input }) => takeDown(ctx, { ...input, operator: ctx.operator })),
  restoreTaken: operatorProcedure
    .input(schema.takenDownThing)
    .mutation(({ ctx, input }) => restoreTaken(ctx, { ...input, operator: ctx.operator })),
  reports: operatorProcedure.input(schema.listReports).query(({ ctx, input }) => listReports(ctx, input)),
  dismissReport: operatorProcedure
    .input(schema.dismissReport)
    .mutation(({ ctx, input }) => dismissReport(ctx, { ...input, operator: ctx.operator })),
  payouts: operatorProcedure
    .input(schema.listPayouts)
    .query(({ ctx, input }) => listForOperator(ctx, input.status === 'all' ? null : input.status)),
  approvePayout: operatorProcedure
    .input(findPayout)
    .mutation(({ ctx, input }) => approvePayout(ctx, { ...input, operator: ctx.operator })),
  markPayoutPaid: operatorProcedure
    .input(findPayout)
    .mutation(({ ctx, input }) => markPayoutPaid(ctx, { ...input, operator: ctx.operator })),
  reversePayout: operatorProcedure
    .input(schema.reversePayout)
    .mutation(({ ctx, input }) => reversePayout(ctx, { ...input, operator: ctx.operator })),
  collectTransfers: operatorProcedure.mutation(({ ctx }) =>
    collectFile(ctx, { operator: ctx.operator, file: newFileName(ctx) }),
  ),
  transferFile: operatorProcedure
    .input(schema.findFile)
    .query(({ ctx, input }) => writeFile(ctx, { ...input, day: tomorrow(ctx) })),
});
