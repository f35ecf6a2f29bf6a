import { and, asc, desc, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { Ctx } from '../../ctx';
import { may } from '../../policy/authorize';
import { assertCanSee } from '../episodes/catalog';
import { episodeNotFound, notPlayable } from '../episodes/errors';
import { type EpisodeRecord, findEpisodeRecord } from '../episodes/queries';
import { coverUrls } from '../media/rules';
import { KINDS, type KindName } from '../products/kinds';
import type { PlayEpisode } from './schema';

/** What the player holds: the fields of spec §3, and no others. */
export type PlayerEpisode = {
  id: number;
  audioType: KindName;
  url: string;
  cover: string;
  coverWebp: string;
  podcastName: string;
  episodeName: string;
  hostedBy: string;
  /** Sanitised HTML. */
  description: string;
  episodeRedirectUrl: string;
  creatorDomainUrl: string;
};

/** An episode that the caller may hear. @throws episode.not_found, episode.subscription_required */
export async function findPlayable(ctx: Ctx, { id, kind }: PlayEpisode): Promise<EpisodeRecord> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  if (!may(ctx, 'episode.play', found.episode)) throw notPlayable();
  if (found.episode.audioKey === null) throw episodeNotFound();
  return found;
}

/** The episode as the player takes it. @throws as findPlayable */
export async function openEpisode(ctx: Ctx, input: PlayEpisode): Promise<PlayerEpisode> {
  const { episode, product, creator } = await findPlayable(ctx, input);
  const cover = coverUrls(episode.coverKey ?? product.coverKey);
  return {
    id: episode.id,
    audioType: product.kind,
    url: ctx.urls.audio(episode.id, episode.slug),
    cover: ctx.urls.media(cover.jpg),
    coverWebp: ctx.urls.media(cover.webp[640]),
    podcastName: product.name,
    episodeName: episode.name,
    hostedBy: creator.name,
    description: episode.description,
    episodeRedirectUrl: ctx.urls.episode(creator.domain, product.slug, episode.slug),
    creatorDomainUrl: ctx.urls.creator(creator.domain),
  };
}

/** The playable address alone. @throws as findPlayable */
export async function episodeUrl(ctx: Ctx, input: PlayEpisode): Promise<{ url: string }> {
  const { episode } = await findPlayable(ctx, input);
  return { url: ctx.urls.audio(episode.id, episode.slug) };
}

/**
 * The episodes before and after one in the product's play order that the caller may hear; null at its ends.
 * @throws episode.not_found
 */
export async function adjacentEpisodes(
  ctx: Ctx,
  { id, kind }: PlayEpisode,
): Promise<{ previous: number | null; next: number | null }> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  const [previous, next] = await Promise.all([neighbour(ctx, found, 'previous'), neighbour(ctx, found, 'next')]);
  return { previous, next };
}

async function neighbour(ctx: Ctx, found: EpisodeRecord, direction: 'previous' | 'next'): Promise<number | null> {
  const { episode, product } = found;
  if (episode.releaseAt === null) return null;
  const older = (direction === 'next') === (KINDS[product.kind].playOrder === 'newest_first');
  const [row] = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(audibleEpisodes(ctx, found), afterOrBefore(found, older ? sql`<` : sql`>`)))
    .orderBy(...(older ? [desc(episodes.releaseAt), desc(episodes.id)] : [asc(episodes.releaseAt), asc(episodes.id)]))
    .limit(1);
  return row?.id ?? null;
}

/**
 * Two episodes may come out in the same moment: then the id decides, as it does in every list. Nothing stands beside an
 * episode that has no date yet.
 */
export function afterOrBefore({ episode }: EpisodeRecord, side: SQL): SQL {
  if (episode.releaseAt === null) return sql`false`;
  return sql`(${episodes.releaseAt}, ${episodes.id}) ${side} (${episode.releaseAt.toISOString()}::timestamptz, ${episode.id}::bigint)`;
}

/** The product's published episodes that the caller may hear, this one aside. */
export function audibleEpisodes(ctx: Ctx, { episode, product }: EpisodeRecord): SQL | undefined {
  return and(
    eq(episodes.productId, product.id),
    eq(episodes.status, 'published'),
    isNotNull(episodes.audioKey),
    may(ctx, 'episode.manage', episode) ? undefined : ne(episodes.type, 'private'),
  );
}
