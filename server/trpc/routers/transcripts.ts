import * as editing from '~/server/domain/episodes/edit-transcript';
import * as glossary from '~/server/domain/episodes/glossary';
import * as schema from '~/server/domain/episodes/schema';
import { searchOwnTranscripts } from '~/server/domain/episodes/search-own-transcripts';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, router } from '../init';

export const transcriptsRouter = router({
  search: creatorProcedure
    .meta({ openTo: 'episode.read' })
    .input(schema.searchTranscripts)
    .query(({ ctx, input }) => searchOwnTranscripts(ctx, input)),
  edit: creatorProcedure.input(schema.findEpisode).query(({ ctx, input }) => editing.editTranscript(ctx, input)),
  original: creatorProcedure
    .input(schema.findEpisode)
    .query(({ ctx, input }) => editing.originalTranscript(ctx, input)),
  save: creatorProcedure.input(schema.saveTranscript).mutation(({ ctx, input }) => editing.saveTranscript(ctx, input)),
  restore: creatorProcedure
    .input(schema.restoreTranscript)
    .mutation(({ ctx, input }) => editing.restoreTranscript(ctx, input)),
  glossary: creatorProcedure.input(findProduct).query(({ ctx, input }) => glossary.getGlossary(ctx, input)),
  saveGlossary: creatorProcedure
    .input(schema.saveGlossary)
    .mutation(({ ctx, input }) => glossary.saveGlossary(ctx, input)),
});
