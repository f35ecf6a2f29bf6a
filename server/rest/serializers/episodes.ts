import { z } from 'zod';
import { EPISODE_STATUSES, EPISODE_TYPES } from '../../domain/episodes/schema';
import type { EpisodeView } from '../../domain/episodes/views';
import { KIND_NAMES } from '../../domain/products/kinds';
import { serializer } from '../call';
import { pictureUrls } from './pictures';

const url = z.url();
const instant = z.iso.datetime();

export const episodeOut = serializer(
  'Episode',
  z.strictObject({
    id: z.int(),
    audio_type: z.enum(KIND_NAMES),
    product_id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    private_note: z.string().nullable(),
    cover: url,
    cover_webp: url,
    url: url.nullable(),
    has_access: z.boolean(),
    duration: z.number().nullable(),
    file_size: z.int().nullable(),
    file_name: z.string().nullable(),
    release_date: instant.nullable(),
    type: z.enum(EPISODE_TYPES),
    status: z.enum(EPISODE_STATUSES),
    failure_reason: z.string().nullable(),
    send_email: z.boolean(),
    transcript_status: z.enum(['none', 'transcribing', 'transcribed', 'failed']),
    transcript_show_all: z.boolean(),
    promo: url.nullable(),
    season: z.int().nullable(),
    number: z.int().nullable(),
    explicit: z.boolean(),
    created_at: instant,
    updated_at: instant,
  }),
  (episode: EpisodeView, ctx) => {
    const cover = pictureUrls(episode.cover, ctx);
    return {
      id: episode.id,
      audio_type: episode.kind,
      product_id: episode.productId,
      name: episode.name,
      slug: episode.slug,
      description: episode.description,
      private_note: episode.privateNote,
      cover: cover.jpg,
      cover_webp: cover.webp,
      url: episode.url,
      has_access: episode.hasAccess,
      duration: episode.durationSeconds,
      file_size: episode.fileSize,
      file_name: episode.fileName,
      release_date: episode.releaseDate?.toISOString() ?? null,
      type: episode.type,
      status: episode.status,
      failure_reason: episode.failureReason && ctx.translate(`errors:${episode.failureReason}`),
      send_email: episode.sendEmail,
      transcript_status: 'none' as const,
      transcript_show_all: false,
      promo: null,
      season: episode.season,
      number: episode.number,
      explicit: episode.explicit,
      created_at: episode.createdAt.toISOString(),
      updated_at: episode.updatedAt.toISOString(),
    };
  },
);
