import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { ObjectMissing } from '~/server/base/errors';
import { noise } from '../../support/mp3';

const MP3 = { contentType: 'audio/mpeg' };

/**
 * The behaviour of every object store. `makeStore` may return one store for all tests, because each test has its own
 * keys.
 */
export function storageSuite(name: string, makeStore: () => Promise<ObjectStore>): void {
  let count = 0;
  const freshKey = (suffix = '.mp3') => `audio/suite/${++count}${suffix}`;
  const behaves = (sentence: string, run: (store: ObjectStore) => Promise<void>) =>
    test(`${name}: ${sentence}`, async () => run(await makeStore()));

  behaves('a stored buffer is read back unchanged, with its size, type and a strong ETag', async (store) => {
    const key = freshKey();
    const body = noise(70_000);
    const before = Date.now();
    await store.put(key, body, MP3);

    const head = await store.head(key);

    expect(await buffer(await store.read(key))).toEqual(body);
    expect(head).toMatchObject({ bytes: 70_000, contentType: 'audio/mpeg' });
    expect(head?.etag).toMatch(/^"[^"]+"$/);
    // servers state times in whole seconds
    expect(head!.modifiedAt.getTime()).toBeGreaterThan(before - 1000);
    expect(head!.modifiedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  behaves('a stored stream of unknown length is read back unchanged', async (store) => {
    const key = freshKey();
    const body = noise(20_000_000, 7);
    const chunks = Array.from({ length: 40 }, (_, i) => body.subarray(i * 500_000, (i + 1) * 500_000));
    await store.put(key, Readable.from(chunks), MP3);

    expect((await buffer(await store.read(key))).equals(body)).toBe(true);
    expect(await store.head(key)).toMatchObject({ bytes: body.length });
  });

  behaves('an empty stream is an empty object', async (store) => {
    const key = freshKey();
    await store.put(key, Readable.from([]), MP3);

    expect(await store.head(key)).toMatchObject({ bytes: 0 });
  });

  behaves('a stream that fails leaves no object', async (store) => {
    const key = freshKey();
    const broken = Readable.from(
      (async function* () {
        yield noise(9_000_000);
        yield noise(9_000_000);
        throw new Error('connection lost');
      })(),
    );

    await expect(store.put(key, broken, MP3)).rejects.toThrow('connection lost');
    expect(await store.head(key)).toBeNull();
  });

  behaves('a put replaces what was there, and its etag', async (store) => {
    const key = freshKey();
    await store.put(key, Buffer.from('one'), MP3);
    const before = await store.head(key);
    await store.put(key, Buffer.from('other'), MP3);

    const after = await store.head(key);

    expect(after).toMatchObject({ bytes: 5 });
    expect(after?.etag).not.toBe(before?.etag);
  });

  behaves('ranges have both their ends', async (store) => {
    const key = freshKey();
    const body = noise(1000);
    await store.put(key, body, MP3);

    expect(await buffer(await store.read(key, { start: 0, end: 0 }))).toEqual(body.subarray(0, 1));
    expect(await buffer(await store.read(key, { start: 10, end: 19 }))).toEqual(body.subarray(10, 20));
    expect(await buffer(await store.read(key, { start: 990, end: 999 }))).toEqual(body.subarray(990));
  });

  behaves('an open object is read by position and in chunks', async (store) => {
    const key = freshKey();
    const body = noise(900_000);
    await store.put(key, body, MP3);

    const object = (await store.open(key))!;
    const into = Buffer.alloc(100);
    const got = await object.readInto(into, 500_000);
    const tail = await object.readInto(Buffer.alloc(100), 899_950);
    const past = await object.readInto(into.subarray(0, 10), 900_000);
    const chunks: Buffer[] = [];
    for await (const chunk of object.chunks({ start: 5, end: 800_004 })) chunks.push(Buffer.from(chunk));
    await object.close();

    expect(object).toMatchObject({ bytes: 900_000, contentType: 'audio/mpeg' });
    expect({ got, tail, past }).toEqual({ got: 100, tail: 50, past: 0 });
    expect(into).toEqual(body.subarray(500_000, 500_100));
    expect(Buffer.concat(chunks).equals(body.subarray(5, 800_005))).toBe(true);
  });

  behaves('a reader may leave in the middle of the chunks', async (store) => {
    const key = freshKey();
    await store.put(key, noise(2_000_000), MP3);

    const object = (await store.open(key))!;
    for await (const chunk of object.chunks({ start: 0, end: 1_999_999 })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }

    await expect(object.close()).resolves.toBeUndefined();
  });

  behaves('what is not there is null, or ObjectMissing, and may be removed', async (store) => {
    const key = freshKey();

    expect(await store.head(key)).toBeNull();
    expect(await store.open(key)).toBeNull();
    await expect(store.read(key)).rejects.toThrow(ObjectMissing);
    await expect(store.move(key, freshKey())).rejects.toThrow(ObjectMissing);
    await expect(store.copy(key, freshKey())).rejects.toThrow(ObjectMissing);
    await expect(store.remove(key)).resolves.toBeUndefined();
  });

  behaves('move takes, copy leaves, remove ends', async (store) => {
    const [first, second, third] = [freshKey(''), freshKey(), freshKey()];
    await store.put(first, Buffer.from('sound'), { contentType: 'application/octet-stream' });

    await store.move(first, second);
    await store.copy(second, third);
    await store.remove(second);

    expect(await store.head(first)).toBeNull();
    expect(await store.head(second)).toBeNull();
    expect(await store.head(third)).toMatchObject({ bytes: 5, contentType: 'audio/mpeg' });
  });

  behaves('a list is sorted, below its prefix, and not longer than the limit', async (store) => {
    const folder = `listed/${++count}`;
    for (const key of ['b', 'a', 'c/d']) await store.put(`${folder}/${key}`, Buffer.from(key), MP3);
    await store.put(`${folder}-beside`, Buffer.from('x'), MP3);

    const all = await store.list(`${folder}/`, 10);

    expect(all.map(({ key, bytes }) => [key, bytes])).toEqual([
      [`${folder}/a`, 1],
      [`${folder}/b`, 1],
      [`${folder}/c/d`, 3],
    ]);
    expect(all[0]?.modifiedAt).toBeInstanceOf(Date);
    expect((await store.list(`${folder}/`, 2)).map(({ key }) => key)).toEqual([`${folder}/a`, `${folder}/b`]);
    expect((await store.list(`${folder}/`, 2, `${folder}/a`)).map(({ key }) => key)).toEqual([
      `${folder}/b`,
      `${folder}/c/d`,
    ]);
    expect(await store.list(`${folder}/zzz`, 10)).toEqual([]);
  });

  behaves('keys with a path outside the store are rejected', async (store) => {
    for (const key of [
      '../etc/passwd',
      'a/../b',
      '/a',
      'a//b',
      'a/.hidden',
      '',
      'a\\b',
      'ñ',
      'a/',
      `a/${'x'.repeat(600)}`,
    ]) {
      await expect(store.put(key, Buffer.from('x'), MP3), key).rejects.toThrow('not an object key');
      await expect(store.head(key), key).rejects.toThrow('not an object key');
    }
  });
}
