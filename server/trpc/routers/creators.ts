import { claimCreatorPage, domainAvailability, getOwnCreator } from '~/server/domain/creators/claim-page';
import { updateCreatorPage } from '~/server/domain/creators/page';
import { checkDomain, claimDomain, updateCreator } from '~/server/domain/creators/schema';
import { suggestPage } from '~/server/domain/creators/suggest-page';
import { creatorProcedure, router, userProcedure } from '../init';

export const creatorsRouter = router({
  claim: userProcedure.input(claimDomain).mutation(({ ctx, input }) => claimCreatorPage(ctx, input)),
  suggestion: userProcedure.query(({ ctx }) => suggestPage(ctx)),
  mine: userProcedure.query(({ ctx }) => getOwnCreator(ctx)),
  domainAvailability: userProcedure.input(checkDomain).query(({ ctx, input }) => domainAvailability(ctx, input)),
  update: creatorProcedure.input(updateCreator).mutation(({ ctx, input }) => updateCreatorPage(ctx, input)),
});
