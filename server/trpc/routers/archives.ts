import { latestCreatorBackup, requestCreatorBackup } from '~/server/domain/creator-backup/request-backup';
import { creatorProcedure, router } from '../init';

/** Archives of everything that belongs to a creator. The download is in server/doors/files/creator-backups.ts. */
export const archivesRouter = router({
  request: creatorProcedure.meta({ openTo: 'creator.export' }).mutation(({ ctx }) => requestCreatorBackup(ctx)),
  latest: creatorProcedure.meta({ openTo: 'creator.export' }).query(({ ctx }) => latestCreatorBackup(ctx)),
});
