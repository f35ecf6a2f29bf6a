import { connectApp, declineApp, viewAppRequest } from '~/server/domain/apps/connect-app';
import { disconnectApp, listConnections } from '~/server/domain/apps/list-connections';
import * as schema from '~/server/domain/apps/schema';
import { creatorProcedure, limitedUser, router, userProcedure } from '../init';

/** Apps that a person connects to a creator (OAuth 2.1). */
export const appsRouter = router({
  request: userProcedure.input(schema.appRequest).query(({ ctx, input }) => viewAppRequest(ctx, input)),
  connect: limitedUser('connectApp')
    .input(schema.connectApp)
    .mutation(({ ctx, input }) => connectApp(ctx, input)),
  decline: userProcedure.input(schema.appRequest).mutation(({ ctx, input }) => declineApp(ctx, input)),
  connections: creatorProcedure.meta({ openTo: 'creator.connectApps' }).query(({ ctx }) => listConnections(ctx)),
  disconnect: creatorProcedure.input(schema.findConnection).mutation(({ ctx, input }) => disconnectApp(ctx, input)),
});
