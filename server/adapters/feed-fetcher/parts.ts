import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, ObjectStore } from '../storage/port';
import type { Progress } from './resume';

export type Found = { count: number; bytes: number; lastBytes: number };

/** What came of a download so far, as objects below `{key}.parts/`. */
export type Parts = {
  found(): Promise<Found>;
  /** The last `bytes` of what is there; they lie in the last part. */
  tail(found: Found, bytes: number): Promise<Buffer>;
  put(index: number, bytes: Buffer): Promise<void>;
  progress(): Promise<Progress | null>;
  keepProgress(progress: Progress): Promise<void>;
  /** All of them as the object they are parts of. */
  join(contentType: string): Promise<{ bytes: number; sha256: string }>;
  clear(): Promise<void>;
};

/** S3 lists so many at once; who leaves more small pieces than this is begun anew. */
export const MOST_PARTS = 1000;

const BINARY = 'application/octet-stream';

export function partsOf(store: ObjectStore, key: string): Parts {
  const partKey = (index: number) => `${key}.parts/${String(index).padStart(5, '0')}`;
  const progressKey = `${key}.parts/progress.json`;
  const listed = () => store.list(`${key}.parts/0`, MOST_PARTS);
  return {
    found: async () => {
      const all = await listed();
      const bytes = all.reduce((sum, part) => sum + part.bytes, 0);
      return { count: all.length, bytes, lastBytes: all.at(-1)?.bytes ?? 0 };
    },
    tail: async ({ count, lastBytes }, bytes) =>
      whole(store, partKey(count - 1), { start: lastBytes - bytes, end: lastBytes - 1 }),
    put: (index, bytes) => store.put(partKey(index), bytes, { contentType: BINARY, bytes: bytes.length }),
    progress: async () => {
      if (!(await store.head(progressKey))) return null;
      return JSON.parse((await whole(store, progressKey)).toString());
    },
    keepProgress: async (progress) => {
      const state = Buffer.from(JSON.stringify(progress));
      await store.put(progressKey, state, { contentType: 'application/json', bytes: state.length });
    },
    join: async (contentType) => joined(store, { key, keys: (await listed()).map((part) => part.key), contentType }),
    // first what says how to go on: a crash in between leaves parts that nobody takes for a beginning
    clear: async () => {
      await store.remove(progressKey);
      for (let all = await listed(); all.length > 0; all = await listed())
        for (const part of all) await store.remove(part.key);
    },
  };
}

async function whole(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return Buffer.concat(await (await store.read(key, range)).toArray());
}

type Joining = { key: string; keys: string[]; contentType: string };

async function joined(store: ObjectStore, { key, keys, contentType }: Joining) {
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
