import { recordLoudness, recoverEpisodes as recover, settleAudio } from '~/server/domain/episodes/audio-check';
import { publishDue } from '~/server/domain/episodes/publishing';
import { checkAudio, goLive, measureLoudness, recoverEpisodes } from '../catalog';
import { handle } from './handle';

export const episodeHandlers = [
  handle(checkAudio, ({ episodeId }, ctx) => settleAudio(ctx, episodeId)),
  handle(measureLoudness, ({ episodeId }, ctx) => recordLoudness(ctx, episodeId)),
  handle(recoverEpisodes, (_, ctx) => recover(ctx)),
  handle(goLive, (payload, ctx) => publishDue(ctx, payload)),
];
