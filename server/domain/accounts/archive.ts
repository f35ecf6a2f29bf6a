import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { Ctx } from '../../ctx';
import type { ArchiveFile } from './archive-rows';

type Needs = Pick<Ctx, 'ports' | 'log' | 'now'>;

/**
 * Writes files into a zip as they are read: one is open at a time, and only chunks of it are in memory. Audio and
 * pictures are stored as they are, because compressing them again would cost time and save nothing.
 */
export function writeArchive(ctx: Needs, files: AsyncIterable<ArchiveFile>): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  addAll(ctx, zip, files).catch(fail);
  return output;
}

async function addAll(ctx: Needs, zip: yazl.ZipFile, files: AsyncIterable<ArchiveFile>): Promise<void> {
  const mtime = ctx.now();
  for await (const file of files) {
    zip.addReadStreamLazy(file.name, { compress: 'rows' in file, mtime }, (done) => {
      open(ctx, file).then(
        (stream) => done(null, stream),
        (error: unknown) => done(error, Readable.from([])),
      );
    });
  }
  zip.end();
}

/** A missing object must not cost the user everything else. */
async function open({ ports, log }: Needs, file: ArchiveFile): Promise<Readable> {
  if ('rows' in file) return Readable.from(file.rows());
  if (await ports.storage.head(file.key)) return ports.storage.read(file.key);
  log.warn({ key: file.key }, 'object missing in storage, left out of an export');
  return Readable.from([]);
}
