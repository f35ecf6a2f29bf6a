import { deleteStoredObjects, sweepUploads as sweep } from '~/server/domain/media/sweeping';
import { removeObjects, sweepUploads } from '../catalog';
import { handle } from './handle';

export const mediaHandlers = [
  handle(removeObjects, ({ keys }, ctx) => deleteStoredObjects(ctx, keys)),
  handle(sweepUploads, (_, ctx) => sweep(ctx)),
];
