import { and, eq, isNull } from 'drizzle-orm';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { claimSlug } from '~/db/slug-history';
import { type Allowed, authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { UsableUpload } from '../media/uploads';
import { markProductChanged } from '../products/mark-product-changed';
import type { ProductRow } from '../products/queries';
import { descriptionHtml } from './description-html';
import { freeSlug } from './episode-slugs';
import { alreadyChanged } from './errors';
import { type EpisodeRow, lockEpisodeRow } from './queries';
import { checkReplacement, keepsAudio, NO_REPLACEMENT } from './replace-audio';
import { insertEpisode, type ManageableEpisode, transition } from './transitions';

type Columns = 'name' | 'description' | 'releaseAt' | 'season' | 'number' | 'explicit' | 'people';
type FeedFields = Pick<typeof episodes.$inferInsert, Columns>;
type NewEpisode = FeedFields & Pick<EpisodeRow, 'type' | 'guid' | 'uploadKey' | 'fileName'>;

/**
 * Creates an episode from another host's feed, with its GUID, so that podcast apps don't download it again. Its audio
 * is checked like an upload; then it is published with its original date. Subscribers get no email.
 */
export async function insertImportedEpisode(
  tx: TxCtx,
  product: Allowed<'product.manage', Pick<ProductRow, 'id' | 'creatorId'>>,
  { description, ...fields }: NewEpisode,
): Promise<number> {
  const { id: productId, creatorId } = product;
  const slug = await freeSlug(tx, productId, fields.name);
  const id = await insertEpisode(tx, {
    ...fields,
    ...{ creatorId, productId, slug, hold: false, sendEmail: false },
    description: await descriptionHtml(description),
  });
  await claimSlug(tx.db, formerEpisodeSlugs, { scopeId: productId, slug });
  return id;
}

/** Updates the episode after another import of the same feed: the feed's values win. Type, slug and cover stay. */
export async function updateImportedEpisode(
  tx: TxCtx,
  episode: ManageableEpisode,
  { name, description, season, number, explicit, people }: FeedFields,
): Promise<void> {
  await tx.db
    .update(episodes)
    .set({ name, season, number, explicit, people, description: await descriptionHtml(description) })
    .where(eq(episodes.id, episode.id));
  await markProductChanged(tx, episode.productId);
}

/** Gives an episode without a cover the one of the other host's feed. */
export async function setImportedCover(
  ctx: Ctx,
  { id, productId }: ManageableEpisode,
  coverKey: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db
      .update(episodes)
      .set({ coverKey, updatedAt: tx.now() })
      .where(and(eq(episodes.id, id), isNull(episodes.coverKey)));
    await markProductChanged(tx, productId);
  });
}

/**
 * Replaces the audio by another file of the other host's feed, which was fetched to an upload's key. It is checked like
 * a new file of the owner: a published episode keeps its audio until then. @throws episode.already_changed
 */
export async function replaceImportedAudio(
  tx: TxCtx,
  known: ManageableEpisode,
  { key, fileName }: Pick<UsableUpload, 'key' | 'fileName'>,
): Promise<void> {
  const row = await lockEpisodeRow(tx, known.id);
  if (!row) throw alreadyChanged();
  const current = authorize(tx, 'episode.manage', row);
  if (keepsAudio(current, {}, tx.now())) return checkReplacement(tx, current, { key, fileName });
  await transition(tx, current, { to: 'in_progress', set: { ...NO_REPLACEMENT, uploadKey: key, fileName } });
}

/** The episode of a show with this GUID, even a deleted one; null without one. */
export async function lookupByGuid(ctx: Pick<Ctx, 'db'>, productId: number, guid: string): Promise<EpisodeRow | null> {
  const [row] = await ctx.db
    .select()
    .from(episodes)
    .where(and(eq(episodes.productId, productId), eq(episodes.guid, guid)));
  return row ?? null;
}
