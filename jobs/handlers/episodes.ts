import { settleAudio } from '~/server/domain/episodes/checking';
import { goLive as bringLive } from '~/server/domain/episodes/publishing';
import { checkAudio, goLive } from '../catalog';
import { handle } from './handle';

export const episodeHandlers = [
  handle(checkAudio, ({ episodeId }, ctx) => settleAudio(ctx, episodeId)),
  handle(goLive, (payload, ctx) => bringLive(ctx, payload)),
];
