import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { selectStore } from '../adapters/storage/select-store';
import type { Env } from '../env/read';
import { openDatabase } from '../runtime/open-runtime';
import { ensureSecret } from '../runtime/secret';
import { BackupError } from './backup-error';
import { copyMedia } from './copy-media';
import { dumpDatabase } from './dump-database';
import { withBackupLock } from './hold';
import { keepNewest, removeUnfinished } from './keep';
import { FORMAT, listBackups, nameAt, readManifest, writeManifest } from './manifest';
import { recordBackup } from './record-backup';
import { openTarget, type Target } from './target';

const USAGE = 'Usage: npm run backup -- --to DIR|s3://BUCKET/PREFIX [--keep NUMBER]\n';
const WARNING = `It has personal data, hashed passwords and no APP_SECRET: keep that elsewhere. Without it, authenticator
apps and recovery codes stop working, and private feeds and gifts can't be shown again.`;
const OPTIONS = { to: { type: 'string' }, keep: { type: 'string' }, backup: { type: 'boolean' } } as const;

type Wish = { to: string; keep: number | null };

/** `npm run backup`, for operators; also while the server runs. @returns the exit code */
export async function runBackup(env: Env, argv: string[]): Promise<number> {
  const wish = readWish(argv);
  if (!wish) return failBackup(USAGE);
  try {
    const database = await openDatabase(env);
    // only this user may read the files that the process creates
    const umask = process.umask(0o077);
    try {
      await backUp(env, database.address.directUrl, wish);
      return 0;
    } finally {
      process.umask(umask);
      await database.stop();
    }
  } catch (error) {
    const text = explainError(error);
    if (text === null) throw error;
    return failBackup(`${text}\n`);
  }
}

function readWish(argv: string[]): Wish | null {
  try {
    const { to, keep } = parseArgs({ args: argv, options: OPTIONS }).values;
    if (!to || (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep))) return null;
    return { to, keep: keep === undefined ? null : Number(keep) };
  } catch {
    return null;
  }
}

export function failBackup(text: string): number {
  process.stderr.write(text);
  return 1;
}

const UNKNOWN_TABLE = new Set(['42P01', '42703']);

/** A sentence about a problem that an operator can solve. Null for a defect. */
export function explainError(error: unknown): string | null {
  if (error instanceof BackupError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNKNOWN_TABLE.has(code))
    return 'The tables of this database are older than this version. Use the version that last ran, or start this one once.';
  if (error instanceof Error && ('syscall' in error || '$metadata' in error)) return error.message;
  return null;
}

export const reportLine = (text: string): void => void process.stdout.write(`${text}\n`);

async function backUp(env: Env, url: string, { to, keep }: Wish): Promise<void> {
  const target = await openTarget(to, env);
  const began = new Date();
  await withBackupLock(url, async (stillHeld) => {
    await removeUnfinished(target);
    const name = await writeBackup({ env, url, target, began, stillHeld });
    // its rows are as old as the beginning
    await recordBackup(url, began);
    reportLine(`Backup ${name} is finished after ${((Date.now() - began.getTime()) / 1000).toFixed(1)} s.`);
    if (keep === null) return;
    const removed = await keepNewest(target, keep);
    reportLine(`Removed ${removed.backups} older backups and ${removed.objects} objects that no backup names.`);
  });
  reportLine(WARNING);
}

type Writing = { env: Env; url: string; target: Target; began: Date; stillHeld: () => Promise<void> };

/** Copies the rows first, and then the files that they refer to: nothing is deleted in between (hold.ts). */
async function writeBackup({ env, url, target, began, stillHeld }: Writing): Promise<string> {
  const [name, source] = [nameAt(began), await selectStore(env.storage, () => '')];
  const before = (await listBackups(target)).finished.at(-1);
  if (before !== undefined && before >= name) throw new BackupError(`${before} is newer than now: check the clock.`);
  const previous = before === undefined ? null : (await readManifest(target, before)).media;
  const dump = await dumpDatabase(url, target, { name, report: reportLine });
  const media = await copyMedia({ source, target, name, references: dump.references, previous, report: reportLine });
  reportLine(
    `Media: ${media.rows} objects, ${media.objectBytes} bytes; new: ${media.copied}, ${media.copiedBytes} bytes.`,
  );
  if (media.missing > 0)
    reportLine(
      `${media.missing} objects that rows refer to are missing in the storage; the backup does not have them.`,
    );
  await stillHeld();
  await writeManifest(target, {
    ...dump,
    media,
    format: FORMAT,
    name,
    startedAt: began.toISOString(),
    finishedAt: new Date().toISOString(),
    version: versionOf(),
    appUrl: env.urls.appUrl,
    secretCheck: await secretCheck(env),
  });
  return name;
}

const versionOf = (): string => String(JSON.parse(readFileSync('package.json', 'utf8')).version);

/** Equal for equal secrets. It reveals nothing about a secret of sufficient length. */
export async function secretCheck(env: Env): Promise<string> {
  const secret = env.secret ?? (await ensureSecret(env.dataDir));
  return createHmac('sha256', secret).update('altavoz backup').digest('hex').slice(0, 16);
}
