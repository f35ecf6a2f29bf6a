import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Yields the lines of a text while it arrives, also if it is compressed with gzip. A line that is longer than the limit
 * is yielded as null.
 */
export async function* readLines(file: Bytes, longest: number): AsyncGenerator<string | null, void> {
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for await (const chunk of unzipped(file)) {
    const part = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, from)) {
      yield isTooLong || end - from > longest ? null : text(part.subarray(from, end));
      isTooLong = false;
      from = end + 1;
    }
    rest = part.subarray(from);
    if (rest.length <= longest) continue;
    isTooLong = true;
    rest = Buffer.alloc(0);
  }
  if (isTooLong) yield null;
  else if (rest.length > 0) yield text(rest);
}

const NEWLINE = 10;
const GZIP = [0x1f, 0x8b] as const;
const text = (line: Buffer) => line.toString('utf8').replace(/\r$/, '');

/** The text itself, compressed or not. @throws if the compressed file is damaged or its end is missing */
export async function* unzipped(file: Bytes): AsyncGenerator<Uint8Array, void> {
  const parts = withHead(file);
  const { value: head, done } = await parts.next();
  if (done) return;
  async function* all() {
    yield head as Uint8Array;
    yield* parts;
  }
  if (head[0] !== GZIP[0] || head[1] !== GZIP[1]) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  // the loop of the caller throws the errors
  pipeline(all, gunzip, () => {});
  yield* gunzip as AsyncIterable<Uint8Array>;
}

/** The first part has at least two bytes, if the file has. */
async function* withHead(file: Bytes): AsyncGenerator<Uint8Array, void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of file) {
    if (head === null) yield chunk;
    else if (head.length + chunk.length < GZIP.length) head = Buffer.concat([head, chunk]);
    else {
      yield Buffer.concat([head, chunk]);
      head = null;
    }
  }
  if (head && head.length > 0) yield head;
}
