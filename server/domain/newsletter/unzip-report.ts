import { Readable } from 'node:stream';
import { BadZip, type RandomAccess, readDirectory, readEntry } from '../../zip/read-zip';

const ZIP_LIMITS = { entries: 5, directoryBytes: 10_000 };

/** The first file of a zip that arrived by email; null if it is larger, or if the zip is broken or crafted to do harm. */
export async function unzipReport(bytes: Buffer, maxBytes: number): Promise<Buffer | null> {
  try {
    const file = inMemory(bytes);
    const [entry] = await readDirectory(file, ZIP_LIMITS);
    if (!entry || entry.bytes > maxBytes) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of readEntry(file, entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof BadZip) return null;
    throw error;
  }
}

const inMemory = (bytes: Buffer): RandomAccess => ({
  bytes: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
  stream: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
});
