import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { ByteSource } from '../../audio/bytes';
import { decodeIndex, encodeIndex, type FrameIndex, indexMp3 } from '../../audio/indexing';
import type { Recording } from '../../audio/splice';
import { sharedWork } from '../../flow/shared-work';
import { RENDITION_LIMITS } from '../../limits/insertions';
import type { Ctx } from '../../runtime/ctx';
import { frameIndexKey } from './rules';

type Storage = Ctx['ports']['storage'];
export type OpenRecording = Recording & { close(): Promise<void> };
type Stored = Pick<Recording, 'key' | 'sha256'> & { keepsIndex?: boolean };

/** Opens a stored MP3 with its frame index; null if it was deleted, or is not an MP3. The caller closes it. */
export async function openRecording(storage: Storage, { key, sha256, ...how }: Stored): Promise<OpenRecording | null> {
  const object = await storage.open(key);
  if (!object) return null;
  const source = { size: object.bytes, read: object.readInto };
  const index = await findIndex(storage, { key, source, ...how }).catch(async (err) => {
    await object.close();
    throw err;
  });
  if (index) return { key, sha256, index, source, close: () => object.close() };
  await object.close();
  return null;
}

/** Objects never change, so a process indexes each of them once; `share`: also if many listeners need it at once. */
type Indexes = { cached: LRUCache<string, FrameIndex>; share: ReturnType<typeof sharedWork<FrameIndex | null>> };
const known = new WeakMap<Storage, Indexes>();
/** An index takes twelve bytes per frame. */
const sizeCalculation = ({ frames }: FrameIndex) => 12 * frames + 1000;

/** Stores the frame index of an episode's file, so that no campaign has to wait until the whole file is read. */
export async function storeIndex(storage: Storage, key: string): Promise<void> {
  const recording = await openRecording(storage, { key, sha256: key, keepsIndex: true });
  await recording?.close();
}

function indexesOf(storage: Storage): Indexes {
  const opened = known.get(storage);
  if (opened) return opened;
  const cached = new LRUCache<string, FrameIndex>({ maxSize: RENDITION_LIMITS.indexBytes, sizeCalculation });
  const created = { cached, share: sharedWork<FrameIndex | null>() };
  known.set(storage, created);
  return created;
}

/**
 * `keepsIndex`: an episode's index is stored beside its file, because reading an hour of audio takes seconds from a remote
 * store.
 */
async function findIndex(
  storage: Storage,
  { key, source, keepsIndex = false }: { key: string; source: ByteSource; keepsIndex?: boolean },
): Promise<FrameIndex | null> {
  const { cached, share } = indexesOf(storage);
  return (
    cached.get(key) ??
    share(key, async () => {
      const index =
        (keepsIndex && (await readIndex(storage, key))) || (await makeIndex(storage, { key, source, keepsIndex }));
      if (index) cached.set(key, index);
      return index;
    })
  );
}

/** Null if the index was not stored yet, or has another format. */
async function readIndex(storage: Storage, key: string): Promise<FrameIndex | null> {
  const indexKey = frameIndexKey(key);
  if (!(await storage.head(indexKey))) return null;
  const bytes = await buffer(await storage.read(indexKey));
  try {
    return decodeIndex(bytes);
  } catch {
    return null;
  }
}

async function makeIndex(
  storage: Storage,
  { key, source, keepsIndex }: { key: string; source: ByteSource; keepsIndex: boolean },
): Promise<FrameIndex | null> {
  const found = await indexMp3(source);
  if (!found.ok) return null;
  const bytes = Buffer.from(encodeIndex(found.index));
  if (keepsIndex) await storage.put(frameIndexKey(key), bytes, { contentType: 'application/octet-stream' });
  return found.index;
}
