import { createKey } from '~/server/domain/developers/create-key';
import { revokeKey, rotateKey } from '~/server/domain/developers/end-key';
import { listCalls } from '~/server/domain/developers/list-calls';
import { listKeys } from '~/server/domain/developers/list-keys';
import * as schema from '~/server/domain/developers/schema';
import { creatorProcedure, limitedCreator, router } from '../init';

export const developersRouter = router({
  keys: creatorProcedure.meta({ openTo: 'creator.manageKeys' }).query(({ ctx }) => listKeys(ctx)),
  calls: creatorProcedure
    .meta({ openTo: 'creator.manageKeys' })
    .input(schema.listCalls)
    .query(({ ctx, input }) => listCalls(ctx, input)),
  createKey: limitedCreator('publicWrite')
    .input(schema.createKey)
    .mutation(({ ctx, input }) => createKey(ctx, input)),
  rotateKey: limitedCreator('publicWrite')
    .input(schema.rotateKey)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),
  revokeKey: creatorProcedure.input(schema.findKey).mutation(({ ctx, input }) => revokeKey(ctx, input)),
});
