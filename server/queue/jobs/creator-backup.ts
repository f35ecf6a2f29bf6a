import { z } from 'zod';
import { job, LONG, SCHEDULED } from '../job';

/** One step of a creator's backup (creator-backup/build-backup.ts), which enqueues the next one. */
export const buildCreatorBackup = job(
  'archives.build',
  { archiveId: z.uuid(), step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5 },
);
/** Continues backups whose job was lost, and deletes expired ones. */
export const sweepCreatorBackups = job('archives.sweep', {}, SCHEDULED);
