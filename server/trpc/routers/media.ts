import { storeEditionPicture } from '~/server/domain/media/edition-pictures';
import * as schema from '~/server/domain/media/schema';
import { requestFormUpload, requestUpload } from '~/server/domain/media/uploads';
import { creatorProcedure, limitedUser, router } from '../init';

export const mediaRouter = router({
  requestUpload: limitedUser('publicWrite')
    .input(schema.uploadRequest)
    .mutation(({ ctx, input }) => requestUpload(ctx, input)),
  requestFormUpload: limitedUser('publicWrite')
    .input(schema.uploadRequest)
    .mutation(({ ctx, input }) => requestFormUpload(ctx, input)),
  storeEditionPicture: creatorProcedure
    .input(schema.storeEditionPicture)
    .mutation(({ ctx, input }) => storeEditionPicture(ctx, input)),
});
