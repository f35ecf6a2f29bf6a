import { changeEpisodes, getBatch, undoBatch } from '~/server/domain/episodes/batches';
import { releasesOfMonth, upcomingReleases } from '~/server/domain/episodes/calendar';
import { getChapters, saveChapters } from '~/server/domain/episodes/chapters';
import { listDeletedEpisodes, removeEpisode, restoreEpisode } from '~/server/domain/episodes/delete-episode';
import { describedChapters } from '~/server/domain/episodes/described-chapters';
import * as drafting from '~/server/domain/episodes/draft-episode';
import { duplicateEpisode } from '~/server/domain/episodes/duplicate-episode';
import { countPublicRoom, getEpisode, getOwnEpisode, listEpisodes } from '~/server/domain/episodes/episode-catalog';
import { listKeptReleases } from '~/server/domain/episodes/kept-releases';
import { previewLink, revokePreviews } from '~/server/domain/episodes/preview-links';
import * as promos from '~/server/domain/episodes/promos';
import { holdEpisode, releaseEpisode } from '~/server/domain/episodes/publish-episode';
import * as schema from '~/server/domain/episodes/schema';
import { searchNames } from '~/server/domain/episodes/search-episodes';
import * as transcripts from '~/server/domain/episodes/transcripts';
import { updateDraft } from '~/server/domain/episodes/update-draft';
import { promoUploadRequest } from '~/server/domain/media/schema';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limitedIf, limitedUser, publicProcedure, router, userProcedure } from '../init';

export const episodesRouter = router({
  create: creatorProcedure.input(schema.createEpisode).mutation(({ ctx, input }) => drafting.createEpisode(ctx, input)),
  update: creatorProcedure
    .input(schema.updateEpisode)
    .use(limitedIf('changeAudioUrl', ({ audioUrl }: schema.UpdateEpisode) => audioUrl !== undefined))
    .mutation(({ ctx, input }) => drafting.updateEpisode(ctx, input)),
  remove: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => removeEpisode(ctx, input)),
  release: creatorProcedure.input(schema.releaseEpisode).mutation(({ ctx, input }) => releaseEpisode(ctx, input)),
  hold: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => holdEpisode(ctx, input)),
  get: publicProcedure.input(schema.findEpisode).query(({ ctx, input }) => getEpisode(ctx, input)),
  chapters: creatorProcedure.input(schema.findEpisode).query(({ ctx, input }) => getChapters(ctx, input)),
  describedChapters: creatorProcedure
    .input(schema.findEpisode)
    .query(({ ctx, input }) => describedChapters(ctx, input)),
  updateDraft: creatorProcedure.input(schema.updateDraft).mutation(({ ctx, input }) => updateDraft(ctx, input)),
  saveChapters: creatorProcedure.input(schema.saveChapters).mutation(({ ctx, input }) => saveChapters(ctx, input)),
  requestPromoUpload: limitedUser('publicWrite')
    .input(promoUploadRequest)
    .mutation(({ ctx, input }) => promos.requestPromoUpload(ctx, input)),
  requestPromoFormUpload: limitedUser('publicWrite')
    .input(promoUploadRequest)
    .mutation(({ ctx, input }) => promos.requestPromoFormUpload(ctx, input)),
  cutPromo: creatorProcedure.input(schema.cutPromo).mutation(({ ctx, input }) => promos.cutPromo(ctx, input)),
  removePromo: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => promos.removePromo(ctx, input)),
  promos: creatorProcedure.meta({ openTo: 'episode.read' }).query(({ ctx }) => promos.listPromos(ctx)),
  month: creatorProcedure
    .meta({ openTo: 'episode.read' })
    .input(schema.findMonth)
    .query(({ ctx, input }) => releasesOfMonth(ctx, input)),
  upcoming: creatorProcedure.meta({ openTo: 'episode.read' }).query(({ ctx }) => upcomingReleases(ctx)),
  forEditing: creatorProcedure.input(schema.findEpisode).query(({ ctx, input }) => getOwnEpisode(ctx, input)),
  keptReleases: userProcedure.query(({ ctx }) => listKeptReleases(ctx)),
  publicRoom: creatorProcedure.input(findProduct).query(({ ctx, input }) => countPublicRoom(ctx, input)),
  restore: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => restoreEpisode(ctx, input)),
  deleted: creatorProcedure.input(schema.listDeleted).query(({ ctx, input }) => listDeletedEpisodes(ctx, input)),
  duplicate: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => duplicateEpisode(ctx, input)),
  change: creatorProcedure.input(schema.changeEpisodes).mutation(({ ctx, input }) => changeEpisodes(ctx, input)),
  lastChange: creatorProcedure.input(schema.undoBatch).query(({ ctx, input }) => getBatch(ctx, input)),
  undoChange: creatorProcedure.input(schema.undoBatch).mutation(({ ctx, input }) => undoBatch(ctx, input)),
  list: publicProcedure.input(schema.listEpisodes).query(({ ctx, input }) => listEpisodes(ctx, input)),
  search: creatorProcedure.input(schema.searchNames).query(({ ctx, input }) => searchNames(ctx, input)),
  previewLink: creatorProcedure.input(schema.findEpisode).query(({ ctx, input }) => previewLink(ctx, input)),
  revokePreviews: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => revokePreviews(ctx, input)),
  transcript: creatorProcedure
    .input(schema.findEpisode)
    .query(({ ctx, input }) => transcripts.ownTranscript(ctx, input)),
  uploadTranscript: creatorProcedure
    .input(schema.uploadTranscript)
    .mutation(({ ctx, input }) => transcripts.uploadTranscript(ctx, input)),
  removeTranscript: creatorProcedure
    .input(schema.findEpisode)
    .mutation(({ ctx, input }) => transcripts.removeTranscript(ctx, input)),
});
