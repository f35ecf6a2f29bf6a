import { recordLoudness, recoverEpisodes as recover, settleAudio } from '~/server/domain/episodes/audio-check';
import { purgeDeleted as purge } from '~/server/domain/episodes/deleting';
import { publishDue } from '~/server/domain/episodes/publishing';
import { checkAudio, goLive, measureLoudness, purgeDeleted, recoverEpisodes } from '../catalog';
import { handle } from './handle';

export const episodeHandlers = [
  handle(checkAudio, ({ episodeId }, ctx) => settleAudio(ctx, episodeId)),
  handle(measureLoudness, ({ episodeId }, ctx) => recordLoudness(ctx, episodeId)),
  handle(recoverEpisodes, (_, ctx) => recover(ctx)),
  handle(purgeDeleted, (_, ctx) => purge(ctx)),
  handle(goLive, (payload, ctx) => publishDue(ctx, payload)),
];
