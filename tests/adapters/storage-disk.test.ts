import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { storageSuite } from './storage.suite';

async function diskAt(root: string) {
  return diskStore({ root, formUrl: (key) => `http://app/uploads/form/${key}` });
}

const freshRoot = () => mkdtemp(join(tmpdir(), 'altavoz-disk-'));

storageSuite('disk', async () => diskAt(await freshRoot()));

test('disk: a write that failed leaves no file behind', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('gone');
    })(),
  );

  await expect(store.put('audio/x.mp3', broken, { contentType: 'audio/mpeg' })).rejects.toThrow('gone');

  expect(await readdir(join(root, '.pending'))).toEqual([]);
});

test('disk: a form upload goes to the address of its key', async () => {
  const store = await diskAt(await freshRoot());

  const upload = await store.formUpload('incoming/abc', {
    maxBytes: 1,
    contentType: 'audio/mpeg',
    expiresAt: new Date(),
  });

  expect(upload).toEqual({ url: 'http://app/uploads/form/abc', method: 'POST', fields: {}, headers: {} });
});

test('disk: free space is a number, and unfinished writes are in no list', async () => {
  const root = await freshRoot();
  const store = await diskAt(root);
  await writeFile(join(root, '.pending', 'left-over'), 'x');

  expect(await store.freeBytes()).toBeGreaterThan(0);
  expect(await store.list('', 10)).toEqual([]);
});
