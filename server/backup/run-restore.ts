import { parseArgs } from 'node:util';
import { selectStore } from '../adapters/storage/select-store';
import type { Env } from '../env/read';
import { MIGRATIONS, openDatabase } from '../runtime/open-runtime';
import { BackupError } from './backup-error';
import { withBackupLock } from './hold';
import { assertNoProcessConnected, isEmptyDatabase, loadDatabase } from './load-database';
import { listBackups, type Manifest, readManifest } from './manifest';
import { assertKnownVersion } from './prepare-schema';
import { hasForeignObjects, restoreMedia, verifyBackup } from './restore-media';
import { explainError, failBackup, reportLine, secretCheck } from './run-backup';
import { openSource, type Target } from './target';

const USAGE = 'Usage: npm run restore -- --from DIR|s3://BUCKET/PREFIX [--backup NAME] [--force]\n';
const OPTIONS = {
  from: { type: 'string' },
  backup: { type: 'string' },
  force: { type: 'boolean' },
  restore: { type: 'boolean' },
} as const;
const OTHER_SECRET = `APP_SECRET is another one than when the backup was made: authenticator apps and recovery codes
stop working, links in sent emails too, and private feeds, gifts and old feeds can't be shown again. Set the former one before the first start.`;
const QUEUE =
  'The job queue is as it was at the time of the backup: the worker sends emails again that were sent since.';

type Wish = { from: string; backup: string | null; force: boolean };

/**
 * `npm run restore`, for operators: replaces the database and copies the media. The database changes last and in one
 * step, so a killed restore can be run again. @returns the exit code
 */
export async function runRestore(env: Env, argv: string[]): Promise<number> {
  const wish = readWish(argv);
  if (!wish) return failBackup(USAGE);
  try {
    const target = await openSource(wish.from, env);
    const manifest = await chooseBackup(target, wish.backup);
    assertKnownVersion(manifest, MIGRATIONS);
    assertOneDatabase(env);
    const database = await openDatabase(env);
    try {
      const url = database.address.directUrl;
      reportLine(`Into the database ${nameOf(url)}.`);
      await withBackupLock(url, () => restoreBackup({ env, url, target, manifest }, wish.force));
      return 0;
    } finally {
      await database.stop();
    }
  } catch (error) {
    const text = explainError(error);
    if (text === null) throw error;
    return failBackup(`${text}\n`);
  }
}

const nameOf = (url: string) => {
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} at ${host}`;
};

/**
 * An operator who tries a restore on another database easily forgets the direct address. If it still names the live
 * database, the restore would replace that.
 */
function assertOneDatabase({ database: { url, directUrl } }: Env): void {
  if (!url || !directUrl || new URL(url).pathname === new URL(directUrl).pathname) return;
  throw new BackupError(
    `DATABASE_URL is ${nameOf(url)}, but DATABASE_DIRECT_URL is ${nameOf(directUrl)}, and the restore writes to that: set both.`,
  );
}

function readWish(argv: string[]): Wish | null {
  try {
    const { from, backup = null, force = false } = parseArgs({ args: argv, options: OPTIONS }).values;
    return from ? { from, backup, force } : null;
  } catch {
    return null;
  }
}

async function chooseBackup(target: Target, name: string | null): Promise<Manifest> {
  const { finished } = await listBackups(target);
  const last = finished.at(-1);
  if (last === undefined) throw new BackupError('There is no finished backup.');
  if (name !== null && !finished.includes(name))
    throw new BackupError(`There is no finished backup ${name}. There are: ${finished.join(', ')}`);
  return readManifest(target, name ?? last);
}

type Restore = { env: Env; url: string; target: Target; manifest: Manifest };

async function restoreBackup({ env, url, target, manifest }: Restore, force: boolean): Promise<void> {
  const store = await selectStore(env.storage, () => '');
  await assertNoProcessConnected(url);
  if (!force && !(await isEmptyDatabase(url)))
    throw new BackupError('The database is not empty. --force replaces everything in it.');
  reportLine(`Checking ${manifest.name}: ${manifest.tables.length} tables, ${manifest.media.rows} objects …`);
  await verifyBackup(target, manifest);
  if (!force && (await hasForeignObjects(store, target, manifest)))
    throw new BackupError('The storage has objects that the backup does not have. --force restores beside them.');
  const copied = await restoreMedia(store, target, manifest);
  reportLine(`Media: ${copied} of ${manifest.media.rows} objects were copied; the others existed.`);
  await loadDatabase(url, { target, manifest, report: reportLine });
  reportLine(`Restored ${manifest.name}. ${QUEUE}`);
  if (manifest.secretCheck !== (await secretCheck(env))) reportLine(OTHER_SECRET);
}
