import type { Readable } from 'node:stream';

type Copy = { readable(): Promise<Readable> };

/**
 * The rows of a `copy … to stdout`, in pieces. postgres.js stops reading from its connection if the reader of the stream is
 * slower, and goes on when the stream asks for more. A stream that has its end already never asks again, nor does one that
 * was destroyed: the next statement would wait for its answer for ever. So the rest is read, also if nobody wants it.
 */
export async function* copiedRows(copy: Copy): AsyncGenerator<Buffer> {
  const stream = await copy.readable();
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } finally {
    for await (const _ of stream);
    stream._read(0);
  }
}
