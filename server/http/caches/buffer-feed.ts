import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FEED_LIMITS } from '../../limits/feeds';
import type { Rendered } from './cached-response';

/**
 * Buffers a feed from its chunks. Beyond `FEED_LIMITS.plainBytes` it passes them through gzip as they come, so that
 * only the compressed bytes are in memory. The generator waits for gzip.
 */
export async function bufferFeed(parts: AsyncGenerator<Buffer, void>): Promise<Pick<Rendered, 'body' | 'packed'>> {
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes <= FEED_LIMITS.plainBytes) {
    const { value, done } = await parts.next();
    if (done) return { body: Buffer.concat(first) };
    first.push(value);
    bytes += value.length;
  }
  return packFeed(first, parts);
}

async function packFeed(first: Buffer[], rest: AsyncGenerator<Buffer, void>) {
  const hash = createHash('sha256');
  const body: Buffer[] = [];
  let bytes = 0;
  async function* counted() {
    for (;;) {
      const part = first.shift() ?? (await rest.next()).value;
      if (!part) return;
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  }
  await pipeline(counted, createGzip(), async (gzipped: AsyncIterable<Buffer>) => {
    for await (const chunk of gzipped) body.push(chunk);
  });
  return { body: Buffer.concat(body), packed: { bytes, sha256: hash.digest() } };
}
