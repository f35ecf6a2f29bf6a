import { eq, isNull } from 'drizzle-orm';
import { payouts } from '~/db/schema/payouts';
import { reconciliationDifferences } from '~/db/schema/reconciliation';
import { abuseReports } from '~/db/schema/support';
import { OPERATOR_LIMITS } from '../../limits/operators';
import type { Ctx } from '../../runtime/ctx';
import { countFailedEmails } from '../notifications/deliver-email';
import { recentOperations } from '../operators/queries';
import { countFailedImports } from './imports';
import { countFailedJobs, listQueues } from './jobs';

/** Tasks that wait for an operator, and the operators' last actions. */
export async function consoleOverview(ctx: Ctx) {
  return {
    failedJobs: await countFailedJobs(ctx),
    failedEmails: await countFailedEmails(ctx),
    failedImports: await countFailedImports(ctx),
    payoutsRequested: await ctx.db.$count(payouts, eq(payouts.status, 'requested')),
    payoutsApproved: await ctx.db.$count(payouts, eq(payouts.status, 'approved')),
    reports: await ctx.db.$count(abuseReports, eq(abuseReports.state, 'open')),
    differences: await ctx.db.$count(reconciliationDifferences, isNull(reconciliationDifferences.resolvedAt)),
    queues: await listQueues(ctx),
    operations: await recentOperations(ctx, OPERATOR_LIMITS.shown),
  };
}
