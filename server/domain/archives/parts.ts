import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ArchivePart } from '~/db/schema/archives';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import type { Ctx } from '../../runtime/ctx';
import type { ArchiveRow } from './views';

const folderOf = (archiveId: string) => `archives/${archiveId}/`;

/** A name of its own for each attempt: of two processes that run one step, neither overwrites the other's part. */
export const newPart = ({ id, step }: Pick<ArchiveRow, 'id' | 'step'>): ArchivePart => ({
  key: `${folderOf(id)}${step}-${randomUUID()}`,
  bytes: 0,
});

export async function writePart(
  { ports }: Pick<Ctx, 'ports'>,
  part: ArchivePart,
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

/** Deletes the parts of an archive, and what attempts that were killed have left, except `kept`. */
export async function removeParts(
  { ports }: Pick<Ctx, 'ports'>,
  archiveId: string,
  kept: ArchivePart[] = [],
): Promise<void> {
  const keys = new Set(kept.map(({ key }) => key));
  for (let after = ''; ; ) {
    const found = await ports.storage.list(folderOf(archiveId), ARCHIVE_LIMITS.rows, after);
    for (const { key } of found) if (!keys.has(key)) await ports.storage.remove(key);
    const last = found.at(-1);
    if (!last || found.length < ARCHIVE_LIMITS.rows) return;
    after = last.key;
  }
}
