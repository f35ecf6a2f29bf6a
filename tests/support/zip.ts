import { inflateRawSync } from 'node:zlib';

const CENTRAL = 0x02014b50;
const DEFLATED = 8;

/** The files of a zip of less than 4 GB, by name. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = bytes.readUInt32LE(end + 16);
  while (bytes.readUInt32LE(at) === CENTRAL) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const content = bytes.subarray(start, start + size);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    files.set(name, method === DEFLATED ? inflateRawSync(content) : content);
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
