import { feedReadiness } from '~/server/domain/feeds/readiness';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, router } from '../init';

export const feedsRouter = router({
  readiness: creatorProcedure.input(findProduct).query(({ ctx, input }) => feedReadiness(ctx, input)),
});
