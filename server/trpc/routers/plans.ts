import { planCheckout, startPlan } from '~/server/domain/billing/payers/start-plan';
import { changePlan, previewPlan } from '~/server/domain/billing/plan-billing/change-plan';
import { cancelPlan, previewPlanEnd, renewPlan } from '~/server/domain/billing/plan-billing/end-plan';
import {
  listPlanInvoices,
  nextPlanPayment,
  planCredit,
  planOverview,
} from '~/server/domain/billing/plan-billing/plan-overview';
import * as schema from '~/server/domain/plans/schema';
import { creatorProcedure, limitedUser, router, userProcedure } from '../init';

/** The plan of the creator for whom the user works. Only the owner changes it. */
export const plansRouter = router({
  overview: creatorProcedure.meta({ openTo: 'creator.read' }).query(({ ctx }) => planOverview(ctx)),
  nextPayment: limitedUser('payments')
    .meta({ openTo: 'creator.managePlan' })
    .query(({ ctx }) => nextPlanPayment(ctx)),
  credit: limitedUser('payments')
    .meta({ openTo: 'creator.managePlan' })
    .query(({ ctx }) => planCredit(ctx)),
  invoices: creatorProcedure.meta({ openTo: 'creator.managePlan' }).query(({ ctx }) => listPlanInvoices(ctx)),
  preview: limitedUser('payments')
    .input(schema.previewPlan)
    .query(({ ctx, input }) => previewPlan(ctx, input)),
  previewEnd: creatorProcedure.meta({ openTo: 'creator.managePlan' }).query(({ ctx }) => previewPlanEnd(ctx)),
  checkout: userProcedure.input(schema.planCheckout).query(({ ctx, input }) => planCheckout(ctx, input)),
  start: limitedUser('payments')
    .input(schema.startPlan)
    .mutation(({ ctx, input }) => startPlan(ctx, input)),
  change: limitedUser('payments')
    .input(schema.changePlan)
    .mutation(({ ctx, input }) => changePlan(ctx, input)),
  cancel: limitedUser('payments')
    .meta({ openTo: 'creator.managePlan' })
    .input(schema.cancelPlan)
    .mutation(({ ctx, input }) => cancelPlan(ctx, input)),
  renew: limitedUser('payments')
    .meta({ openTo: 'creator.managePlan' })
    .mutation(({ ctx }) => renewPlan(ctx)),
});
