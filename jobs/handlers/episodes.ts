import { announceEpisode as announce } from '~/server/domain/episodes/announce-episode';
import {
  measureMissing as measureWithout,
  recordSound,
  recoverEpisodes as recover,
  settleAudio,
  settleConverted,
} from '~/server/domain/episodes/audio-check';
import { carryOutReleases } from '~/server/domain/episodes/carry-out-releases';
import { serveChapters, storeChapterImage as storeImage } from '~/server/domain/episodes/chapters';
import { purgeDeleted as purge } from '~/server/domain/episodes/delete-episode';
import { openToAll } from '~/server/domain/episodes/early-access';
import { fetchAudio as fetchFile } from '~/server/domain/episodes/fetch-audio';
import { indexTranscripts } from '~/server/domain/episodes/index-transcripts';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import {
  announceEpisode,
  checkAudio,
  convertAudio,
  fetchAudio,
  goLive,
  measureLoudness,
  measureMissing,
  openEpisode,
  purgeDeleted,
  recoverEpisodes,
  refreshTranscriptSearch,
  releaseKept,
  storeChapterImage,
  writeHead,
} from '~/server/queue/jobs/episodes';
import { handle } from './handle';

export const episodeHandlers = [
  handle(checkAudio, ({ episodeId }, ctx) => settleAudio(ctx, episodeId)),
  handle(convertAudio, ({ episodeId }, ctx) => settleConverted(ctx, episodeId)),
  handle(fetchAudio, (payload, ctx) => fetchFile(ctx, payload)),
  handle(measureLoudness, ({ episodeId }, ctx) => recordSound(ctx, episodeId)),
  handle(measureMissing, (_, ctx) => measureWithout(ctx)),
  handle(storeChapterImage, (payload, ctx) => storeImage(ctx, payload)),
  handle(writeHead, ({ episodeId }, ctx) => serveChapters(ctx, episodeId)),
  handle(recoverEpisodes, (_, ctx) => recover(ctx)),
  handle(refreshTranscriptSearch, (_, ctx) => indexTranscripts(ctx)),
  handle(purgeDeleted, (_, ctx) => purge(ctx)),
  handle(announceEpisode, (payload, ctx) => announce(ctx, payload)),
  handle(openEpisode, (payload, ctx) => openToAll(ctx, payload)),
  handle(goLive, (payload, ctx) => publishDue(ctx, payload)),
  handle(releaseKept, (payload, ctx) => carryOutReleases(ctx, payload)),
];
