import { z } from 'zod';
import { EPISODE_STATUSES, EPISODE_TYPES } from '~/db/values/episodes';
import { EPISODE_FLAGS, TRANSCRIPT_STATUSES, transcriptStatus } from '../../domain/episodes/rules';
import type { EpisodeView } from '../../domain/episodes/views';
import { KIND_NAMES } from '../../domain/products/kinds';
import { serializer } from '../call';
import { copier, flagShape } from './copied';
import { pictureUrls } from './pictures';

const url = z.url();
const instant = z.iso.datetime();

/** Fields that REST has with the same value under their snake_case name. */
const copied = copier([
  'id',
  'productId',
  'name',
  'slug',
  'description',
  'privateNote',
  'url',
  'hasAccess',
  'fileSize',
  'fileName',
  'type',
  'status',
  'sendEmail',
  'season',
  'number',
  ...EPISODE_FLAGS,
] as const satisfies (keyof EpisodeView)[]);

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
    available_at: instant.nullable(),
    duration: z.number().nullable(),
    file_size: z.int().nullable(),
    file_name: z.string().nullable(),
    release_date: instant.nullable(),
    type: z.enum(EPISODE_TYPES),
    status: z.enum(EPISODE_STATUSES),
    failure_reason: z.string().nullable(),
    send_email: z.boolean(),
    transcript_status: z.enum(TRANSCRIPT_STATUSES),
    promo: url.nullable(),
    season: z.int().nullable(),
    number: z.int().nullable(),
    ...flagShape(EPISODE_FLAGS),
    created_at: instant,
    updated_at: instant,
  }),
  (episode: EpisodeView, ctx) => {
    const cover = pictureUrls(episode.cover, ctx);
    return {
      audio_type: episode.kind,
      cover: cover.jpg,
      cover_webp: cover.webp,
      duration: episode.durationSeconds,
      available_at: episode.availableAt?.toISOString() ?? null,
      release_date: episode.releaseDate?.toISOString() ?? null,
      failure_reason: episode.failureReason && ctx.translate(`errors:${episode.failureReason}`, episode.failureParams),
      promo: episode.promo?.url ?? null,
      transcript_status: transcriptStatus(episode),
      created_at: episode.createdAt.toISOString(),
      updated_at: episode.updatedAt.toISOString(),
      // last, as in the views (decision 0119)
      ...copied(episode),
    };
  },
);
