import type { Readable } from 'node:stream';

type Copy = { readable(): Promise<Readable> };

/**
 * The rows of a `copy … to stdout`, in pieces. postgres.js stops reading from its connection while the reader of the
 * stream is slower, and continues when the stream asks for more. A stream that has received its end never asks again,
 * and neither does a destroyed one: the next statement would wait for its answer forever. So the rest is always read,
 * even if the caller does not want it.
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
