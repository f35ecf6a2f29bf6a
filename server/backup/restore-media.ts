import { Readable } from 'node:stream';
import type { ObjectStore } from '../adapters/storage/port';
import { BACKUP_LIMITS } from '../limits/backup';
import { mediaLines, verifiedContent } from './copy-media';
import { type Manifest, type MediaLine, objectOf } from './manifest';
import { hashOfStream, verifyPart } from './parts';
import { listAll, type Target } from './target';

/** Reads the whole backup. @throws BackupError if anything is damaged or missing */
export async function verifyBackup(target: Target, { tables, references, media }: Manifest): Promise<void> {
  for (const part of [...tables, references, media]) await verifyPart(target, part);
  for await (const lines of batches(mediaLines(target, media)))
    await Promise.all(lines.map(({ sha256, bytes }) => verifyPart(target, { file: objectOf(sha256), bytes, sha256 })));
}

async function* batches(lines: AsyncGenerator<MediaLine>): AsyncGenerator<MediaLine[]> {
  let batch: MediaLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < BACKUP_LIMITS.together) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Whether the store has an object that is not in the backup: it may belong to another installation. */
export async function hasForeignObjects(store: ObjectStore, target: Target, { media }: Manifest): Promise<boolean> {
  const known = mediaLines(target, media);
  let next = await known.next();
  try {
    for await (const { key } of listAll(store, '')) {
      while (!next.done && next.value.key < key) next = await known.next();
      if (next.done || next.value.key !== key) return true;
    }
    return false;
  } finally {
    await known.return(undefined);
  }
}

/** Copies the objects that the store lacks or has with other content, so a killed restore continues. */
export async function restoreMedia(store: ObjectStore, target: Target, { media }: Manifest): Promise<number> {
  let copied = 0;
  for await (const lines of batches(mediaLines(target, media)))
    for (const isNew of await Promise.all(lines.map((line) => restoreObject(store, target, line))))
      if (isNew) copied += 1;
  return copied;
}

async function restoreObject(store: ObjectStore, target: Target, line: MediaLine): Promise<boolean> {
  const { key, bytes, sha256, contentType } = line;
  const found = await store.head(key);
  if (found?.bytes === bytes && (await hashOfStream(await store.read(key))).sha256 === sha256) return false;
  const content = verifiedContent(await target.read(objectOf(sha256)), { key, sha256 });
  await store.put(key, Readable.from(content), { contentType, bytes });
  return true;
}
