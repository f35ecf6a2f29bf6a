import { removeUnused } from '~/server/domain/media/erasing';
import { sweepUploads as sweep } from '~/server/domain/media/sweeping';
import { removeObjects, sweepUploads } from '../catalog';
import { handle } from './handle';

export const mediaHandlers = [
  handle(removeObjects, ({ keys, folders = [] }, ctx) => removeUnused(ctx, { keys, folders })),
  handle(sweepUploads, (_, ctx) => sweep(ctx)),
];
