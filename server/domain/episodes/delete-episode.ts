import { and, asc, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { promos } from '~/db/schema/episode-parts';
import { episodeBatches, episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { soundbites } from '~/db/schema/soundbites';
import { matchesPattern, patternOf } from '~/db/search';
import { claimSlugs } from '~/db/slug-history';
import type { AppError } from '../../base/errors';
import type { Page } from '../../base/paging';
import { earlier } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import { hasPlace, whereKept } from '../../policy/visibility';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import { assertChangesAllowed, countAllowed, lockProduct } from './balance';
import { asConflict, withRandomEnd } from './episode-slugs';
import { releaseMissed } from './errors';
import { dropKeptReleases } from './kept-releases';
import {
  countEpisodes,
  findDeletedRecord,
  findEpisodeRecord,
  selectEpisodes,
  takenSlugs,
  whereRestorable,
} from './queries';
import type { FindEpisode, ListDeleted } from './schema';
import { enqueueRestored, holdRestored, type ManageableEpisode } from './transitions';
import { type DeletedView, type EpisodeView, toDeletedView, toEpisodeView } from './views';

/**
 * Deletes an episode. It disappears at once; its owner can restore it for some days, until a job deletes it for good.
 * @throws episode.private_needed if it is one of the private episodes that the public ones need
 */
export async function removeEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    await deleteAll(tx, [episode]);
    await recordAbout(tx, 'episode.deleted', episode);
  });
}

const { type, status, publishedAt, heldAt } = episodes;
const PLACE = { type, status, publishedAt, heldAt };

/**
 * All episodes belong to one product. An episode that another request has just deleted is skipped. @throws as
 * removeEpisode
 */
export async function deleteAll(tx: TxCtx, found: Pick<ManageableEpisode, 'id' | 'productId'>[]): Promise<void> {
  const [{ productId } = { productId: 0 }] = found;
  const ids = found.map(({ id }) => id);
  const { id } = episodes;
  await tx.db.select({ id }).from(episodes).where(inArray(id, ids)).orderBy(asc(id)).for('update');
  await dropKeptReleases(tx, ids);
  // a slug is released only with the show locked: another request that holds the show may wait for the slug
  await lockProduct(tx, productId);
  const deleted = await tx.db
    .update(episodes)
    .set({ deletedAt: tx.now() })
    .where(and(inArray(episodes.id, ids), whereKept()))
    .returning(PLACE);
  const changes = deleted.map((row) => ({ from: { ...row, deletedAt: null }, to: null }));
  await assertChangesAllowed(tx, productId, changes);
  await markProductChanged(tx, productId);
}

/** A page of a product's deleted episodes that can be restored, the last deleted first. Only the owner may see it. */
export async function listDeletedEpisodes(ctx: Ctx, input: ListDeleted): Promise<Page<DeletedView>> {
  const { productId, kind, page, pageSize, search } = input;
  const { product } = await findProductRecord(ctx, productId, kind);
  authorize(ctx, 'product.manage', product);
  const isFound = matchesPattern(episodes.name, patternOf(search));
  const where = and(eq(episodes.productId, productId), whereRestorable(ctx.now()), isFound);
  const [rows, total] = await Promise.all([
    selectEpisodes(ctx)
      .where(where)
      .orderBy(desc(episodes.deletedAt), desc(episodes.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    countEpisodes(ctx, where),
  ]);
  return { items: rows.map(toDeletedView), total, page, pageSize };
}

/**
 * Undoes a deletion. The episode is on hold if it may no longer be published, or if its release time has passed, and
 * gets another slug if its own is taken.
 * @throws episode.not_found, also after the days in which it could be restored
 */
export async function restoreEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findDeletedRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    await restoreAll(tx, episode.productId, [id]);
    await recordAbout(tx, 'episode.restored', episode);
  }).catch(asConflict);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

/** Restores the given episodes of a product that are deleted, with a few statements for all. @returns their number */
export async function restoreAll(tx: TxCtx, productId: number, ids: number[]): Promise<number> {
  const rows = await tx.db
    .select()
    .from(episodes)
    .where(and(eq(episodes.productId, productId), inArray(episodes.id, ids), whereRestorable(tx.now())))
    .orderBy(asc(episodes.id))
    .for('update');
  if (rows.length === 0) return 0;
  const found = rows.map((row) => authorize(tx, 'episode.manage', row));
  // locked before the slugs: one order of locks everywhere
  await lockProduct(tx, productId);
  const held = await findHeld(tx, productId, found);
  await undeleteRows(tx, productId, found);
  for (const { episodes: refused, reason } of held) await holdRestored(tx, refused, reason);
  await enqueueRestored(tx, found, new Set(held.flatMap(({ episodes: refused }) => refused)));
  await markProductChanged(tx, productId);
  return rows.length;
}

type Held = { episodes: ManageableEpisode[]; reason: AppError };
/** Private episodes come first, so that public ones are within the limit. */
const ORDER = { private: 0, trailer: 1, public: 2 } as const;

/** Episodes that had a place or were scheduled and can't get that back, by reason. */
async function findHeld(tx: TxCtx, productId: number, found: ManageableEpisode[]): Promise<Held[]> {
  const isMissed = ({ status, releaseAt }: ManageableEpisode) =>
    status === 'scheduled' && !(releaseAt && releaseAt > tx.now());
  const missed = { episodes: found.filter(isMissed), reason: releaseMissed() };
  const placed = found
    .filter((episode) => hasPlace({ ...episode, deletedAt: null }))
    .sort((a, b) => ORDER[a.type] - ORDER[b.type]);
  const changes = placed.map((from) => ({ from, to: { ...from, deletedAt: null } }));
  const { allowed, obstacle } = await countAllowed(tx, productId, changes);
  const refused = obstacle && { episodes: placed.slice(allowed), reason: obstacle };
  return [missed, refused].filter((held) => held !== null).filter((held) => held.episodes.length > 0);
}

/** Restores the rows, with another slug where a slug is taken, also by another restored episode. */
async function undeleteRows(tx: TxCtx, productId: number, found: ManageableEpisode[]): Promise<void> {
  const slugs = found.map((row) => row.slug);
  const taken = new Set(await takenSlugs(tx, productId, slugs));
  const renamed = found.filter((row) => taken.has(row.slug) || !taken.add(row.slug)).map(({ id }) => id);
  const slug = sql`case when ${inArray(episodes.id, renamed)} then ${withRandomEnd} else ${episodes.slug} end`;
  const restored = await tx.db
    .update(episodes)
    .set({ deletedAt: null, slug, updatedAt: tx.now() })
    .where(
      inArray(
        episodes.id,
        found.map(({ id }) => id),
      ),
    )
    .returning({ slug: episodes.slug });
  await claimSlugs(tx.db, formerEpisodeSlugs, { scopeId: productId, slugs: restored.map((row) => row.slug) });
}

/** Limit per transaction: each episode has up to four keys, and a job takes a hundred. */
const PURGED_AT_ONCE = 25;
const ROUNDS = 40;

/**
 * The job that deletes episodes for good, and batches that can no longer be undone. The rows and the job that deletes
 * their files are committed together. Rows that are being restored are skipped.
 */
export async function purgeDeleted(ctx: Ctx): Promise<void> {
  const undoneBefore = earlier(ctx.now(), EPISODE_LIMITS.batchUndo);
  await ctx.db.delete(episodeBatches).where(lt(episodeBatches.createdAt, undoneBefore));
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await transact(ctx, purgeSome)) < PURGED_AT_ONCE) return;
  }
}

async function purgeSome(tx: TxCtx): Promise<number> {
  const isDue = and(
    isNotNull(episodes.deletedAt),
    lt(episodes.deletedAt, earlier(tx.now(), EPISODE_LIMITS.restorable)),
  );
  const { id, creatorId, audioKey, peaksKey } = episodes;
  const rows = await tx.db
    .select({ id, creatorId, audioKey, peaksKey })
    .from(episodes)
    .where(isDue)
    .orderBy(asc(episodes.deletedAt))
    .limit(PURGED_AT_ONCE)
    .for('update', { skipLocked: true });
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  const cut = await tx.db.select({ key: promos.audioKey }).from(promos).where(inArray(promos.episodeId, ids));
  const bites = await tx.db
    .select({ key: soundbites.audioKey })
    .from(soundbites)
    .where(inArray(soundbites.episodeId, ids));
  await tx.db.delete(episodes).where(inArray(id, ids));
  const files = [...rows.flatMap((row) => [row.audioKey, row.peaksKey]), ...[...cut, ...bites].map(({ key }) => key)];
  await tx.jobs.enqueue(removeObjects, {
    keys: files.filter((key) => key !== null),
    folders: rows.map((row) => `audio/${row.creatorId}/${row.id}/`),
  });
  return rows.length;
}
