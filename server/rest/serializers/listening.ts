import { z } from 'zod';
import type { PlayerEpisode } from '../../domain/listening/open-episode';
import { KIND_NAMES } from '../../domain/products/kinds';
import { serializer } from '../call';

const url = z.url();
const instant = z.iso.datetime();

/** Exactly the fields of spec §3. */
export const playerEpisodeOut = serializer(
  'PlayerEpisode',
  z.strictObject({
    id: z.int(),
    audio_type: z.enum(KIND_NAMES),
    url,
    cover: url,
    cover_webp: url,
    podcast_name: z.string(),
    episode_name: z.string(),
    hosted_by: z.string(),
    description: z.string(),
    episode_redirect_url: url,
    creator_domain_url: url,
  }),
  (episode: PlayerEpisode) => ({
    id: episode.id,
    audio_type: episode.audioType,
    url: episode.url,
    cover: episode.cover,
    cover_webp: episode.coverWebp,
    podcast_name: episode.podcastName,
    episode_name: episode.episodeName,
    hosted_by: episode.hostedBy,
    description: episode.description,
    episode_redirect_url: episode.episodeRedirectUrl,
    creator_domain_url: episode.creatorDomainUrl,
  }),
);

/** `expires_at` null: the URL does not expire. */
export const episodeUrlOut = serializer(
  'EpisodeUrl',
  z.strictObject({ url, expires_at: instant.nullable() }),
  ({ url }: { url: string }) => ({ url, expires_at: null }),
);

export const listenOut = serializer(
  'Listen',
  z.strictObject({ counted: z.boolean() }),
  ({ counted }: { counted: boolean }) => ({ counted }),
);
