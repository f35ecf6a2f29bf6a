import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { BackupError } from './backup-error';
import { listAll, type Target } from './target';

export const FORMAT = 1;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A compressed file of the backup. Bytes and checksum are those of the stored file. */
const part = z.object({ file: z.string(), bytes: count, sha256, rows: count });
const table = part.extend({
  schema: z.string(),
  /** The table into which the rows are copied: for a partition, its parent. */
  name: z.string(),
  columns: z.array(z.string()),
  /** For a partition: its name and the bounds of its rows. */
  partition: z.object({ name: z.string(), bound: z.string() }).nullable(),
});
const sequence = z.object({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() });
const manifest = z.object({
  format: z.number(),
  name: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  version: z.string(),
  appUrl: z.string(),
  postgres: z.string(),
  /** The last migration: its time in the journal. */
  lastMigration: count,
  /** Shows whether APP_SECRET is the same without revealing it. */
  secretCheck: z.string(),
  tables: z.array(table),
  sequences: z.array(sequence),
  /** The statements for the tables that no migration creates. */
  statements: z.array(z.string()),
  references: part,
  media: part.extend({ objectBytes: count, copied: count, copiedBytes: count, missing: count }),
});

export type Part = z.infer<typeof part>;
export type DumpedTable = z.infer<typeof table>;
export type Manifest = z.infer<typeof manifest>;

/** One line of the media list: the object of the backup that has the content of a key. */
export const mediaLine = z.object({
  key: z.string(),
  bytes: count,
  sha256,
  modifiedAt: z.string(),
  contentType: z.string(),
});
export type MediaLine = z.infer<typeof mediaLine>;

/** Objects are named by their content, so backups share them and none is ever overwritten. */
export const objectOf = (hash: string): string => `objects/${hash.slice(0, 2)}/${hash}`;
export const folderOf = (name: string): string => `backups/${name}/`;
const manifestOf = (name: string): string => `${folderOf(name)}manifest.json`;

/** A name such as 2026-11-23T162005Z. */
export const nameAt = (time: Date): string =>
  time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Written last: without its manifest, a backup is not finished. */
export async function writeManifest(target: Target, value: Manifest): Promise<void> {
  const content = JSON.stringify(value);
  const whole = JSON.stringify({ sha256: hashOf(content), content });
  await target.put(manifestOf(value.name), Buffer.from(whole), { contentType: 'application/json' });
}

export const dropManifest = (target: Target, name: string): Promise<void> => target.remove(manifestOf(name));

/** @throws BackupError if it is damaged or comes from a later version */
export async function readManifest(target: Target, name: string): Promise<Manifest> {
  const damaged = new BackupError(`The manifest of ${name} is damaged.`);
  const whole = await text(await target.read(manifestOf(name)));
  const outer = z.object({ sha256, content: z.string() }).safeParse(parseJson(whole));
  if (!outer.success || hashOf(outer.data.content) !== outer.data.sha256) throw damaged;
  const content = parseJson(outer.data.content) as { format?: unknown };
  if (content.format !== FORMAT) throw new BackupError(`${name} has a format that this version does not know.`);
  const parsed = manifest.safeParse(content);
  if (!parsed.success) throw damaged;
  return parsed.data;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

/** All backups, oldest first. */
export async function listBackups(target: Target): Promise<{ finished: string[]; unfinished: string[] }> {
  const [finished, all] = [new Set<string>(), new Set<string>()];
  for await (const { key } of listAll(target, 'backups/')) {
    const [, name = '', file] = key.split('/');
    all.add(name);
    if (file === 'manifest.json') finished.add(name);
  }
  const sorted = [...all].sort();
  return {
    finished: sorted.filter((name) => finished.has(name)),
    unfinished: sorted.filter((name) => !finished.has(name)),
  };
}
