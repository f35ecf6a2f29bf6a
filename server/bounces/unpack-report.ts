import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Reports of the largest providers have some hundred kilobytes. More is a bomb. */
export const MAX_UNPACKED = 4 * 1024 * 1024;

/** The first file of a zip; null if it is larger, or if the zip is broken. */
export type Unzip = (bytes: Buffer, maxBytes: number) => Promise<Buffer | null>;

/** The XML of an attachment: as it is, in gzip, or as the first file of a zip. Null for anything else, and for bombs. */
export async function unpackReport(bytes: Buffer, unzip: Unzip): Promise<string | null> {
  try {
    const [first, second] = bytes;
    if (first === 0x1f && second === 0x8b)
      return (await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED })).toString();
    if (first === 0x50 && second === 0x4b) return (await unzip(bytes, MAX_UNPACKED))?.toString() ?? null;
    return /^(?:\uFEFF)?\s*</.test(bytes.subarray(0, 100).toString()) ? bytes.toString() : null;
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && /^Z_|^ERR_BUFFER/.test(String(error.code));
    if (isBroken || error instanceof RangeError) return null;
    throw error;
  }
}
