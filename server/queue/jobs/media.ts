import { z } from 'zod';
import { job, QUICK, SCHEDULED } from '../job';

const objectKeys = z.array(z.string()).max(100);
/** Deletes objects, and the objects in the folders, except those that a row refers to. */
export const removeObjects = job('media.remove-objects', { keys: objectKeys, folders: objectKeys.optional() }, QUICK);
export const sweepUploads = job('media.sweep-uploads', {}, SCHEDULED);
