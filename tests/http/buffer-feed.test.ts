import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bufferFeed } from '~/server/http/caches/buffer-feed';
import { FEED_LIMITS } from '~/server/limits/feeds';

const MEGABYTE = 1_000_000;
const PLAIN = FEED_LIMITS.plainBytes;

async function* parts(...list: Buffer[]) {
  yield* list;
}

test.each([
  ['nothing', []],
  ['a few parts', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')]],
  ['exactly the limit', [Buffer.alloc(PLAIN, 'x')]],
])('%s is buffered uncompressed', async (_, list) => {
  const buffered = await bufferFeed(parts(...list));

  expect(buffered.packed).toBeUndefined();
  expect(buffered.body.equals(Buffer.concat(list))).toBe(true);
});

test('a longer feed is compressed, with the length and hash of the uncompressed bytes', async () => {
  const list = Array.from({ length: 9 }, () => randomBytes(MEGABYTE));
  const whole = Buffer.concat(list);

  const { body, packed } = await bufferFeed(parts(...list, Buffer.alloc(0)));

  expect(gunzipSync(body).equals(whole)).toBe(true);
  expect(packed).toEqual({ bytes: whole.length, sha256: createHash('sha256').update(whole).digest() });
});

test('a long feed is never completely in memory: gzip has read each part before the next one is made', async () => {
  const buffered = Math.floor(PLAIN / MEGABYTE) + 1;
  const reused = Buffer.alloc(MEGABYTE);
  const part = (number: number, into = Buffer.alloc(MEGABYTE)) => into.fill(`line ${number}\n`);
  async function* many() {
    // the parts up to the limit are kept; after that, one buffer is enough for all
    for (let number = 0; number < 40; number++) {
      yield number < buffered ? part(number) : part(number, reused);
      await nextTurn();
    }
  }

  const { body, packed } = await bufferFeed(many());

  expect(packed?.bytes).toBe(40 * MEGABYTE);
  expect(gunzipSync(body).equals(Buffer.concat(Array.from({ length: 40 }, (_, number) => part(number))))).toBe(true);
});

test.each([0, PLAIN + 1])('a feed that fails after %i bytes is not buffered as if complete', async (bytes) => {
  async function* failing() {
    yield Buffer.alloc(bytes);
    throw new Error('the database failed');
  }

  await expect(bufferFeed(failing())).rejects.toThrow('the database failed');
});
