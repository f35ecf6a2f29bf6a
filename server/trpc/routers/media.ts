import { uploadRequest } from '~/server/domain/media/schema';
import { requestFormUpload, requestUpload } from '~/server/domain/media/uploads';
import { limitedUser, router } from '../init';

export const mediaRouter = router({
  requestUpload: limitedUser('publicWrite')
    .input(uploadRequest)
    .mutation(({ ctx, input }) => requestUpload(ctx, input)),
  requestFormUpload: limitedUser('publicWrite')
    .input(uploadRequest)
    .mutation(({ ctx, input }) => requestFormUpload(ctx, input)),
});
