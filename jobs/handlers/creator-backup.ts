import { buildCreatorBackup as build } from '~/server/domain/creator-backup/build-backup';
import { sweepCreatorBackups as sweep } from '~/server/domain/creator-backup/sweep-backups';
import { buildCreatorBackup, sweepCreatorBackups } from '~/server/queue/jobs/creator-backup';
import { handle } from './handle';

export const creatorBackupHandlers = [
  handle(buildCreatorBackup, ({ archiveId, step }, ctx) => build(ctx, { backupId: archiveId, step })),
  handle(sweepCreatorBackups, (_, ctx) => sweep(ctx)),
];
