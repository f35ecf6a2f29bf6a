import { Readable } from 'node:stream';
import type { Ctx } from '../../../runtime/ctx';
import { type WrittenEntry, writeDirectory, writeEntry } from '../../../zip/write-zip';
import type { DataFile } from './rows';

type ZipContext = Pick<Ctx, 'ports' | 'log' | 'now'>;

/**
 * Writes files into a zip while it reads them: one file is open at a time, and only chunks of it are in memory. Audio
 * and pictures are stored as they are, because compressing them again would cost time and save nothing.
 */
export function writePersonalData(ctx: ZipContext, files: AsyncIterable<DataFile>): Readable {
  return Readable.from(chunksOf(ctx, files));
}

async function* chunksOf(ctx: ZipContext, files: AsyncIterable<DataFile>): AsyncGenerator<Buffer, void> {
  const entries: WrittenEntry[] = [];
  const at = ctx.now();
  let offset = 0;
  for await (const file of files) {
    const head = { name: file.name, offset, isCompressed: 'rows' in file, at };
    const { end, ...tail } = yield* writeEntry(head, await openFile(ctx, file));
    entries.push({ ...head, ...tail });
    offset = end;
  }
  yield* writeDirectory(entries, offset);
}

/** A missing object must not cost the user the rest of the export. */
async function openFile({ ports, log }: ZipContext, file: DataFile): Promise<AsyncIterable<Buffer | string>> {
  if ('rows' in file) return file.rows();
  if (await ports.storage.head(file.key)) return ports.storage.read(file.key);
  log.warn({ key: file.key }, 'object missing in storage, left out of an export');
  return Readable.from([]);
}
