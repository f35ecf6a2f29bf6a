import { addSoundbite } from '~/server/domain/soundbites/add-soundbite';
import { listSoundbites } from '~/server/domain/soundbites/list-soundbites';
import { removeSoundbite } from '~/server/domain/soundbites/remove-soundbite';
import { renameSoundbite } from '~/server/domain/soundbites/rename-soundbite';
import * as schema from '~/server/domain/soundbites/schema';
import { creatorProcedure, router } from '../init';

export const soundbitesRouter = router({
  list: creatorProcedure.input(schema.listSoundbites).query(({ ctx, input }) => listSoundbites(ctx, input)),
  add: creatorProcedure.input(schema.addSoundbite).mutation(({ ctx, input }) => addSoundbite(ctx, input)),
  rename: creatorProcedure.input(schema.renameSoundbite).mutation(({ ctx, input }) => renameSoundbite(ctx, input)),
  remove: creatorProcedure.input(schema.findSoundbite).mutation(({ ctx, input }) => removeSoundbite(ctx, input)),
});
