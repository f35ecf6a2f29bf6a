import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, ne } from 'drizzle-orm';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import type { ItemState } from '~/db/values/rss-import';
import { AppError, isDiskFull } from '../../base/errors';
import { earlier } from '../../base/time';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import {
  insertImportedEpisode,
  lookupByGuid,
  replaceImportedAudio,
  updateImportedEpisode,
} from '../episodes/import-episode';
import type { EpisodeRow } from '../episodes/queries';
import { downloadAudio, unsupportedFormat } from '../media/download-audio';
import { recordFetchedAudio } from '../media/uploads';
import { lookupImportedProduct } from '../products/import-product';
import { episodeDeleted, formatUnsupported, importNotFound } from './errors';
import { copyExtras } from './extras';
import { isOtherAudio, nextAttempt, toEpisodeFields } from './rules';
import type { ImportRow, ItemRow } from './views';

/**
 * Imports one episode of a feed, once: the GUID identifies the episode in every import. Faults of the other host (a
 * missing file, a format that can't be converted) are stored as the episode's reason, and the run continues. Safe to
 * repeat after a crash at any point. @throws ENOSPC, upload.disk_full, so that the step is retried
 */
export async function copyItem(ctx: Ctx, row: ImportRow, item: ItemRow): Promise<void> {
  try {
    await copyEpisode(ctx, row, item);
  } catch (error) {
    if (!(error instanceof AppError) || isDiskFull(error) || error.kind === 'no_space') throw error;
    await settleFault(ctx, row, { item, error });
  }
}

async function copyEpisode(ctx: Ctx, row: ImportRow, item: ItemRow): Promise<void> {
  const product = row.productId === null ? null : await lookupImportedProduct(ctx, row.productId);
  if (!product) throw importNotFound();
  const existing = await lookupByGuid(ctx, product.id, item.guid);
  if (existing?.deletedAt) throw episodeDeleted();
  if (existing && existing.id !== item.episodeId) return updateEpisode(ctx, row, { item, existing });
  if (!existing) return createEpisode(ctx, row, item);
  await copyExtras(ctx, row, { item, episodeId: existing.id, known: item.leftOut });
  await settleItem(ctx, row, { id: item.id, state: 'imported' });
}

const fieldsOf = ({ createdAt, isPrivate }: ImportRow, { data, position }: ItemRow) =>
  // without a date, an episode keeps its place among the feed's episodes
  toEpisodeFields(data, { undated: earlier(createdAt, position * 1000), isPrivate });

type MatchedItem = { item: ItemRow; existing: EpisodeRow };

async function updateEpisode(ctx: Ctx, row: ImportRow, { item, existing }: MatchedItem): Promise<void> {
  const episode = authorize(ctx, 'episode.manage', existing);
  const former = await lookupFormer(ctx, row, item);
  const known = [...item.leftOut, ...(former?.leftOut ?? [])];
  await copyExtras(ctx, row, { item, episodeId: episode.id, known });
  const isOther = former !== null && isOtherAudio(former.data.audio, item.data.audio);
  const audio = isOther ? await fetchAudio(ctx, row, item) : null;
  await transact(ctx, async (tx) => {
    await updateImportedEpisode(tx, episode, fieldsOf(row, item));
    if (audio) {
      await recordFetchedAudio(tx, audio);
      await replaceImportedAudio(tx, episode, audio);
    }
    await tx.db
      .update(rssImportItems)
      .set({ state: 'updated', episodeId: episode.id, reason: null, bytes: audio?.bytes })
      .where(eq(rssImportItems.id, item.id));
    await markProgress(tx, row);
  });
}

type FormerItem = Pick<ItemRow, 'data' | 'leftOut'>;

/** The episode at the last import; null if its audio came from another source. */
async function lookupFormer(ctx: Ctx, row: ImportRow, { guid }: ItemRow): Promise<FormerItem | null> {
  const isEarlier = and(eq(rssImports.productId, row.productId ?? 0), ne(rssImports.id, row.id));
  const isDone = and(eq(rssImportItems.guid, guid), inArray(rssImportItems.state, ['imported', 'updated']));
  const [found] = await ctx.db
    .select({ data: rssImportItems.data, leftOut: rssImportItems.leftOut })
    .from(rssImports)
    .innerJoin(rssImportItems, eq(rssImportItems.importId, rssImports.id))
    .where(and(isEarlier, isDone))
    .orderBy(desc(rssImports.id))
    .limit(1);
  return found ?? null;
}

/** Copies the audio to an upload's key. A repeated attempt continues the copy. */
async function fetchAudio(ctx: Ctx, { userId }: ImportRow, item: ItemRow) {
  const { audio } = item.data;
  const format = unsupportedFormat(audio.url, ctx.settings);
  if (format) throw formatUnsupported({ format });
  return downloadAudio(ctx, { ...audio, key: uploadKeyOf(item), userId });
}

/**
 * Copies the audio and creates the episode, whose audio is then checked like an upload. The item keeps waiting for its
 * other parts, which have attempts of their own.
 */
async function createEpisode(ctx: Ctx, row: ImportRow, item: ItemRow): Promise<void> {
  const audio = await fetchAudio(ctx, row, item);
  const found = await lookupImportedProduct(ctx, row.productId ?? 0);
  if (!found) throw importNotFound();
  const product = authorize(ctx, 'product.manage', found);
  const { key: uploadKey, fileName, bytes } = audio;
  await transact(ctx, async (tx) => {
    await recordFetchedAudio(tx, audio);
    const isPrivate = await lockChoice(tx, row);
    const fields = { ...fieldsOf({ ...row, isPrivate }, item), ...{ guid: item.guid, uploadKey, fileName } };
    const episodeId = await insertImportedEpisode(tx, product, fields);
    const created = { episodeId, bytes, attempts: 0, retryAt: null, reason: null, reasonParams: {} };
    await tx.db.update(rssImportItems).set(created).where(eq(rssImportItems.id, item.id));
    await markProgress(tx, row);
  });
}

/** The choice of now: until the lock is released, the creator can't make the episodes private without this one. */
async function lockChoice({ db }: TxCtx, { id }: ImportRow): Promise<boolean> {
  const [row] = await db
    .select({ isPrivate: rssImports.isPrivate })
    .from(rssImports)
    .where(eq(rssImports.id, id))
    .for('update');
  return row?.isPrivate ?? true;
}

/** Every attempt uses the same key, so that a download is resumed. */
const uploadKeyOf = ({ importId, id }: ItemRow): string =>
  createHash('sha256').update(`import ${importId} ${id}`).digest('hex').slice(0, 32);

type Settled = { id: number; state: ItemState };

async function settleItem(ctx: Ctx, row: ImportRow, { id, state }: Settled): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db.update(rssImportItems).set({ state, reason: null, reasonParams: {} }).where(eq(rssImportItems.id, id));
    await markProgress(tx, row);
  });
}

/** Marks progress, so that the run is not overdue. */
async function markProgress(tx: TxCtx, { id }: ImportRow): Promise<void> {
  await tx.db.update(rssImports).set({ updatedAt: tx.now() }).where(eq(rssImports.id, id));
}

/**
 * A temporary fault is retried later. Other faults end the episode: skipped if the reason is ours, otherwise failed.
 */
async function settleFault(ctx: Ctx, row: ImportRow, fault: { item: ItemRow; error: AppError }): Promise<void> {
  const { item, error } = fault;
  const { attempts } = item;
  const retryAt = nextAttempt({ attempts, startedAt: row.startedAt }, error, ctx.now());
  const state = retryAt ? 'waiting' : error.code.startsWith('import.') ? 'skipped' : 'failed';
  const reason = { reason: error.code, reasonParams: error.params };
  await transact(ctx, async (tx) => {
    await tx.db
      .update(rssImportItems)
      .set({ state, attempts: attempts + 1, retryAt, ...reason })
      .where(eq(rssImportItems.id, item.id));
    await markProgress(tx, row);
  });
}
