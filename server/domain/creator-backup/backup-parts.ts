import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BackupPart } from '~/db/schema/creator-backup';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import type { Ctx } from '../../runtime/ctx';
import type { BackupRow } from './views';

const folderOf = (backupId: string) => `archives/${backupId}/`;

/** Each attempt uses a separate key: if two processes run one step, neither overwrites the other's part. */
export const newPart = ({ id, step }: Pick<BackupRow, 'id' | 'step'>): BackupPart => ({
  key: `${folderOf(id)}${step}-${randomUUID()}`,
  bytes: 0,
});

export async function writePart(
  { ports }: Pick<Ctx, 'ports'>,
  part: BackupPart,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  async function* counted() {
    for await (const chunk of chunks) {
      part.bytes += chunk.length;
      yield chunk;
    }
  }
  await ports.storage.put(part.key, Readable.from(counted()), { contentType: 'application/zip' });
}

/** Deletes the parts of a backup, including parts of killed attempts, except `kept`. */
export async function removeParts(
  { ports }: Pick<Ctx, 'ports'>,
  backupId: string,
  kept: BackupPart[] = [],
): Promise<void> {
  const keys = new Set(kept.map(({ key }) => key));
  for (let after = ''; ; ) {
    const found = await ports.storage.list(folderOf(backupId), CREATOR_BACKUP_LIMITS.rows, after);
    for (const { key } of found) if (!keys.has(key)) await ports.storage.remove(key);
    const last = found.at(-1);
    if (!last || found.length < CREATOR_BACKUP_LIMITS.rows) return;
    after = last.key;
  }
}
