import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Dirent, type Stats } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ObjectMissing } from '../../base/errors';
import { createChunkReader } from './disk-chunks';
import { createFilePool, type OpenFile } from './file-pool';
import { assertKey, contentTypeOf } from './keys';
import { CHUNK_BYTES, type ListedObject, type ObjectStore, type OpenObject, type StoredObject } from './port';

/** Long enough for popular files, short enough that a deleted file soon frees its space. */
const POOL_SETTINGS = { shareMs: 2000, maxFiles: 128 };
/** Unfinished writes; no key can contain this folder because of the dot. */
const PENDING = '.pending';
/** A file without a new byte for this long belongs to a process that was killed. */
const ABANDONED_MS = 24 * 3600 * 1000;

export type DiskSettings = {
  root: string;
  /** The URL that accepts a form with a file (server/doors/uploads/uploads.ts), by the last part of its key. */
  formUrl(key: string): string;
};

/** Stores files below one folder. Every write goes to a temporary file, is flushed, and is renamed atomically. */
export async function diskStore({ root, formUrl }: DiskSettings): Promise<ObjectStore> {
  await mkdir(join(root, PENDING), { recursive: true });
  await removeAbandoned(join(root, PENDING));
  const files = createFilePool(POOL_SETTINGS);
  const chunks = createChunkReader();
  const pathOf = (key: string) => join(root, assertKey(key));

  async function writeAtomically(key: string, write: (pending: string) => Promise<void>): Promise<void> {
    const target = pathOf(key);
    const pending = join(root, PENDING, randomUUID());
    try {
      await write(pending);
      await flushFile(pending);
      await mkdir(dirname(target), { recursive: true });
      await rename(pending, target);
      files.drop(target);
    } catch (error) {
      await rm(pending, { force: true });
      throw error;
    }
    await flushFile(dirname(target));
  }

  return {
    put: (key, body) => writeAtomically(key, (pending) => writeTo(pending, body)),
    head: async (key) => {
      const found = await nullIfMissing(stat(pathOf(key)));
      return found?.isFile() ? toStoredObject(key, found) : null;
    },
    open: async (key) => {
      const file = await nullIfMissing(files.acquire(pathOf(key)));
      return file && openObject(key, file, chunks);
    },
    read: async (key, range) => {
      const handle = await nullIfMissing(open(pathOf(key)));
      if (!handle) throw new ObjectMissing(key);
      return createReadStream('', { fd: handle, highWaterMark: CHUNK_BYTES, ...range });
    },
    move: async (from, to) => {
      // the writer may not have flushed it
      if ((await nullIfMissing(flushFile(pathOf(from)).then(() => true))) === null) throw new ObjectMissing(from);
      await mkdir(dirname(pathOf(to)), { recursive: true });
      if ((await nullIfMissing(rename(pathOf(from), pathOf(to)).then(() => true))) === null)
        throw new ObjectMissing(from);
      for (const key of [from, to]) files.drop(pathOf(key));
      await flushFile(dirname(pathOf(to)));
    },
    copy: (from, to) =>
      writeAtomically(to, async (pending) => {
        const copied = copyFile(pathOf(from), pending, constants.COPYFILE_FICLONE).then(() => true);
        if ((await nullIfMissing(copied)) === null) throw new ObjectMissing(from);
      }),
    remove: async (key) => {
      await rm(pathOf(key), { force: true });
      files.drop(pathOf(key));
    },
    list: (prefix, limit, after = '') => listFiles(root, { prefix, limit, after }),
    formUpload: async (key) => ({ url: formUrl(basename(assertKey(key))), method: 'POST', fields: {}, headers: {} }),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

function toStoredObject(key: string, { size, mtimeMs, mtime }: Stats): StoredObject {
  const etag = `"${Math.floor(mtimeMs).toString(36)}-${size.toString(36)}"`;
  return { bytes: size, etag, modifiedAt: mtime, contentType: contentTypeOf(key) };
}

function openObject(
  key: string,
  { handle, stats, release }: OpenFile,
  chunks: ReturnType<typeof createChunkReader>,
): OpenObject {
  const id = `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
  const readInto = async (buffer: Uint8Array, position: number) =>
    (await handle.read(buffer, 0, buffer.length, position)).bytesRead;
  return {
    ...toStoredObject(key, stats),
    readInto,
    chunks: (range, maxBytes) => chunks({ id, readInto }, range, maxBytes),
    close: async () => release(),
  };
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // another process may have finished or removed it
    const found = await nullIfMissing(stat(file));
    if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(file, { force: true });
  }
}

async function writeTo(path: string, body: Readable | Buffer): Promise<void> {
  const handle = await open(path, 'wx');
  await pipeline(body instanceof Buffer ? Readable.from([body]) : body, handle.createWriteStream());
}

/** Without this, a power failure can keep the file name but lose its content. */
async function flushFile(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type ListQuery = { prefix: string; limit: number; after: string };

async function listFiles(root: string, { prefix, limit, after }: ListQuery): Promise<ListedObject[]> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (folder !== '') assertKey(folder.slice(0, -1));
  const found: ListedObject[] = [];
  await walkFiles(root, folder, async (key) => {
    const file = key.startsWith(prefix) && key > after ? await nullIfMissing(stat(join(root, key))) : null;
    if (file) found.push({ key, bytes: file.size, modifiedAt: file.mtime });
    return found.length < limit;
  });
  return found;
}

/** Visits the files below `folder` in key order until `visit` returns false. */
async function walkFiles(root: string, folder: string, visit: (key: string) => Promise<boolean>): Promise<boolean> {
  const entries = (await nullIfMissing(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const sortKey = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const proceed = entry.isDirectory()
      ? await walkFiles(root, `${folder}${entry.name}/`, visit)
      : await visit(`${folder}${entry.name}`);
    if (!proceed) return false;
  }
  return true;
}

async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
