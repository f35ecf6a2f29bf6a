import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ByteRange, OpenObject } from '~/server/adapters/storage/port';
import { openFilesBelow, until } from '../../support/audio-door';
import { noise } from '../../support/mp3';
import { storageSuite } from './storage.suite';

async function diskAt(root: string) {
  return diskStore({ root, formUrl: (key) => `http://app/uploads/form/${key}` });
}

const freshRoot = () => mkdtemp(join(tmpdir(), 'altavoz-disk-'));

storageSuite('disk', async () => diskAt(await freshRoot()));

test('disk: a failed write leaves no file', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('source failed');
    })(),
  );

  await expect(store.put('audio/x.mp3', broken, { contentType: 'audio/mpeg' })).rejects.toThrow('source failed');

  expect(await readdir(join(root, '.pending'))).toEqual([]);
});

test('disk: unfinished files of a killed process are removed after a day', async () => {
  const root = await freshRoot();
  await diskAt(root);
  const [old, recent] = [join(root, '.pending', 'old'), join(root, '.pending', 'recent')];
  for (const file of [old, recent]) await writeFile(file, 'half');
  await utimes(old, 0, Date.now() / 1000 - 25 * 3600);

  await diskAt(root);

  expect(await readdir(join(root, '.pending'))).toEqual(['recent']);
});

test('disk: a form upload goes to the URL of its key', async () => {
  const store = await diskAt(await freshRoot());

  const upload = await store.formUpload('incoming/abc', {
    maxBytes: 1,
    contentType: 'audio/mpeg',
    expiresAt: new Date(),
  });

  expect(upload).toEqual({ url: 'http://app/uploads/form/abc', method: 'POST', fields: {}, headers: {} });
});

test('disk: free space is known, and unfinished writes are not listed', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  await writeFile(join(root, '.pending', 'left-over'), 'x');

  expect(await store.freeBytes()).toBeGreaterThan(0);
  expect(await store.list('', 10)).toEqual([]);
});

const MP3 = { contentType: 'audio/mpeg' };

/** The content of a file, read through an open object. */
async function contentOf({ chunks, bytes }: OpenObject): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks({ start: 0, end: bytes - 1 })) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

test('disk: readers of one file share a descriptor, which stays open until the last one is done', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  const body = noise(2_000_000);
  await store.put('audio/x.mp3', body, MP3);

  const reads = Array.from({ length: 40 }, async (_, i) => {
    const object = (await store.open('audio/x.mp3'))!;
    if (i % 2) return object.close();
    const opened = await openFilesBelow(root);
    const content = await contentOf(object);
    await object.close();
    await object.close();
    return [opened, content.equals(body)];
  });

  const seen = (await Promise.all(reads)).filter((read) => read !== undefined);
  expect(seen).toEqual(seen.map(() => [1, true]));
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

test('disk: an open object stays readable when it is replaced, moved or removed; the next reader sees the change', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  await store.put('audio/x.mp3', Buffer.from('first'), MP3);

  const first = (await store.open('audio/x.mp3'))!;
  await store.put('audio/x.mp3', Buffer.from('second'), MP3);
  const second = (await store.open('audio/x.mp3'))!;
  await store.move('audio/x.mp3', 'audio/y.mp3');
  const moved = await store.open('audio/x.mp3');
  await (await store.open('audio/y.mp3'))!.close();
  await store.remove('audio/y.mp3');
  const removed = await store.open('audio/y.mp3');
  const contents = await Promise.all([first, second].map(contentOf));
  await Promise.all([first.close(), second.close()]);

  expect(contents.map(String)).toEqual(['first', 'second']);
  expect([first.bytes, second.bytes, moved, removed]).toEqual([5, 6, null, null]);
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

test('disk: blocks that several readers request are sent from memory, in chunks of the size that each of them may have', async () => {
  const store = await diskAt(await freshRoot());
  const bodies = [noise(2_500_000, 1), noise(2_500_000, 2)];
  const read = async (range: ByteRange, maxBytes?: () => number) => {
    const object = (await store.open('audio/x.mp3'))!;
    const parts: Buffer[] = [];
    for await (const chunk of object.chunks(range, maxBytes)) parts.push(Buffer.from(chunk));
    await object.close();
    return { body: Buffer.concat(parts), largest: Math.max(...parts.map((part) => part.length)) };
  };

  for (const body of bodies) {
    await store.put('audio/x.mp3', body, MP3);
    const all = { start: 0, end: body.length - 1 };
    const [first, second] = [await read(all, () => 1024 * 1024), await read(all, () => 1024 * 1024)];
    const [third, part] = [await read(all), await read({ start: 1_000_000, end: 2_100_000 }, () => 300_000)];

    expect([first, second, third].map((seen) => seen.body.equals(body))).toEqual([true, true, true]);
    expect([first, second, third].map((seen) => seen.largest)).toEqual([256 * 1024, 1024 * 1024, 256 * 1024]);
    expect(part.body.equals(body.subarray(1_000_000, 2_100_001))).toBe(true);
    expect(part.largest).toBe(300_000);
  }
});

test('disk: a change by another process is soon visible', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  await store.put('audio/x.mp3', Buffer.from('first'), MP3);
  await (await store.open('audio/x.mp3'))!.close();
  await rm(join(root, 'audio/x.mp3'));

  let found: OpenObject | null = null;
  await until(async () => {
    found = await store.open('audio/x.mp3');
    await found?.close();
    return found === null;
  });

  expect(found).toBeNull();
  expect(await openFilesBelow(root)).toBe(0);
});

test('disk: only some of many files stay open, and all can be read', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  const keys = Array.from({ length: 300 }, (_, i) => `audio/${i}.mp3`);
  await mkdir(join(root, 'audio'));
  for (const key of keys) await writeFile(join(root, key), key);

  const opened = await Promise.all(keys.map((key) => store.open(key)));
  const contents = await Promise.all(opened.map((object) => contentOf(object!)));
  await Promise.all(opened.map((object) => object!.close()));
  await wait(200);
  const kept = await openFilesBelow(root);

  expect(contents.map(String)).toEqual(keys);
  expect(kept).toBeLessThanOrEqual(128);
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

test('disk: a folder is not an object and is not kept open', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  await store.put('audio/x.mp3', Buffer.from('x'), MP3);

  expect(await store.open('audio')).toBeNull();
  expect(await store.open('audio/x.mp3/y')).toBeNull();
  expect(await openFilesBelow(root)).toBe(0);
});
