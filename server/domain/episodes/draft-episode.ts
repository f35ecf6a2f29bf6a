import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { claimSlug, keepFormerSlug } from '~/db/slug-history';
import { pick } from '../../base/fields';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { hasVerifiedEmail } from '../accounts/logins/verify-email';
import { storeCover } from '../media/covers';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { markProductChanged } from '../products/mark-product-changed';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import { dropFetch, findAddress, lookupFetch, requestFetch } from './audio-fetches';
import { assertChangesAllowed, assertPublishable, lockProduct } from './balance';
import { descriptionHtml } from './description-html';
import { asConflict, freeSlug } from './episode-slugs';
import { alreadyChanged, audioMissing, slugTaken } from './errors';
import { keepRelease } from './kept-releases';
import { prepareUploadedPromo, takeUploadedPromo } from './promos';
import { applyRelease, isMoved } from './publish-episode';
import { findEpisodeRecord, isSlugTaken, lockEpisodeRow } from './queries';
import { dismissed, keepsAudio, type NewAudio, NO_REPLACEMENT, startReplacement } from './replace-audio';
import { assertReleaseAllowed, statusAt } from './rules';
import { type CreateEpisode, EPISODE_COLUMNS, type UpdateEpisode } from './schema';
import { insertEpisode, type ManageableEpisode, transition } from './transitions';
import { type EpisodeView, toEpisodeView } from './views';

/**
 * Creates an episode from an uploaded file, or from one at another host, which a job fetches. It is `in_progress` until a job has checked the file, then published at its
 * release time, or on hold as a draft. Until the user's address is verified, it is a draft whose release is kept.
 * @throws episode.publish_time_in_past, episode.public_exceeds_private,
 * episode.slug_taken, upload.*, and as findAddress and requestFetch
 */
export async function createEpisode(ctx: Ctx, input: CreateEpisode): Promise<EpisodeView> {
  const found = await findProductRecord(ctx, input.productId, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const { releaseDate = null } = input;
  assertReleaseAllowed(releaseDate, ctx.now());
  const audio = await findAudio(ctx, input);
  if (!audio) throw audioMissing();
  const cover = input.coverKey ? await findCover(ctx, input.coverKey) : null;
  const slug = input.slug ?? (await freeSlug(ctx, product.id, input.name));
  if (await isSlugTaken(ctx, product.id, slug)) throw slugTaken();
  const coverKey = cover && (await storeCover(ctx, cover));

  const isVerified = await hasVerifiedEmail(ctx);

  const id = await transact(ctx, async (tx) => {
    if (!input.hold) await assertReleasable(tx, { productId: product.id, type: input.type, releaseDate });
    if (!('url' in audio)) await consumeUpload(tx, audio);
    if (cover) await consumeUpload(tx, cover);
    const id = await insertEpisode(tx, {
      ...pick(input, EPISODE_COLUMNS),
      ...{
        creatorId: product.creatorId,
        productId: product.id,
        slug,
        coverKey,
        releaseAt: releaseDate,
        hold: input.hold || !isVerified,
      },
      description: await descriptionHtml(input.description),
      guid: randomUUID(),
      uploadKey: audio.key,
      fileName: audio.fileName,
    });
    await claimSlug(tx.db, formerEpisodeSlugs, { scopeId: product.id, slug });
    if (!input.hold && !isVerified) await keepRelease(tx, await lockCurrent(tx, id), releaseDate);
    if ('url' in audio) await requestFetch(tx, { id, creatorId: product.creatorId }, audio);
    return id;
  }).catch(asConflict);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

/**
 * Refuses now what the check would only put on hold. The check tests it again, since the balance may change meanwhile.
 */
async function assertReleasable(
  tx: TxCtx,
  { releaseDate, ...candidate }: { productId: number; type: CreateEpisode['type']; releaseDate: Date | null },
): Promise<void> {
  const now = tx.now();
  const isDue = statusAt(releaseDate ?? now, now) === 'published';
  if (isDue) await assertPublishable(tx, { ...candidate, from: null });
}

type AssertFits = (current: Pick<ManageableEpisode, 'status'>) => void;

/**
 * Changes the fields that were sent. A new file is checked like the first one: a published episode keeps its audio
 * until the check succeeds; other episodes are `in_progress` until then. @throws as createEpisode,
 * episode.already_changed, episode.being_fetched, and what `assertFits` throws about the episode at the time of the change
 */
export async function updateEpisode(ctx: Ctx, input: UpdateEpisode, assertFits?: AssertFits): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  if (isMoved(episode, input)) assertReleaseAllowed(input.releaseDate, ctx.now());
  if (input.slug && (await isSlugTaken(ctx, episode.productId, input.slug, episode.id))) throw slugTaken();
  const audio = await findAudio(ctx, input, episode.id);
  const cover = input.coverKey ? await findCover(ctx, input.coverKey) : null;
  const coverKey = cover ? await storeCover(ctx, cover) : input.coverKey;
  const promo = input.promoKey ? await prepareUploadedPromo(ctx, episode, input.promoKey) : null;

  await ctx.reach('episode.read');
  await transact(ctx, async (tx) => {
    if (cover) await consumeUpload(tx, cover);
    // storing the cover takes a while: the audio check or another request may have changed the episode
    const current = await lockCurrent(tx, episode.id);
    assertFits?.(current);
    await writeEpisode(tx, current, { ...input, coverKey });
    if (promo) await takeUploadedPromo(tx, current, promo);
    // compares with the file that was read first, so that the second of two concurrent uploads fails
    if (audio && !keepsAudio(current, input, tx.now())) await replaceAudio(tx, episode, { audio, input });
    else {
      if (audio) await startReplacement(tx, current, { audio, known: episode });
      await applyChanges(tx, current, input);
    }
    await recordAbout(tx, 'episode.updated', { ...current, name: input.name ?? current.name });
    await markProductChanged(tx, episode.productId);
    if (audio && 'url' in audio) await requestFetch(tx, episode, audio);
    else if (audio) await dropFetch(tx, episode.id);
  }).catch(asConflict);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, episode.id));
}

/**
 * Changes the description that the episode has by then, so that what another user saves meanwhile is not lost. `rewrite`
 * returns the same text to change nothing. @throws episode.already_changed, and what `rewrite` throws
 */
export async function rewriteDescription(
  ctx: Ctx,
  { id, kind }: Pick<UpdateEpisode, 'id' | 'kind'>,
  rewrite: (description: string) => string,
): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    const current = await lockCurrent(tx, episode.id);
    const description = rewrite(current.description);
    if (description === current.description) return;
    await writeEpisode(tx, current, { id, kind, description });
    await recordAbout(tx, 'episode.updated', current);
    await markProductChanged(tx, current.productId);
  });
}

/** Null if the input names no file, or an address that is being fetched for this episode already. */
async function findAudio(
  ctx: Ctx,
  { fileKey, audioUrl }: Pick<UpdateEpisode, 'fileKey' | 'audioUrl'>,
  episodeId?: number,
): Promise<NewAudio | null> {
  if (fileKey !== undefined) return findUsableUpload(ctx, { key: fileKey, purpose: 'episode_audio' });
  if (audioUrl === undefined) return null;
  const current = episodeId === undefined ? null : await lookupFetch(ctx, episodeId);
  return current?.url === audioUrl ? null : findAddress(ctx, audioUrl);
}

const findCover = (ctx: Ctx, key: string) => findUsableUpload(ctx, { key, purpose: 'cover' });

/** The locked row. @throws episode.already_changed if the episode was deleted after it was read */
async function lockCurrent(tx: TxCtx, id: number): Promise<ManageableEpisode> {
  const row = await lockEpisodeRow(tx, id);
  if (!row) throw alreadyChanged();
  return authorize(tx, 'episode.manage', row);
}

/** @param current the locked row */
async function writeEpisode(tx: TxCtx, current: ManageableEpisode, input: UpdateEpisode): Promise<void> {
  const { slug, coverKey } = input;
  const description = input.description === undefined ? undefined : await descriptionHtml(input.description);
  if (slug && slug !== current.slug) await reserveSlug(tx, current, slug);
  await tx.db
    .update(episodes)
    .set({ ...pick(input, EPISODE_COLUMNS), ...dismissed(current), description, coverKey, updatedAt: tx.now() })
    .where(eq(episodes.id, current.id));
  if (!slug || slug === current.slug) return;
  const scopeId = current.productId;
  await claimSlug(tx.db, formerEpisodeSlugs, { scopeId, slug });
  await keepFormerSlug(tx.db, formerEpisodeSlugs, { scopeId, slug: current.slug, ownerId: current.id });
}

/**
 * Checks again with the show locked: the unique index would wait for a change of the episode that has the slug, which
 * may wait for the show. @throws episode.slug_taken
 */
async function reserveSlug(tx: TxCtx, { id, productId }: ManageableEpisode, slug: string): Promise<void> {
  await lockProduct(tx, productId);
  if (await isSlugTaken(tx, productId, slug, id)) throw slugTaken();
}

/** Applies another release time, and checks the public ≤ private rule if the episode gets another type. */
async function applyChanges(tx: TxCtx, current: ManageableEpisode, input: UpdateEpisode): Promise<void> {
  const type = input.type ?? current.type;
  await applyRelease(tx, current, input);
  // a change of the status has also checked the type
  const to = await lockCurrent(tx, current.id);
  if (to.status === current.status && type !== current.type) {
    await assertChangesAllowed(tx, current.productId, [{ from: current, to }]);
  }
}

async function replaceAudio(
  tx: TxCtx,
  episode: ManageableEpisode,
  { audio, input }: { audio: NewAudio; input: UpdateEpisode },
): Promise<void> {
  if (!('url' in audio)) await consumeUpload(tx, audio);
  await transition(tx, episode, {
    to: 'in_progress',
    hold: input.hold,
    set: { ...NO_REPLACEMENT, uploadKey: audio.key, fileName: audio.fileName, releaseAt: input.releaseDate },
  });
}
