import { inflateSync } from 'node:zlib';

const HEADER = { woff: 44, font: 12 };
const ENTRY = { woff: 20, font: 16 };

/**
 * A font from its compressed form (WOFF 1.0). The PDF library would inflate each table in JavaScript for each document,
 * which takes longer than drawing it.
 */
export function unpackFont(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(HEADER.font + count * ENTRY.font);
  woff.copy(directory, 0, 4, 8);
  writeSearch(directory, count);
  const tables: Buffer[] = [];
  let offset = directory.length;
  for (let i = 0; i < count; i += 1) {
    const at = HEADER.woff + i * ENTRY.woff;
    const table = readTable(woff, at);
    const entry = HEADER.font + i * ENTRY.font;
    woff.copy(directory, entry, at, at + 4);
    woff.copy(directory, entry + 4, at + 16, at + 20);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(padded);
    tables.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([directory, ...tables]);
}

/** A table that compression would not make smaller is stored as it is. */
function readTable(woff: Buffer, at: number): Buffer {
  const [start, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [number, number, number];
  const bytes = woff.subarray(start, start + packed);
  return packed < size ? inflateSync(bytes) : bytes;
}

/** The fields for a binary search in the directory. */
function writeSearch(directory: Buffer, count: number): void {
  const power = Math.floor(Math.log2(count));
  const range = 2 ** power * ENTRY.font;
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(range, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(count * ENTRY.font - range, 10);
}
