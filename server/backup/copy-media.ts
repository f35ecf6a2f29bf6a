import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ListedObject, ObjectStore } from '../adapters/storage/port';
import { ObjectMissing } from '../base/errors';
import { BACKUP_LIMITS } from '../limits/backup';
import { BackupError } from './backup-error';
import { folderOf, type Manifest, type MediaLine, mediaLine, objectOf, type Part } from './manifest';
import { hashOfStream, linesOf, writePart } from './parts';
import { type Reference, readReference } from './references';
import { listAll, type Target } from './target';

type Counts = Pick<Manifest['media'], 'objectBytes' | 'copied' | 'copiedBytes' | 'missing'>;
export type MediaCopy = {
  source: ObjectStore;
  target: Target;
  name: string;
  /** The keys that the rows of the dump refer to, in key order. */
  references: Part;
  /** The media list of the last finished backup. */
  previous: Part | null;
  report(text: string): void;
};

const REPORT_EACH_MS = 5000;
/** How many objects are reported by name. */
const NAMED = 20;

/**
 * Copies every stored object that the target does not have, except unused uploads. Objects that the last backup has
 * under the same key, with the same size and time, are not read again: keys are immutable (docs/decisions/0016).
 */
export async function copyMedia(copy: MediaCopy): Promise<Manifest['media']> {
  const counts: Counts = { objectBytes: 0, copied: 0, copiedBytes: 0, missing: 0 };
  async function* written() {
    for await (const line of copiedLines(copy, counts)) yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
  const part = await writePart(copy.target, `${folderOf(copy.name)}media.gz`, written());
  return { ...part, ...counts };
}

async function* copiedLines(copy: MediaCopy, counts: Counts): AsyncGenerator<MediaLine> {
  let [batch, done, reported]: [Listed[], number, number] = [[], 0, Date.now()];
  const flush = async () => {
    const lines = await Promise.all(batch.map((each) => copyObject(copy, each, counts)));
    batch = [];
    return lines.filter((line) => line !== null);
  };
  for await (const each of mergedLists(copy)) {
    batch.push(each);
    if (batch.length < BACKUP_LIMITS.together) continue;
    yield* await flush();
    done += BACKUP_LIMITS.together;
    if (Date.now() - reported < REPORT_EACH_MS) continue;
    reported = Date.now();
    copy.report(`Media: ${done} objects, ${counts.copied} of them new …`);
  }
  yield* await flush();
}

type Listed = { key: string; object: ListedObject | null; isRequired: boolean; before: MediaLine | null };

/** Walks through the store, the references and the last backup side by side: all three are in key order. */
async function* mergedLists({ source, target, references, previous }: MediaCopy): AsyncGenerator<Listed> {
  const wanted = cursor(readReferences(target, references), ({ key }) => key);
  const known = cursor(previous === null ? nothing() : mediaLines(target, previous), ({ key }) => key);
  for await (const object of listAll(source, '')) {
    for await (const each of wanted.before(object.key)) yield { ...each, object: null, before: null };
    const reference = await wanted.at(object.key);
    // unreferenced uploads may still be arriving
    if (object.key.startsWith('incoming/') && !reference) continue;
    const isRequired = reference?.isRequired ?? false;
    yield { key: object.key, object, isRequired, before: await known.at(object.key) };
  }
  for await (const each of wanted.before(null)) yield { ...each, object: null, before: null };
}

async function* readReferences(target: Target, list: Part): AsyncGenerator<Reference> {
  for await (const line of linesOf(target, list)) yield readReference(line);
}

async function* nothing(): AsyncGenerator<never> {}

export async function* mediaLines(target: Target, list: Part): AsyncGenerator<MediaLine> {
  for await (const line of linesOf(target, list)) {
    const parsed = mediaLine.safeParse(JSON.parse(line));
    if (!parsed.success) throw new BackupError(`The backup is damaged: ${list.file}.`);
    yield parsed.data;
  }
}

/** Reads a sorted sequence beside another one. */
function cursor<T>(items: AsyncGenerator<T>, keyOf: (item: T) => string) {
  let next: IteratorResult<T, unknown> | null = null;
  const peek = async () => {
    next ??= await items.next();
    return next.done ? null : (next.value as T);
  };
  async function* before(key: string | null): AsyncGenerator<T> {
    for (let item = await peek(); item !== null && (key === null || keyOf(item) < key); item = await peek()) {
      next = null;
      yield item;
    }
  }
  return {
    before,
    async at(key: string): Promise<T | null> {
      for await (const _ of before(key));
      const item = await peek();
      if (item === null || keyOf(item) !== key) return null;
      next = null;
      return item;
    },
  };
}

async function copyObject(copy: MediaCopy, listed: Listed, counts: Counts): Promise<MediaLine | null> {
  const { key, object, isRequired, before } = listed;
  const isSame = object && before?.bytes === object.bytes && before.modifiedAt === object.modifiedAt.toISOString();
  const line = isSame && (await hasObject(copy.target, before)) ? before : await storeObject(copy, key, counts);
  if (line) counts.objectBytes += line.bytes;
  else if (isRequired) {
    counts.missing += 1;
    if (counts.missing <= NAMED) copy.report(`MISSING in the storage: ${key}`);
  }
  return line;
}

const hasObject = async (target: Target, { sha256, bytes }: Pick<MediaLine, 'sha256' | 'bytes'>): Promise<boolean> =>
  (await target.head(objectOf(sha256)))?.bytes === bytes;

/** @returns null if it was deleted */
async function storeObject({ source, target }: MediaCopy, key: string, counts: Counts): Promise<MediaLine | null> {
  const found = await source.head(key);
  if (!found) return null;
  try {
    const { sha256, bytes } = await hashOfStream(await source.read(key));
    if (!(await hasObject(target, { sha256, bytes }))) {
      await putObject({ source, target }, { key, sha256, bytes });
      counts.copied += 1;
      counts.copiedBytes += bytes;
    }
    const { modifiedAt, contentType } = found;
    return { key, bytes, sha256, modifiedAt: modifiedAt.toISOString(), contentType };
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

type Copied = { key: string; sha256: string; bytes: number };

/** The name of the copy is its checksum, so an object that changes between the two reads must not be stored. */
async function putObject({ source, target }: Pick<MediaCopy, 'source' | 'target'>, { key, sha256, bytes }: Copied) {
  const type = { contentType: 'application/octet-stream', bytes };
  await target.put(objectOf(sha256), Readable.from(verifiedContent(await source.read(key), { key, sha256 })), type);
}

/** Yields the content, and throws at its end, before the store has finished the object, unless it has this checksum. */
export async function* verifiedContent(content: Readable, { key, sha256 }: Pick<Copied, 'key' | 'sha256'>) {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new BackupError(`${key} has another checksum.`);
}
