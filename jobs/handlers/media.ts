import { removeUnused } from '~/server/domain/media/erase-objects';
import { sweepUploads as sweep } from '~/server/domain/media/sweep-uploads';
import { removeObjects, sweepUploads } from '~/server/queue/jobs/media';
import { handle } from './handle';

export const mediaHandlers = [
  handle(removeObjects, ({ keys, folders = [] }, ctx) => removeUnused(ctx, { keys, folders })),
  handle(sweepUploads, (_, ctx) => sweep(ctx)),
];
