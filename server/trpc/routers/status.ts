import { viewIncidents, viewStatus } from '~/server/domain/status/status-page';
import { publicProcedure, router } from '../init';

/** How the components of this installation are, for everyone. */
export const statusRouter = router({
  view: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => viewStatus(ctx)),
  incidents: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => viewIncidents(ctx)),
});
