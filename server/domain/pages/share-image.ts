import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { actorInQuery, whereProductPublic, whereSeen } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { brandOf } from '../creators/rules';
import { type EpisodeRecord, selectEpisodes } from '../episodes/queries';
import { type ShareImage, shareImageHash } from '../media/share-images';
import { listRowsById, type ProductRecord } from '../products/queries';

export type ShareSubject = { type: 'show' | 'episode'; id: number };
type Reader = Pick<Ctx, 'db' | 'actor' | 'now'>;
type Texts = Omit<ShareImage, 'brand'>;
type Brand = Pick<typeof creators.$inferSelect, 'buttonColor' | 'textColor'>;

/** The picture for links to a show or an episode that the caller may see. Null without a picture. */
export async function lookupShareImage(ctx: Reader, { type, id }: ShareSubject): Promise<ShareImage | null> {
  const found = type === 'show' ? await lookupShow(ctx, id) : await lookupEpisode(ctx, id);
  if (!found) return null;
  const { buttonColor, textColor } = creators;
  const [brand] = await ctx.db
    .select({ buttonColor, textColor })
    .from(creators)
    .where(eq(creators.id, found.creatorId));
  return brand ? toShareImage(found.texts, brand) : null;
}

/**
 * The picture's path on the app's host. The path contains a hash of the content, so caches can keep the picture
 * forever.
 */
export function shareImagePath({ type, id }: ShareSubject, texts: Texts, brand: Brand): string {
  return `/share/${type}/${id}/${shareImageHash(toShareImage(texts, brand))}.jpg`;
}

const toShareImage = (texts: Texts, colors: Brand): ShareImage => ({ ...texts, brand: brandOf(colors) });

export const showTexts = ({ product, creator }: Pick<ProductRecord, 'product' | 'creator'>): Texts => ({
  name: product.name,
  creator: creator.name,
  coverKey: product.coverKey,
});

export const episodeTexts = ({ episode, product, creator }: EpisodeRecord): Texts => ({
  name: episode.name,
  creator: `${product.name} · ${creator.name}`,
  coverKey: episode.coverKey ?? product.coverKey,
});

async function lookupShow(ctx: Reader, id: number) {
  const [row] = await listRowsById(ctx, [id], whereProductPublic());
  return row && { texts: showTexts(row), creatorId: row.product.creatorId };
}

async function lookupEpisode(ctx: Reader, id: number) {
  const [row] = await selectEpisodes(ctx).where(and(eq(episodes.id, id), whereSeen(actorInQuery(ctx))));
  return row && { texts: episodeTexts(row), creatorId: row.episode.creatorId };
}
