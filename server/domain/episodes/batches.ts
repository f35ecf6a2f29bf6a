import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { episodeBatches, episodes } from '~/db/schema/episodes';
import {
  type BatchAction,
  type BatchedChange,
  type BatchedState,
  EPISODE_TYPES,
  type EpisodeType,
} from '~/db/values/episodes';
import { earlier } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { type Allowed, authorize, may } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { markProductChanged } from '../products/mark-product-changed';
import { findProductRecord, type ProductRow } from '../products/queries';
import { recordActivity } from '../team/activity';
import { assertChangesAllowed, type PlaceChange } from './balance';
import { deleteAll, restoreAll } from './delete-episode';
import { asConflict } from './episode-slugs';
import { beingChecked, episodeNotFound, needsAudio, undoNotFound } from './errors';
import type { EpisodeRow } from './queries';
import { batchOutcome, formerReleaseOf, isAsLeft, statusAt } from './rules';
import type { ChangeEpisodes, UndoBatch } from './schema';
import { transition } from './transitions';

/** Why an episode was not changed, as the code of an error. */
type FailedEpisode = { id: number; name: string; code: string };
export type BatchResult = {
  /** The id to undo the batch; null if it changed nothing. */
  batchId: string | null;
  changed: number;
  failed: FailedEpisode[];
};

/**
 * The columns that a batch reads of an episode: a show may have thousands of episodes, and their descriptions are long.
 */
const BATCHED = {
  id: episodes.id,
  creatorId: episodes.creatorId,
  productId: episodes.productId,
  name: episodes.name,
  type: episodes.type,
  status: episodes.status,
  releaseAt: episodes.releaseAt,
  publishedAt: episodes.publishedAt,
  heldAt: episodes.heldAt,
  uploadKey: episodes.uploadKey,
  takenDownAt: episodes.takenDownAt,
  deletedAt: episodes.deletedAt,
};
type BatchedEpisode = Allowed<'episode.manage', Pick<EpisodeRow, keyof typeof BATCHED>>;

/**
 * Changes several of a product's episodes in one transaction: all of them, or those with the given ids. An episode that
 * can't change stays and is reported; a broken rule or an unknown id changes nothing.
 * @throws product.not_found, episode.not_found, account.email_not_verified, episode.public_exceeds_private,
 * episode.private_needed, episode.max_free_reached
 */
export async function changeEpisodes(ctx: Ctx, input: ChangeEpisodes): Promise<BatchResult> {
  const { product } = await findProductRecord(ctx, input.productId, input.kind);
  authorize(ctx, 'product.manage', product);
  const { action } = input;
  if (action === 'publish') await requireVerifiedEmail(ctx);
  return transact(ctx, async (tx) => {
    const found = await lockBatch(tx, input);
    const outcomes = found.map((episode) => ({ episode, outcome: batchOutcome(action, episode) }));
    const changing = outcomes.flatMap(({ episode, outcome }) => (outcome === 'change' ? [episode] : []));
    const failed = outcomes.flatMap(({ episode: { id, name }, outcome }): FailedEpisode[] => {
      if (outcome === 'being_checked') return [{ id, name, code: beingChecked().code }];
      return outcome === 'needs_audio' ? [{ id, name, code: needsAudio().code }] : [];
    });
    if (changing.length === 0) return { batchId: null, changed: 0, failed };
    await applyAction(tx, action, changing);
    await recordBatch(tx, product, { action: 'episodes.changed', count: changing.length });
    return { batchId: await recordChanges(tx, action, changing), changed: changing.length, failed };
  });
}

type BatchActivity = { action: 'episodes.changed' | 'episodes.change_undone'; count: number };

/** One entry for all episodes of the batch. */
async function recordBatch(tx: TxCtx, product: ProductRow, { action, count }: BatchActivity): Promise<void> {
  const { id: subjectId, creatorId, name } = product;
  await recordActivity(tx, { creatorId, action, subjectId, params: { name, count } });
}

/** The product's episodes, locked in the order of their ids, as everywhere. @throws episode.not_found */
async function lockBatch(tx: TxCtx, { productId, ids }: Pick<ChangeEpisodes, 'productId' | 'ids'>) {
  const rows = await tx.db
    .select(BATCHED)
    .from(episodes)
    .where(and(eq(episodes.productId, productId), whereKept(), ids && inArray(episodes.id, ids)))
    .orderBy(asc(episodes.id))
    .for('update');
  // the answer is the same for unknown, deleted and other creators' episodes
  if (ids && rows.length !== new Set(ids).size) throw episodeNotFound();
  return rows.map((row) => authorize(tx, 'episode.manage', row));
}

async function applyAction(tx: TxCtx, action: BatchAction, found: BatchedEpisode[]): Promise<void> {
  if (action === 'delete') return deleteAll(tx, found);
  if (action === 'private' || action === 'public') return changeTypes(tx, action, found);
  const now = tx.now();
  for (const episode of inSafeOrder(action, found)) {
    const releaseAt = formerReleaseOf(episode) ?? now;
    await transition(
      tx,
      episode,
      action === 'publish' ? { to: statusAt(releaseAt, now), set: { releaseAt } } : { to: 'on_hold' },
    );
  }
}

/** Publishes private episodes first and unpublishes them last, since each change is checked against the balance. */
function inSafeOrder(action: BatchAction, found: BatchedEpisode[]): BatchedEpisode[] {
  const privateFirst = [...found].sort((a, b) => Number(a.type !== 'private') - Number(b.type !== 'private'));
  return action === 'publish' ? privateFirst : privateFirst.reverse();
}

/** @throws episode.public_exceeds_private, episode.private_needed */
async function changeTypes(tx: TxCtx, type: EpisodeType, found: BatchedEpisode[]): Promise<void> {
  const [{ productId } = { productId: 0 }] = found;
  await writeType(tx, type, found);
  await assertChangesAllowed(tx, productId, toChanges(type, found));
  await markProductChanged(tx, productId);
}

async function writeType(tx: TxCtx, type: EpisodeType, found: BatchedEpisode[]): Promise<void> {
  const ids = found.map(({ id }) => id);
  await tx.db.update(episodes).set({ type, updatedAt: tx.now() }).where(inArray(episodes.id, ids));
}

const toChanges = (type: EpisodeType, found: BatchedEpisode[]): PlaceChange[] =>
  found.map((from) => ({ from, to: { ...from, type } }));

/** Stores the changes. @returns the batch's id */
async function recordChanges(tx: TxCtx, action: BatchAction, changed: BatchedEpisode[]): Promise<string> {
  const [{ productId, creatorId } = { productId: 0, creatorId: 0 }] = changed;
  const ids = changed.map(({ id }) => id);
  const rows = await tx.db.select(BATCHED).from(episodes).where(inArray(episodes.id, ids));
  const now = new Map(rows.map((row) => [row.id, stateOf(row)]));
  const changes = changed.flatMap((episode): BatchedChange[] => {
    const after = now.get(episode.id);
    return after ? [{ id: episode.id, before: stateOf(episode), after }] : [];
  });
  const [batch] = await tx.db
    .insert(episodeBatches)
    .values({ creatorId, productId, action, changes, createdAt: tx.now() })
    .returning({ id: episodeBatches.id });
  return batch!.id;
}

function stateOf({ type, status, releaseAt, deletedAt }: Pick<EpisodeRow, keyof BatchedState>): BatchedState {
  return { type, status, releaseAt: releaseAt?.toJSON() ?? null, deletedAt: deletedAt?.toJSON() ?? null };
}

/** What a batch did, and whether it can still be undone. @throws episode.undo_not_found */
export async function getBatch(ctx: Ctx, { batchId }: UndoBatch): Promise<BatchView> {
  const [batch] = await ctx.db
    .select()
    .from(episodeBatches)
    .where(and(eq(episodeBatches.id, batchId), whereUndoable(ctx.now())));
  if (!batch || !may(ctx, 'product.manage', batch)) throw undoNotFound();
  return { batchId, action: batch.action, changed: batch.changes.length };
}

export type BatchView = { batchId: string; action: BatchAction; changed: number };

const whereUndoable = (now: Date) =>
  and(isNull(episodeBatches.undoneAt), gt(episodeBatches.createdAt, earlier(now, EPISODE_LIMITS.batchUndo)));

/**
 * Undoes a batch once: each episode becomes what it was before, unless it has been changed since.
 * @throws episode.undo_not_found; also a second time, after a day, and for another creator's batch
 */
export async function undoBatch(ctx: Ctx, { batchId }: UndoBatch): Promise<{ restored: number; kept: number }> {
  return transact(ctx, async (tx) => {
    const batch = await takeBatch(tx, batchId);
    const { action, changes, productId } = batch;
    const ids = changes.map(({ id }) => id);
    const rows = await tx.db
      .select(BATCHED)
      .from(episodes)
      .where(inArray(episodes.id, ids))
      .orderBy(asc(episodes.id))
      .for('update');
    const byId = new Map(changes.map((change) => [change.id, change]));
    const asLeft = rows.filter((row) => isAsLeft(action, byId.get(row.id)!.after, stateOf(row)));
    const undone = asLeft.map((row) => {
      const episode = authorize(tx, 'episode.manage', row);
      return { episode, before: byId.get(row.id)!.before };
    });
    await revertBatch(tx, { action, productId }, undone);
    const { product } = await findProductRecord(tx, productId);
    await recordBatch(tx, product, { action: 'episodes.change_undone', count: undone.length });
    return { restored: undone.length, kept: changes.length - undone.length };
  }).catch(asConflict);
}

/** Marks the batch as undone, so that of two concurrent calls only one undoes it. */
async function takeBatch(tx: TxCtx, batchId: string) {
  const [batch] = await tx.db
    .update(episodeBatches)
    .set({ undoneAt: tx.now() })
    .where(and(eq(episodeBatches.id, batchId), whereUndoable(tx.now())))
    .returning();
  if (!batch || !may(tx, 'product.manage', batch)) throw undoNotFound();
  return batch;
}

type Undone = { episode: BatchedEpisode; before: BatchedState };
type Batch = { action: BatchAction; productId: number };

async function revertBatch(tx: TxCtx, { action, productId }: Batch, undone: Undone[]): Promise<void> {
  if (action === 'private' || action === 'public') return revertTypes(tx, productId, undone);
  if (action !== 'delete') return revertStatuses(tx, action, undone);
  const ids = undone.map(({ episode }) => episode.id);
  await restoreAll(tx, productId, ids);
}

/** One statement for each former type, and one check of all. */
async function revertTypes(tx: TxCtx, productId: number, undone: Undone[]): Promise<void> {
  const changes: PlaceChange[] = [];
  for (const type of EPISODE_TYPES) {
    const found = undone.filter(({ before }) => before.type === type).map(({ episode }) => episode);
    if (found.length > 0) await writeType(tx, type, found);
    changes.push(...toChanges(type, found));
  }
  await assertChangesAllowed(tx, productId, changes);
  await markProductChanged(tx, productId);
}

async function revertStatuses(tx: TxCtx, action: BatchAction, undone: Undone[]): Promise<void> {
  const undoing = action === 'publish' ? 'hold' : 'publish';
  const formerOf = new Map(undone.map(({ episode, before }) => [episode.id, before]));
  const found = undone.map(({ episode }) => episode);
  for (const episode of inSafeOrder(undoing, found)) {
    const before = formerOf.get(episode.id)!;
    const releaseAt = before.releaseAt === null ? null : new Date(before.releaseAt);
    const wasReleased = before.status === 'published' || before.status === 'scheduled';
    // the time of a scheduled episode may have come meanwhile
    const to = wasReleased && releaseAt ? statusAt(releaseAt, tx.now()) : 'on_hold';
    await transition(tx, episode, { to, set: { releaseAt } });
  }
}
