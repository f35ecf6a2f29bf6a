/** How programs save tables as text. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

type Bytes = AsyncIterable<Uint8Array>;

/** Enough for the names of columns, which are ASCII for the most part. */
const HEAD_BYTES = 512;

/**
 * The encoding of a text, which is read to its end, or for about `bytes`. A file that is no UTF-8 is Windows-1252, in which all bytes have a
 * meaning, because Excel saves CSV files so in most of Europe and America.
 */
export async function detectEncoding(file: Bytes, bytes = Number.POSITIVE_INFINITY): Promise<TextEncoding> {
  let head = Buffer.alloc(0);
  let isUtf8 = true;
  let read = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of file) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    if (head.length >= HEAD_BYTES && wideEncoding(head)) break;
    isUtf8 &&= decodes(() => decoder.decode(chunk, { stream: true }));
    read += chunk.length;
    // the last character may be cut
    if (read >= bytes) return wideEncoding(head) ?? (isUtf8 ? 'utf-8' : 'windows-1252');
  }
  return wideEncoding(head) ?? (isUtf8 && decodes(() => decoder.decode()) ? 'utf-8' : 'windows-1252');
}

/** The same text in UTF-8. */
export async function* toUtf8(file: Bytes, encoding: TextEncoding): AsyncGenerator<Uint8Array, void> {
  if (encoding === 'utf-8') {
    yield* file;
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of file) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function decodes(decode: () => void): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 by its mark, or by the zeros in half of its bytes. */
function wideEncoding(head: Buffer): TextEncoding | null {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zerosAt = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (odd * 4 > head.length && even === 0) return 'utf-16le';
  return even * 4 > head.length && odd === 0 ? 'utf-16be' : null;
}
