import { affiliatePage } from '~/server/domain/affiliates/affiliate-page';
import { createLink, joinProgramme } from '~/server/domain/affiliates/join-programme';
import * as schema from '~/server/domain/affiliates/schema';
import { creatorProcedure, limitedCreator, router } from '../init';

export const affiliatesRouter = router({
  page: creatorProcedure.meta({ openTo: 'creator.manageAffiliates' }).query(({ ctx }) => affiliatePage(ctx)),
  join: creatorProcedure
    .meta({ openTo: 'creator.manageAffiliates' })
    .input(schema.joinProgramme)
    .mutation(({ ctx }) => joinProgramme(ctx)),
  createLink: limitedCreator('createAffiliateLink')
    .meta({ openTo: 'creator.manageAffiliates' })
    .input(schema.createLink)
    .mutation(({ ctx, input }) => createLink(ctx, input)),
});
