import { showCampaignFigures } from '~/server/domain/insertions/campaign-figures';
import { findCampaign, listCampaigns } from '~/server/domain/insertions/campaign-list';
import { estimateReach } from '~/server/domain/insertions/campaign-reach';
import { moveCampaign } from '~/server/domain/insertions/move-campaign';
import { promiseNoInsertions } from '~/server/domain/insertions/promise-no-insertions';
import { createCampaign, editCampaign } from '~/server/domain/insertions/save-campaign';
import * as schema from '~/server/domain/insertions/schema';
import { deleteCampaign, endCampaign, switchCampaign } from '~/server/domain/insertions/switch-campaign';
import { creatorProcedure, router } from '../init';

export const campaignsRouter = router({
  list: creatorProcedure
    .meta({ openTo: 'campaign.read' })
    .input(schema.listCampaigns)
    .query(({ ctx, input }) => listCampaigns(ctx, input)),
  get: creatorProcedure.input(schema.findCampaign).query(({ ctx, input }) => findCampaign(ctx, input)),
  figures: creatorProcedure.input(schema.findCampaign).query(({ ctx, input }) => showCampaignFigures(ctx, input)),
  reach: creatorProcedure.input(schema.campaignReach).query(({ ctx, input }) => estimateReach(ctx, input)),
  create: creatorProcedure.input(schema.createCampaign).mutation(({ ctx, input }) => createCampaign(ctx, input)),
  edit: creatorProcedure.input(schema.editCampaign).mutation(({ ctx, input }) => editCampaign(ctx, input)),
  switch: creatorProcedure.input(schema.switchCampaign).mutation(({ ctx, input }) => switchCampaign(ctx, input)),
  end: creatorProcedure.input(schema.findCampaign).mutation(({ ctx, input }) => endCampaign(ctx, input)),
  remove: creatorProcedure.input(schema.findCampaign).mutation(({ ctx, input }) => deleteCampaign(ctx, input)),
  promise: creatorProcedure
    .input(schema.promiseNoInsertions)
    .mutation(({ ctx, input }) => promiseNoInsertions(ctx, input)),
  move: creatorProcedure.input(schema.moveCampaign).mutation(({ ctx, input }) => moveCampaign(ctx, input)),
});
