import { and, desc, eq, inArray } from 'drizzle-orm';
import { promoDays, promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { rssImports } from '~/db/schema/rss-import';
import { utcDay } from '../../base/time';
import { PAGE_LIMITS } from '../../limits/paging';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { whereEpisodeVisible } from '../../policy/visibility';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type PromoFile, storeCut, storePromo } from '../media/promo-files';
import type { PromoUploadRequest } from '../media/schema';
import {
  consumeUpload,
  type FormTicket,
  findUsableUpload,
  requestFormUpload,
  requestUpload,
  type UploadTicket,
  type UsableUpload,
} from '../media/uploads';
import { requireFeature } from '../plans/features';
import { markProductChanged } from '../products/mark-product-changed';
import { recordAbout } from '../team/activity';
import { alreadyChanged, onePromoPerDay, promoNeedsAudio, promoNotFound, waitForImport } from './errors';
import { findEpisodeRecord, lockEpisodeRow, selectEpisodes } from './queries';
import type { CutPromo, FindEpisode } from './schema';
import type { ManageableEpisode } from './transitions';
import { type EpisodeView, toEpisodeView } from './views';

/** The episodes of all of the creator's shows that have a promo, the newest first. */
export async function listPromos(ctx: Ctx): Promise<EpisodeView[]> {
  const { creatorId } = authorize(ctx, 'episode.read', requireCreator(ctx));
  const withPromo = ctx.db.select({ id: promos.episodeId }).from(promos).where(eq(promos.creatorId, creatorId));
  const rows = await selectEpisodes(ctx)
    .where(and(eq(episodes.creatorId, creatorId), whereEpisodeVisible(), inArray(episodes.id, withPromo)))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(PAGE_LIMITS.maxSize);
  return rows.map((row) => toEpisodeView(ctx, row));
}

/**
 * Creates a ticket for the upload of an episode's promo. @throws episode.not_found, plan.promos_required,
 * promo.wait_for_import, promo.one_per_day, and as media's requestUpload
 */
export async function requestPromoUpload(ctx: Ctx, input: PromoUploadRequest): Promise<UploadTicket> {
  return requestUpload(ctx, await allowedUpload(ctx, input));
}

/** Creates a ticket for an upload in a single request. @throws as requestPromoUpload */
export async function requestPromoFormUpload(ctx: Ctx, input: PromoUploadRequest): Promise<FormTicket> {
  return requestFormUpload(ctx, await allowedUpload(ctx, input));
}

async function allowedUpload(ctx: Ctx, { episodeId, ...file }: PromoUploadRequest) {
  const { episode } = await findEpisodeRecord(ctx, episodeId);
  const { creatorId } = authorize(ctx, 'episode.manage', episode);
  await requireFeature(ctx, creatorId, 'promos');
  await requireNoImport(ctx, creatorId);
  const today = and(eq(promoDays.creatorId, creatorId), eq(promoDays.day, utcDay(ctx.now())));
  if ((await ctx.db.$count(promoDays, today)) > 0) throw onePromoPerDay();
  return { ...file, purpose: 'promo' as const };
}

/**
 * During the import of a feed, creators must wait with promos and recommendations (spec §8).
 * @throws promo.wait_for_import
 */
export async function requireNoImport(ctx: Ctx, creatorId: number): Promise<void> {
  if (await isImporting(ctx, creatorId)) throw waitForImport();
}

/** Whether an import of the creator is running or waiting. */
async function isImporting(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<boolean> {
  const isRunning = inArray(rssImports.status, ['confirmed', 'in_progress']);
  return (await ctx.db.$count(rssImports, and(eq(rssImports.creatorId, creatorId), isRunning))) > 0;
}

/** A checked upload that `takeUploadedPromo` can use. */
export type UploadedPromo = { upload: UsableUpload; file: PromoFile };

/**
 * Checks an uploaded promo, before the transaction that uses it. @throws plan.promos_required, promo.wait_for_import,
 * promo.too_long, upload.*, audio.*
 */
export async function prepareUploadedPromo(
  ctx: Ctx,
  { id: episodeId, creatorId }: ManageableEpisode,
  key: string,
): Promise<UploadedPromo> {
  await requireFeature(ctx, creatorId, 'promos');
  await requireNoImport(ctx, creatorId);
  const upload = await findUsableUpload(ctx, { key, purpose: 'promo' });
  return { upload, file: await storePromo(ctx, upload, { creatorId, episodeId }) };
}

/**
 * Makes an upload the episode's promo, instead of a former one. The limit is one a day, even if the promo was deleted:
 * of two concurrent uploads, the unique index lets one through. @throws promo.one_per_day, upload.used
 */
export async function takeUploadedPromo(
  tx: TxCtx,
  episode: ManageableEpisode,
  { upload, file }: UploadedPromo,
): Promise<void> {
  await consumeUpload(tx, upload);
  const day = { creatorId: episode.creatorId, day: utcDay(tx.now()) };
  const counted = await tx.db.insert(promoDays).values(day).onConflictDoNothing().returning();
  if (counted.length === 0) throw onePromoPerDay();
  await savePromo(tx, episode, file);
}

/**
 * Cuts a promo out of the episode. It needs no upload, so there is no daily limit.
 * @throws plan.promos_required, promo.needs_audio, promo.outside
 */
export async function cutPromo(ctx: Ctx, { id, kind, startMs, endMs }: CutPromo): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const { audioKey, creatorId } = episode;
  await requireFeature(ctx, creatorId, 'promos');
  if (audioKey === null) throw promoNeedsAudio();
  const file = await storeCut(ctx, { audioKey, startMs, endMs }, { creatorId, episodeId: id });
  await transact(ctx, (tx) => savePromo(tx, episode, file));
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

async function savePromo(tx: TxCtx, episode: ManageableEpisode, file: PromoFile) {
  const { id: episodeId, creatorId, productId } = episode;
  // serializes promos of one episode that are saved at once
  if (!(await lockEpisodeRow(tx, episodeId))) throw alreadyChanged();
  await deletePromo(tx, episodeId);
  await tx.db.insert(promos).values({ episodeId, creatorId, ...file, createdAt: tx.now() });
  await recordAbout(tx, 'episode.promo_added', episode);
  await markProductChanged(tx, productId);
}

/** Deletes an episode's promo. The upload still counts for its day. @throws promo.not_found */
export async function removePromo(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    if (!(await deletePromo(tx, episode.id))) throw promoNotFound();
    await recordAbout(tx, 'episode.promo_deleted', episode);
    await markProductChanged(tx, episode.productId);
  });
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

/** @returns whether the episode had a promo */
async function deletePromo(tx: TxCtx, episodeId: number): Promise<boolean> {
  const deleted = await tx.db.delete(promos).where(eq(promos.episodeId, episodeId)).returning();
  const keys = deleted.map(({ audioKey }) => audioKey);
  if (keys.length > 0) await tx.jobs.enqueue(removeObjects, { keys });
  return deleted.length > 0;
}
