import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bufferFeed } from '~/server/http/buffer-feed';
import { FEED_LIMITS } from '~/server/limits/feeds';

const MEGABYTE = 1_000_000;
const PLAIN = FEED_LIMITS.plainBytes;

async function* parts(...list: Buffer[]) {
  yield* list;
}

test.each([
  ['nothing', []],
  ['a few parts', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')]],
  ['as much as may be held', [Buffer.alloc(PLAIN, 'x')]],
])('%s is gathered as it is', async (_, list) => {
  const gathered = await bufferFeed(parts(...list));

  expect(gathered.packed).toBeUndefined();
  expect(gathered.body.equals(Buffer.concat(list))).toBe(true);
});

test('what is longer is packed, with length and hash of the whole', async () => {
  const list = Array.from({ length: 9 }, () => randomBytes(MEGABYTE));
  const whole = Buffer.concat(list);

  const { body, packed } = await bufferFeed(parts(...list, Buffer.alloc(0)));

  expect(gunzipSync(body).equals(whole)).toBe(true);
  expect(packed).toEqual({ bytes: whole.length, sha256: createHash('sha256').update(whole).digest() });
});

test('it is never held as a whole: whoever makes the parts waits for gzip', async () => {
  let [made, highest] = [0, 0];
  const before = process.memoryUsage().arrayBuffers;
  async function* many() {
    for (; made < 150; made++) {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
      yield Buffer.alloc(MEGABYTE, `line ${made}\n`);
      await turn();
    }
  }

  const { packed } = await bufferFeed(many());

  expect(packed?.bytes).toBe(150 * MEGABYTE);
  expect(highest).toBeLessThan(80 * MEGABYTE);
});

test.each([0, PLAIN + 1])('what fails after %i bytes is not taken for the whole', async (bytes) => {
  async function* failing() {
    yield Buffer.alloc(bytes);
    throw new Error('the database went away');
  }

  await expect(bufferFeed(failing())).rejects.toThrow('the database went away');
});
