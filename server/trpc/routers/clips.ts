import { saveSlots, viewSlots } from '~/server/domain/insertions/apply-template';
import { createClip, cutClip } from '~/server/domain/insertions/create-clip';
import { listToReview, viewPlaces } from '~/server/domain/insertions/episode-places';
import { listClips } from '~/server/domain/insertions/list-clips';
import { markPoints } from '~/server/domain/insertions/mark-points';
import { removeClip } from '~/server/domain/insertions/remove-clip';
import { renameClip } from '~/server/domain/insertions/rename-clip';
import { replacePassage, replacePassages, restorePassage } from '~/server/domain/insertions/replace-passages';
import * as schema from '~/server/domain/insertions/schema';
import { prepareSound } from '~/server/domain/insertions/sound-preview';
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

export const insertionPointsRouter = router({
  ofEpisode: creatorProcedure.input(schema.findPlaces).query(({ ctx, input }) => viewPlaces(ctx, input)),
  toReview: creatorProcedure.input(schema.listToReview).query(({ ctx, input }) => listToReview(ctx, input)),
  save: creatorProcedure.input(schema.savePoints).mutation(({ ctx, input }) => markPoints(ctx, input)),
  slots: creatorProcedure.input(schema.findSlots).query(({ ctx, input }) => viewSlots(ctx, input)),
  saveSlots: creatorProcedure.input(schema.saveSlots).mutation(({ ctx, input }) => saveSlots(ctx, input)),
  prepareSound: creatorProcedure.input(schema.prepareSound).mutation(({ ctx, input }) => prepareSound(ctx, input)),
});

export const passagesRouter = router({
  replace: creatorProcedure.input(schema.replacePassage).mutation(({ ctx, input }) => replacePassage(ctx, input)),
  replaceInAll: creatorProcedure
    .input(schema.replacePassages)
    .mutation(({ ctx, input }) => replacePassages(ctx, input)),
  restore: creatorProcedure.input(schema.restorePassage).mutation(({ ctx, input }) => restorePassage(ctx, input)),
});
