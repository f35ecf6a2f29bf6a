import { latestArchive, requestArchive } from '~/server/domain/archives/requesting';
import { creatorProcedure, router } from '../init';

/** Archives of everything that belongs to a creator. The download is in server/doors/files/archives.ts. */
export const archivesRouter = router({
  request: creatorProcedure.mutation(({ ctx }) => requestArchive(ctx)),
  latest: creatorProcedure.query(({ ctx }) => latestArchive(ctx)),
});
