import { createClip, cutClip } from '~/server/domain/insertions/create-clip';
import { listClips } from '~/server/domain/insertions/list-clips';
import { removeClip } from '~/server/domain/insertions/remove-clip';
import { renameClip } from '~/server/domain/insertions/rename-clip';
import * as schema from '~/server/domain/insertions/schema';
import { creatorProcedure, router } from '../init';

export const clipsRouter = router({
  list: creatorProcedure
    .meta({ openTo: 'clip.read' })
    .input(schema.listClips)
    .query(({ ctx, input }) => listClips(ctx, input)),
  create: creatorProcedure.input(schema.createClip).mutation(({ ctx, input }) => createClip(ctx, input)),
  cut: creatorProcedure.input(schema.cutClip).mutation(({ ctx, input }) => cutClip(ctx, input)),
  rename: creatorProcedure.input(schema.renameClip).mutation(({ ctx, input }) => renameClip(ctx, input)),
  remove: creatorProcedure.input(schema.findClip).mutation(({ ctx, input }) => removeClip(ctx, input)),
});
