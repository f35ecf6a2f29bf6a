import { uploadRequest } from '~/server/domain/media/schema';
import { requestFormUpload, requestUpload } from '~/server/domain/media/uploading';
import { router, userProcedure } from '../init';

export const mediaRouter = router({
  requestUpload: userProcedure.input(uploadRequest).mutation(({ ctx, input }) => requestUpload(ctx, input)),
  requestFormUpload: userProcedure.input(uploadRequest).mutation(({ ctx, input }) => requestFormUpload(ctx, input)),
});
