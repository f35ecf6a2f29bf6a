import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, ObjectStore } from '../storage/port';
import type { Progress } from './resume';

export type StoredParts = { count: number; bytes: number; lastBytes: number };

/** The stored parts of an unfinished download, as objects below `{key}.parts/`. */
export type Parts = {
  found(): Promise<StoredParts>;
  /** The last `bytes` stored; all of them are in the last part. */
  tail(found: StoredParts, bytes: number): Promise<Buffer>;
  put(index: number, bytes: Buffer): Promise<void>;
  progress(): Promise<Progress | null>;
  saveProgress(progress: Progress): Promise<void>;
  /** Joins all parts to the object `key`. */
  join(contentType: string): Promise<{ bytes: number; sha256: string }>;
  clear(): Promise<void>;
};

/** S3 lists at most this many objects at once. A download in more parts starts over. */
export const MAX_PARTS = 1000;

const BINARY = 'application/octet-stream';

export function partsOf(store: ObjectStore, key: string): Parts {
  const partKey = (index: number) => `${key}.parts/${String(index).padStart(5, '0')}`;
  const progressKey = `${key}.parts/progress.json`;
  const listParts = () => store.list(`${key}.parts/0`, MAX_PARTS);
  return {
    found: async () => {
      const parts = await listParts();
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      return { count: parts.length, bytes, lastBytes: parts.at(-1)?.bytes ?? 0 };
    },
    tail: async ({ count, lastBytes }, bytes) =>
      readObject(store, partKey(count - 1), { start: lastBytes - bytes, end: lastBytes - 1 }),
    put: (index, bytes) => store.put(partKey(index), bytes, { contentType: BINARY, bytes: bytes.length }),
    progress: async () => {
      if (!(await store.head(progressKey))) return null;
      return JSON.parse((await readObject(store, progressKey)).toString());
    },
    saveProgress: async (progress) => {
      const state = Buffer.from(JSON.stringify(progress));
      await store.put(progressKey, state, { contentType: 'application/json', bytes: state.length });
    },
    join: async (contentType) =>
      joinParts(store, { key, keys: (await listParts()).map((part) => part.key), contentType }),
    // removes the progress first: after a crash in between, nothing resumes from the parts that are left
    clear: async () => {
      await store.remove(progressKey);
      for (let parts = await listParts(); parts.length > 0; parts = await listParts())
        for (const part of parts) await store.remove(part.key);
    },
  };
}

async function readObject(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return Buffer.concat(await (await store.read(key, range)).toArray());
}

type JoinRequest = { key: string; keys: string[]; contentType: string };

async function joinParts(store: ObjectStore, { key, keys, contentType }: JoinRequest) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* inOrder() {
    for (const part of keys)
      for await (const chunk of await store.read(part)) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
  }
  await store.put(key, Readable.from(inOrder()), { contentType });
  return { bytes, sha256: hash.digest('hex') };
}
