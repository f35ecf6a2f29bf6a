import { donorsOf, exportDonations, hideDonation, ownDonations } from '~/server/domain/donations/donors';
import { donationPage, giveDonation } from '~/server/domain/donations/give-donation';
import * as schema from '~/server/domain/donations/schema';
import { donationSettingsOf, updateDonationSettings } from '~/server/domain/donations/settings';
import { findStoppable, stopByLink, stopDonation } from '~/server/domain/donations/stop-donation';
import { creatorProcedure, limited, limitedUser, publicProcedure, router, userProcedure } from '../init';

export const donationsRouter = router({
  page: publicProcedure.input(schema.findPage).query(({ ctx, input }) => donationPage(ctx, input)),
  give: limited('giveDonation')
    .input(schema.giveDonation)
    .mutation(({ ctx, input }) => giveDonation(ctx, input, ctx.buyer.browser())),
  settings: creatorProcedure.meta({ openTo: 'creator.manage' }).query(({ ctx }) => donationSettingsOf(ctx)),
  updateSettings: creatorProcedure
    .input(schema.updateDonationSettings)
    .mutation(({ ctx, input }) => updateDonationSettings(ctx, input)),
  donors: creatorProcedure.input(schema.findDonations).query(({ ctx, input }) => donorsOf(ctx, input)),
  export: creatorProcedure.input(schema.exportDonations).query(({ ctx, input }) => exportDonations(ctx, input)),
  hide: creatorProcedure.input(schema.hideDonation).mutation(({ ctx, input }) => hideDonation(ctx, input)),
  mine: userProcedure.query(({ ctx }) => ownDonations(ctx)),
  stop: limitedUser('payments')
    .input(schema.findDonation)
    .mutation(({ ctx, input }) => stopDonation(ctx, input)),
  stoppable: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.stopLink)
    .query(({ ctx, input }) => findStoppable(ctx, input)),
  stopByLink: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.stopLink)
    .mutation(({ ctx, input }) => stopByLink(ctx, input)),
});
