import { may } from '../../policy/authorize';
import { hasAudio } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { shownDescription } from '../episodes/description-html';
import { assertCanSee } from '../episodes/episode-catalog';
import { episodeNotFound, notPlayable } from '../episodes/errors';
import { type EpisodeRecord, factsOf, findEpisodeRecord } from '../episodes/queries';
import { coverUrls, SINGLE_WEBP_WIDTH } from '../media/rules';
import type { KindName } from '../products/kinds';
import { rememberLegacyPlay } from './legacy-plays';
import type { PlayEpisode } from './schema';

/** The fields that the player needs: exactly those of spec §3. */
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

/** An episode that the caller may play. @throws episode.not_found, episode.subscription_required */
export async function findPlayable(ctx: Ctx, { id, kind }: PlayEpisode): Promise<EpisodeRecord> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  if (!hasAudio(found.episode)) throw episodeNotFound();
  if (!may(ctx, 'episode.play', factsOf(found))) throw notPlayable();
  return found;
}

/** The episode in the player's format. @throws as findPlayable */
export async function openEpisode(ctx: Ctx, input: PlayEpisode): Promise<PlayerEpisode> {
  const found = await findPlayable(ctx, input);
  if (ctx.client.channel === 'rest') await rememberLegacyPlay(ctx, found.episode.id);
  return toPlayerEpisode(ctx, found);
}

export function toPlayerEpisode(ctx: Ctx, { episode, product, creator }: EpisodeRecord): PlayerEpisode {
  const cover = coverUrls(episode.coverKey ?? product.coverKey);
  const page = ctx.urls.episode(creator.domain, product.slug, episode.slug);
  return {
    id: episode.id,
    audioType: product.kind,
    url: ctx.urls.audio(episode.id, episode.slug),
    cover: ctx.urls.media(cover.jpg),
    coverWebp: ctx.urls.media(cover.webp[SINGLE_WEBP_WIDTH]),
    podcastName: product.name,
    episodeName: episode.name,
    hostedBy: creator.name,
    description: shownDescription(episode, page),
    episodeRedirectUrl: page,
    creatorDomainUrl: ctx.urls.creator(creator.domain),
  };
}

/** The URL of the audio. @throws as findPlayable */
export async function episodeUrl(ctx: Ctx, input: PlayEpisode): Promise<{ url: string }> {
  const { episode } = await findPlayable(ctx, input);
  if (ctx.client.channel === 'rest') await rememberLegacyPlay(ctx, episode.id);
  return { url: ctx.urls.audio(episode.id, episode.slug) };
}
