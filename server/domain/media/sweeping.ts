import { and, eq, exists, inArray, lt, not, type SQL } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import type { ListedObject } from '../../adapters/storage/port';
import type { Ctx } from '../../ctx';
import { UPLOAD_LIMITS } from '../../limits/media';
import { earlier } from '../../time';
import { incomingKey } from './rules';

const BATCH = 500;
/** 100,000 files per sweep: more than one day of uploads leaves. */
const ROUNDS = 200;
/** The file itself, and the metadata files of the tus stores: `.json` on disk, `.info` on S3. */
const FILE_SUFFIXES = ['', '.json', '.info'];

/** Deletes objects that no row refers to any more. */
export async function deleteStoredObjects(ctx: Ctx, keys: string[]): Promise<void> {
  for (const key of keys) await ctx.ports.storage.remove(key);
}

/**
 * Deletes expired uploads, with their files: tickets that were never used, and what used ones have left. An hour of
 * grace protects an upload that somebody started to use just before it expired. Files of unchecked episodes are kept.
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

/** Of one upload. */
export const filesOf = (key: string) => FILE_SUFFIXES.map((suffix) => `${incomingKey(key)}${suffix}`);
