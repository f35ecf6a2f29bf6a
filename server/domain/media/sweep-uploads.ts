import { and, eq, exists, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import type { ListedObject } from '../../adapters/storage/port';
import { earlier, later } from '../../base/time';
import { BACKUP_LIMITS } from '../../limits/backup';
import { UPLOAD_LIMITS } from '../../limits/media';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, transact } from '../../runtime/ctx';
import { incomingKey } from './rules';

const BATCH = 500;
/** Limit of one job. */
const JOB_KEYS = 100;
/** 100,000 files per sweep: more than one day of uploads leaves. */
const ROUNDS = 200;
/** The file itself, and the metadata files of the tus stores: `.json` on disk, `.info` on S3. */
const FILE_SUFFIXES = ['', '.json', '.info'];

/** Deletes objects to which no row refers any more. While a backup runs, a job does it later. */
export async function deleteStoredObjects(ctx: Ctx, keys: string[]): Promise<void> {
  if (keys.length > 0 && (await isBackupRunning(ctx))) return deleteLater(ctx, keys);
  for (const key of keys) await ctx.ports.storage.remove(key);
}

/**
 * Whether a running backup copies files of rows that it read earlier. A backup takes its lock before it reads: if there
 * is no lock after the commit that released a file, no backup will look for that file (server/backup/hold.ts).
 */
export async function isBackupRunning({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const isFree = sql<boolean>`pg_try_advisory_xact_lock_shared(${BACKUP_LIMITS.holdLock}::bigint)`;
  const [row] = await db.execute<{ free: boolean }>(sql`select ${isFree} as free`);
  return row?.free !== true;
}

async function deleteLater(ctx: Ctx, keys: string[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(keys.length / JOB_KEYS) }, (_, i) =>
    keys.slice(i * JOB_KEYS, (i + 1) * JOB_KEYS),
  );
  const at = later(ctx.now(), BACKUP_LIMITS.retry);
  await transact(ctx, (tx) =>
    tx.jobs.enqueueAll(
      removeObjects,
      batches.map((each) => ({ keys: each })),
      { at: batches.map(() => at) },
    ),
  );
}

/**
 * Deletes expired uploads with their files: unused tickets, and files that used tickets have left. An hour of grace
 * protects an upload whose use began just before it expired. Files of unchecked episodes are kept.
 */
export async function sweepUploads(ctx: Ctx): Promise<void> {
  const waits = (where: SQL | undefined) => exists(ctx.db.select({ id: episodes.id }).from(episodes).where(where));
  const isNew = waits(and(eq(episodes.uploadKey, uploads.key), eq(episodes.status, 'in_progress')));
  const isReplacement = waits(eq(episodes.replacementKey, uploads.key));
  const expired = await ctx.db
    .select({ key: uploads.key })
    .from(uploads)
    .where(and(lt(uploads.expiresAt, earlier(ctx.now(), UPLOAD_LIMITS.grace)), not(isNew), not(isReplacement)))
    .limit(BATCH);
  const keys = expired.map(({ key }) => key);
  await deleteStoredObjects(ctx, keys.flatMap(filesOf));
  if (keys.length > 0) await ctx.db.delete(uploads).where(inArray(uploads.key, keys));
  await sweepOrphans(ctx);
}

/** Deletes files whose ticket was deleted with its owner's account. The next sweep continues where this one stops. */
async function sweepOrphans(ctx: Ctx): Promise<void> {
  let after: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const listed = await ctx.ports.storage.list('incoming/', BATCH, after);
    await deleteOrphans(ctx, listed);
    after = listed.at(-1)?.key;
    if (listed.length < BATCH) return;
  }
}

async function deleteOrphans(ctx: Ctx, listed: ListedObject[]): Promise<void> {
  const longAgo = earlier(ctx.now(), 2 * UPLOAD_LIMITS.lifetime);
  const old = listed.filter(({ modifiedAt }) => modifiedAt < longAgo);
  const keyOf = (object: { key: string }) => object.key.replace(/^incoming\//, '').replace(/\.(json|info)$/, '');
  if (old.length === 0) return;
  const known = await ctx.db
    .select({ key: uploads.key })
    .from(uploads)
    .where(inArray(uploads.key, old.map(keyOf)));
  const keys = new Set(known.map(({ key }) => key));
  await deleteStoredObjects(
    ctx,
    old.filter((object) => !keys.has(keyOf(object))).map(({ key }) => key),
  );
}

/** Files of one upload. */
export const filesOf = (key: string) => FILE_SUFFIXES.map((suffix) => `${incomingKey(key)}${suffix}`);
