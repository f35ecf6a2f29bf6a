import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { checkAudio, removeObjects } from '~/jobs/catalog';
import { type Ctx, type TxCtx, transact, violates } from '../../ctx';
import { slugFrom } from '../../fields';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { type Allowed, authorize } from '../../policy/authorize';
import { storeCover } from '../media/covers';
import { consumeUpload, findUsableUpload } from '../media/uploading';
import { findProductRecord } from '../products/queries';
import { markProductChanged } from '../products/versions';
import { descriptionHtml } from './description-html';
import { alreadyChanged, slugTaken } from './errors';
import { reschedule } from './publishing';
import { type EpisodeRow, findEpisodeRecord, isSlugTaken } from './queries';
import { assertReleaseAllowed } from './rules';
import type { CreateEpisode, FindEpisode, UpdateEpisode } from './schema';
import { type EpisodeView, toEpisodeView } from './views';

/**
 * Makes an episode of an uploaded file. It is `in_progress` until a job has read the file, then live at its time.
 * @throws episode.publish_time_in_past, episode.slug_taken, upload.* (the file, the cover)
 */
export async function createEpisode(ctx: Ctx, input: CreateEpisode): Promise<EpisodeView> {
  const found = await findProductRecord(ctx, input.productId, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  assertReleaseAllowed(input.releaseDate, ctx.now());
  const audio = await findUsableUpload(ctx, { key: input.fileKey, purpose: 'episode_audio', field: 'fileKey' });
  const cover = await usableCover(ctx, input.coverKey);
  const slug = input.slug ?? (await freeSlug(ctx, product.id, input.name));
  if (await isSlugTaken(ctx, product.id, slug)) throw slugTaken();
  const coverKey = cover ? await storeCover(ctx, cover) : null;

  const id = await transact(ctx, async (tx) => {
    await consumeUpload(tx, audio);
    if (cover) await consumeUpload(tx, cover);
    const { name, type, privateNote, releaseDate, sendEmail, season, number, explicit } = input;
    const [row] = await tx.db
      .insert(episodes)
      .values({
        creatorId: product.creatorId,
        productId: product.id,
        name,
        slug,
        description: descriptionHtml(input.description),
        privateNote,
        coverKey,
        type,
        status: 'in_progress',
        releaseAt: releaseDate ?? null,
        sendEmail,
        season,
        number,
        explicit,
        guid: randomUUID(),
        uploadKey: audio.key,
        fileName: audio.fileName,
      })
      .returning({ id: episodes.id });
    await forgetFormerSlug(tx, product.id, slug);
    await tx.jobs.enqueue(checkAudio, { episodeId: row!.id });
    return row!.id;
  }).catch(asSlugTaken);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

/** Changes the fields that were sent. Another file is checked like the first; the old one plays until then no more. */
export async function updateEpisode(ctx: Ctx, input: UpdateEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const moved = input.releaseDate !== undefined && input.releaseDate?.getTime() !== episode.releaseAt?.getTime();
  if (moved) assertReleaseAllowed(input.releaseDate, ctx.now());
  if (input.slug && (await isSlugTaken(ctx, episode.productId, input.slug, episode.id))) throw slugTaken();
  const audio = input.fileKey
    ? await findUsableUpload(ctx, { key: input.fileKey, purpose: 'episode_audio', field: 'fileKey' })
    : null;
  const cover = await usableCover(ctx, input.coverKey);
  const coverKey = cover ? await storeCover(ctx, cover) : input.coverKey === null ? null : undefined;

  await transact(ctx, async (tx) => {
    if (cover) await consumeUpload(tx, cover);
    await describe(tx, episode, { ...input, coverKey });
    if (moved && !audio) await reschedule(tx, episode, input.releaseDate ?? null);
    if (audio) {
      await consumeUpload(tx, audio);
      const releaseAt = input.releaseDate === undefined ? episode.releaseAt : input.releaseDate;
      const fresh = {
        uploadKey: audio.key,
        fileName: audio.fileName,
        status: 'in_progress' as const,
        failureReason: null,
      };
      const taken = await tx.db
        .update(episodes)
        .set({ ...fresh, releaseAt, updatedAt: tx.now() })
        .where(and(eq(episodes.id, episode.id), eq(episodes.status, episode.status)))
        .returning({ id: episodes.id });
      if (taken.length === 0) throw alreadyChanged();
      await tx.jobs.enqueue(checkAudio, { episodeId: episode.id });
    }
    await markProductChanged(tx, episode.productId);
  }).catch(asSlugTaken);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, episode.id));
}

/** Removes an episode for good; its objects follow by a job. */
export async function removeEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    await tx.db.delete(episodes).where(eq(episodes.id, episode.id));
    if (episode.audioKey) await tx.jobs.enqueue(removeObjects, { keys: [episode.audioKey] });
    await markProductChanged(tx, episode.productId);
  });
}

const usableCover = (ctx: Ctx, key: string | null | undefined) =>
  key ? findUsableUpload(ctx, { key, purpose: 'cover', field: 'coverKey' }) : null;

async function describe(
  tx: TxCtx,
  episode: Allowed<'episode.manage', EpisodeRow>,
  change: Omit<UpdateEpisode, 'coverKey'> & { coverKey?: string | null },
): Promise<void> {
  const { name, slug, privateNote, type, sendEmail, season, number, explicit, coverKey } = change;
  const description = change.description === undefined ? undefined : descriptionHtml(change.description);
  const described = { name, slug, description, privateNote, type, sendEmail, season, number, explicit, coverKey };
  await tx.db
    .update(episodes)
    .set({ ...described, updatedAt: tx.now() })
    .where(eq(episodes.id, episode.id));
  if (!slug || slug === episode.slug) return;
  await forgetFormerSlug(tx, episode.productId, slug);
  await tx.db
    .insert(formerEpisodeSlugs)
    .values({ productId: episode.productId, slug: episode.slug, episodeId: episode.id })
    .onConflictDoUpdate({
      target: [formerEpisodeSlugs.productId, formerEpisodeSlugs.slug],
      set: { episodeId: episode.id },
    });
}

/** A slug in use again stops redirecting to what had it before. */
async function forgetFormerSlug(tx: TxCtx, productId: number, slug: string): Promise<void> {
  const former = and(eq(formerEpisodeSlugs.productId, productId), eq(formerEpisodeSlugs.slug, slug));
  await tx.db.delete(formerEpisodeSlugs).where(former);
}

async function freeSlug(ctx: Ctx, productId: number, name: string): Promise<string> {
  const wanted = slugFrom(name, EPISODE_LIMITS.slugLength - 9) || 'episode';
  return (await isSlugTaken(ctx, productId, wanted)) ? `${wanted}-${randomUUID().slice(0, 8)}` : wanted;
}

/** Two tabs at once: the index decides, the second one is told. */
function asSlugTaken(error: unknown): never {
  throw violates(error, 'episodes_slug_once') ? slugTaken() : error;
}
