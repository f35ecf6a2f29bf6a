import type { creatorBackups } from '~/db/schema/creator-backup';
import { creatorBackupPath } from '../../base/public-paths';
import type { Ctx } from '../../runtime/ctx';

export type BackupRow = typeof creatorBackups.$inferSelect;

export type BackupView = {
  id: string;
  state: 'running' | 'ready' | 'failed' | 'expired';
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
  /** Bytes of the zip that are written so far. */
  bytes: number;
  /** Estimated bytes of the whole zip; null while unknown. */
  expectedBytes: number | null;
  /** Download link for the owner; null before the backup is ready and after it has expired. */
  url: string | null;
};

export function toBackupView({ now, urls }: Pick<Ctx, 'now' | 'urls'>, row: BackupRow): BackupView {
  const { id, requestedAt, readyAt, expiresAt, failedAt, bytes, filesBytes } = row;
  const isExpired = expiresAt !== null && expiresAt <= now();
  const state = failedAt ? 'failed' : !readyAt ? 'running' : isExpired ? 'expired' : 'ready';
  const expectedBytes = filesBytes === null ? null : Math.max(bytes, filesBytes);
  const url = state === 'ready' ? urls.app(creatorBackupPath(id)) : null;
  return { id, state, requestedAt, readyAt, expiresAt, bytes, expectedBytes, url };
}
