import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodeChapters, promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { clips } from '~/db/schema/insertions';
import { uploads } from '~/db/schema/media';
import { products } from '~/db/schema/products';
import { renditionDownloads, renditions } from '~/db/schema/renditions';
import { soundbites } from '~/db/schema/soundbites';
import { earlier, later } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, transact } from '../../runtime/ctx';
import { frameIndexKey } from './rules';
import { deleteStoredObjects, filesOf } from './sweep-uploads';

const BATCH = 500;

/**
 * Deletes the files of a user whose account is deleted, except audio and pictures of shows with buyers, to which rows
 * still refer. Repeating it is harmless.
 */
export async function eraseObjects(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const [creator] = await ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  if (creator) await eraseUnused(ctx, `audio/${creator.id}/`, (keys) => audioInUse(ctx, keys));
  await eraseUnused(ctx, `images/${userId}/`, (keys) => picturesInUse(ctx, keys));
  const open = await ctx.db.delete(uploads).where(eq(uploads.userId, userId)).returning({ key: uploads.key });
  await deleteStoredObjects(
    ctx,
    open.flatMap(({ key }) => filesOf(key)),
  );
}

/** @param inUse returns the keys that must stay */
async function eraseUnused(ctx: Ctx, prefix: string, inUse: (keys: string[]) => Promise<Set<string>>): Promise<void> {
  let after: string | undefined;
  do {
    const listed = await ctx.ports.storage.list(prefix, BATCH, after);
    const keys = listed.map(({ key }) => key);
    const kept = keys.length > 0 ? await inUse(keys) : new Set<string>();
    await deleteStoredObjects(
      ctx,
      keys.filter((key) => !kept.has(key)),
    );
    after = keys.length === BATCH ? keys.at(-1) : undefined;
  } while (after !== undefined);
}

/**
 * Deletes objects, and the objects in the given folders, except those to which a row refers: a duplicated episode has
 * the same file. An unused file stays unused, because new references are only copied from existing ones,
 * except those that new-files.ts stores, whose rows follow within seconds.
 */
export async function removeUnused(ctx: Ctx, { keys, folders }: { keys: string[]; folders: string[] }): Promise<void> {
  if (keys.length > 0) {
    const [kept, heard] = await Promise.all([audioInUse(ctx, keys), audioBeingHeard(ctx, keys)]);
    const unused = keys.filter((key) => !kept.has(key) && !heard.has(key));
    await deleteStoredObjects(ctx, unused.flatMap(filesOfAudio));
    if (heard.size > 0) await removeLater(ctx, [...heard]);
  }
  for (const folder of folders) await eraseUnused(ctx, folder, (found) => audioInUse(ctx, found));
}

/** An episode's file, with the frame index that may be beside it. */
const filesOfAudio = (key: string): string[] => (key.endsWith('.mp3') ? [key, frameIndexKey(key)] : [key]);

/** The files of renditions that somebody has begun within the last day, and may go on with. */
async function audioBeingHeard(ctx: Ctx, keys: string[]): Promise<Set<string>> {
  const since = earlier(ctx.now(), RENDITION_LIMITS.window).toISOString();
  const rows = await ctx.db
    .selectDistinct({ key: renditions.audioKey })
    .from(renditions)
    .innerJoin(renditionDownloads, eq(renditionDownloads.renditionId, renditions.id))
    .where(and(inArray(renditions.audioKey, keys), sql`${renditionDownloads.beganAt} > ${since}::timestamptz`));
  return new Set(rows.map(({ key }) => key));
}

async function removeLater(ctx: Ctx, keys: string[]): Promise<void> {
  const at = later(ctx.now(), RENDITION_LIMITS.window);
  await transact(ctx, (tx) => tx.jobs.enqueue(removeObjects, { keys }, { at }));
}

/** The keys to which an episode, its promo, a soundbite or a clip refers, or the rendition of one. */
async function audioInUse(ctx: Ctx, keys: string[]): Promise<Set<string>> {
  const { audioKey, peaksKey, servedHead } = episodes;
  const headKey = sql<string | null>`${servedHead}->>'key'`;
  const rows = await Promise.all([
    ctx.db.select({ key: audioKey }).from(episodes).where(inArray(audioKey, keys)),
    ctx.db.select({ key: peaksKey }).from(episodes).where(inArray(peaksKey, keys)),
    ctx.db.select({ key: headKey }).from(episodes).where(inArray(headKey, keys)),
    ctx.db.select({ key: promos.audioKey }).from(promos).where(inArray(promos.audioKey, keys)),
    ctx.db.select({ key: soundbites.audioKey }).from(soundbites).where(inArray(soundbites.audioKey, keys)),
    ctx.db.select({ key: clips.audioKey }).from(clips).where(isClipAmong(keys)),
    ctx.db.select({ key: renditions.headKey }).from(renditions).where(inArray(renditions.headKey, keys)),
  ]);
  return new Set(rows.flat().flatMap(({ key }) => key ?? []));
}

/** By creator, whose clips are few: keys have no index. */
function isClipAmong(keys: string[]): SQL | undefined {
  const owners = keys.flatMap((key) => /^audio\/(\d+)\/clips\//.exec(key)?.[1] ?? []).map(Number);
  return and(inArray(clips.creatorId, [...new Set(owners)]), inArray(clips.audioKey, keys));
}

/** A picture is stored in several sizes below the key of its row. */
async function picturesInUse(ctx: Ctx, keys: string[]): Promise<Set<string>> {
  const baseOf = (key: string) => key.slice(0, key.lastIndexOf('/'));
  const bases = [...new Set(keys.map(baseOf))];
  const [covers, episodeCovers, chapterPictures] = await Promise.all([
    ctx.db.select({ key: products.coverKey }).from(products).where(inArray(products.coverKey, bases)),
    ctx.db.select({ key: episodes.coverKey }).from(episodes).where(inArray(episodes.coverKey, bases)),
    chapterPicturesAmong(ctx, bases),
  ]);
  const used = new Set([...covers, ...episodeCovers, ...chapterPictures].map(({ key }) => key));
  return new Set(keys.filter((key) => used.has(baseOf(key))));
}

/** Chapters are stored as JSON, one row per episode. */
async function chapterPicturesAmong(ctx: Ctx, bases: string[]): Promise<{ key: string }[]> {
  const imageKey = sql<string>`chapter->>'imageKey'`;
  return ctx.db
    .selectDistinct({ key: imageKey })
    .from(episodeChapters)
    .innerJoin(sql`jsonb_array_elements(${episodeChapters.chapters}) as chapter`, sql`true`)
    .where(inArray(imageKey, bases));
}
