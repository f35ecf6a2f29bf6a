import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { EMBED_SIZES } from '../../limits/embeds';
import { actorInQuery, whereProductPublic, whereSeen } from '../../policy/visibility';
import type { Ctx, Reader } from '../../runtime/ctx';
import { episodeNotFound } from '../episodes/errors';
import { selectEpisodes } from '../episodes/queries';
import { coverUrls } from '../media/rules';
import { productNotFound } from '../products/errors';
import { listRowsById } from '../products/queries';
import { findEpisodePage, findProductPage } from './find-page';

export type EmbedTarget = { type: 'episode' | 'product'; id: number };
/** A page's address, or a player by its id. */
export type EmbedAddress = EmbedTarget | { domain: string; slug: string; episodeSlug?: string };

/** What sites show for a link, with a player in a frame (oembed.com). */
export type Oembed = {
  target: EmbedTarget;
  title: string;
  author: { name: string; url: string };
  /** A square picture. */
  cover: string;
};

export const THUMBNAIL = 640;

type Describing = Reader & Pick<Ctx, 'urls'>;

/** @throws creator.not_found, creator.deleted, product.not_found, episode.not_found */
export async function describeEmbed(ctx: Describing, address: EmbedAddress): Promise<Oembed> {
  const target = 'id' in address ? address : await targetAt(ctx, address);
  return target.type === 'episode' ? ofEpisode(ctx, target) : ofProduct(ctx, target);
}

/** Also finds former names. The caller checks whether the target is public. */
async function targetAt(ctx: Describing, { domain, slug, episodeSlug }: Exclude<EmbedAddress, EmbedTarget>) {
  if (episodeSlug === undefined) {
    const { product } = await findProductPage(ctx, { domain, slug });
    return { type: 'product', id: product.product.id } as const;
  }
  const { episode } = await findEpisodePage(ctx, { domain, slug, episodeSlug });
  return { type: 'episode', id: episode.episode.id } as const;
}

async function ofEpisode(ctx: Describing, target: EmbedTarget): Promise<Oembed> {
  const [row] = await selectEpisodes(ctx).where(and(eq(episodes.id, target.id), whereSeen(actorInQuery(ctx))));
  if (!row) throw episodeNotFound();
  const { episode, product, creator } = row;
  return {
    target,
    title: episode.name,
    author: { name: product.name, url: ctx.urls.product(creator.domain, product.slug) },
    cover: coverOf(ctx, episode.coverKey ?? product.coverKey),
  };
}

async function ofProduct(ctx: Describing, target: EmbedTarget): Promise<Oembed> {
  const [row] = await listRowsById(ctx, [target.id], whereProductPublic());
  if (!row) throw productNotFound();
  const { product, creator } = row;
  return {
    target,
    title: product.name,
    author: { name: creator.name, url: ctx.urls.creator(creator.domain) },
    cover: coverOf(ctx, product.coverKey),
  };
}

const coverOf = ({ urls }: Describing, key: string) => urls.media(coverUrls(key).webp[THUMBNAIL]);

type Space = { maxWidth: number | null; maxHeight: number | null };

/** The usual size, or the space that the site has. */
export function frameSize(
  type: EmbedTarget['type'],
  { maxWidth, maxHeight }: Space,
): { width: number; height: number } {
  const { width, height } = EMBED_SIZES;
  return { width: Math.min(width, maxWidth ?? width), height: Math.min(height[type], maxHeight ?? height[type]) };
}
