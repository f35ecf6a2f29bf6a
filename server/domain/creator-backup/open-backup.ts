import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { BadZip, NoZip, type RandomAccess, type ReadEntry, readDirectory, readEntry } from '../../zip/read-zip';
import { badBackup, damagedEntry, notABackup, otherVersion } from './errors';
import { FORMAT, MANIFEST, VERSION } from './rules';
import { type Manifest, manifest as manifestSchema } from './schema';

export type OpenCreatorBackup = {
  manifest: Manifest;
  /** The content of a verified entry. */
  content(name: string): AsyncGenerator<Buffer, void>;
};

/**
 * Opens a backup and verifies it by reading all of it once: the zip is safe to read, it has exactly the entries of its
 * manifest, and their sizes and checksums match. An import writes nothing before.
 * @throws archive.not_an_archive, archive.other_version, archive.bad, archive.damaged
 */
export async function openCreatorBackup(file: RandomAccess): Promise<OpenCreatorBackup> {
  const { zipEntries, directoryBytes } = CREATOR_BACKUP_LIMITS;
  const entries = await checked(() => readDirectory(file, { entries: zipEntries, directoryBytes }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const manifest = await readManifest(file, byName.get(MANIFEST));
  byName.delete(MANIFEST);
  for (const listed of manifest.entries) {
    const entry = byName.get(listed.name);
    if (!entry || entry.bytes !== listed.bytes) throw damagedEntry({ name: listed.name });
    await checked(() => verifyEntry(file, entry, listed.sha256));
    byName.delete(listed.name);
  }
  for (const name of byName.keys()) throw badBackup({ reason: `${name} is not in the manifest` });
  const all = new Map(entries.map((entry) => [entry.name, entry]));
  return { manifest, content: (name) => readEntry(file, all.get(name)!) };
}

async function readManifest(file: RandomAccess, entry: ReadEntry | undefined): Promise<Manifest> {
  if (!entry || entry.bytes > CREATOR_BACKUP_LIMITS.manifestBytes) throw notABackup();
  const text = await checked(() => buffer(Readable.from(readEntry(file, entry))));
  const json = parseJson(text.toString());
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) throw notABackup();
  if (version !== VERSION) throw otherVersion({ found: String(version).slice(0, 20), known: VERSION });
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw badBackup({ reason: parsed.error.issues[0]!.path.join('.') });
  return parsed.data;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function verifyEntry(file: RandomAccess, entry: ReadEntry, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of readEntry(file, entry)) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw damagedEntry({ name: entry.name });
}

async function checked<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NoZip) throw notABackup();
    throw error instanceof BadZip ? badBackup({ reason: error.message }) : error;
  }
}
