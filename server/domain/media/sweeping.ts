import { and, eq, inArray, lt, notExists } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import type { ListedObject } from '../../adapters/storage/port';
import type { Ctx } from '../../ctx';
import { UPLOAD_LIMITS } from '../../limits/media';
import { earlier } from '../../time';
import { incomingKey } from './rules';

const BATCH = 500;
/** A hundred thousand files: more than what a day's uploads leave. */
const ROUNDS = 200;
/** What the tus stores keep beside the bytes: on disk, on S3. */
const COMPANIONS = ['', '.json', '.info'];

/** Removes objects that no row names any more. */
export async function deleteStoredObjects(ctx: Ctx, keys: string[]): Promise<void> {
  for (const key of keys) await ctx.ports.storage.remove(key);
}

/**
 * Removes uploads that were never used a day after they were asked for, files and all, and what is left of used ones;
 * an hour later than that, for whoever began to use one in its last moment.
 * A file whose episode still waits to be checked stays.
 */
export async function sweepUploads(ctx: Ctx): Promise<void> {
  const waiting = ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.uploadKey, uploads.key), eq(episodes.status, 'in_progress')));
  const over = await ctx.db
    .select({ key: uploads.key })
    .from(uploads)
    .where(and(lt(uploads.expiresAt, earlier(ctx.now(), UPLOAD_LIMITS.grace)), notExists(waiting)))
    .limit(BATCH);
  const keys = over.map(({ key }) => key);
  await deleteStoredObjects(ctx, keys.flatMap(withCompanions));
  if (keys.length > 0) await ctx.db.delete(uploads).where(inArray(uploads.key, keys));
  await sweepStrays(ctx);
}

/** Files whose ticket went with its owner's account. What one sweep does not reach waits for the next. */
async function sweepStrays(ctx: Ctx): Promise<void> {
  let after: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const listed = await ctx.ports.storage.list('incoming/', BATCH, after);
    await removeStrays(ctx, listed);
    after = listed.at(-1)?.key;
    if (listed.length < BATCH) return;
  }
}

async function removeStrays(ctx: Ctx, listed: ListedObject[]): Promise<void> {
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

const withCompanions = (key: string) => COMPANIONS.map((suffix) => `${incomingKey(key)}${suffix}`);
