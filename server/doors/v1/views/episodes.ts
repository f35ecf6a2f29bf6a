import { z } from 'zod';
import { EPISODE_STATUSES, EPISODE_TYPES, PERSON_ROLES } from '~/db/values/episodes';
import {
  AUDIO_STATUSES,
  audioStatus,
  EPISODE_FLAGS,
  TRANSCRIPT_STATUSES,
  transcriptStatus,
} from '../../../domain/episodes/rules';
import type { EpisodeView } from '../../../domain/episodes/views';
import { type SerializerContext, serializer } from '../../../rest/call';
import { copier, flagShape } from '../../../rest/serializers/copied';
import { instant, pictureUrl, url } from './values';

const copied = copier([
  'id',
  'name',
  'slug',
  'description',
  'privateNote',
  'type',
  'status',
  'sendEmail',
  'season',
  'number',
  'fileName',
  'fileSize',
  'durationSeconds',
  'isHeld',
  ...EPISODE_FLAGS,
] as const satisfies (keyof EpisodeView)[]);

export const episodeView = serializer(
  'Episode',
  z.strictObject({
    id: z.int(),
    show_id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    private_note: z.string().nullable(),
    type: z.enum(EPISODE_TYPES),
    status: z.enum(EPISODE_STATUSES),
    failure_reason: z.string().nullable(),
    is_held: z.boolean(),
    release_date: instant.nullable(),
    season: z.int().nullable(),
    number: z.int().nullable(),
    people: z.array(z.strictObject({ name: z.string(), role: z.enum(PERSON_ROLES), url: z.string().nullable() })),
    cover_url: url,
    page_url: url,
    audio_url: url.nullable(),
    audio: z.strictObject({ status: z.enum(AUDIO_STATUSES), error: z.string().nullable() }),
    duration_seconds: z.number().nullable(),
    file_name: z.string().nullable(),
    file_size: z.int().nullable(),
    transcript_status: z.enum(TRANSCRIPT_STATUSES),
    send_email: z.boolean(),
    ...flagShape(EPISODE_FLAGS),
    created_at: instant,
    updated_at: instant,
  }),
  (episode: EpisodeView, ctx) => ({
    show_id: episode.productId,
    failure_reason: reasonOf(episode, ctx),
    release_date: episode.releaseDate?.toISOString() ?? null,
    people: episode.people.map(({ name, role, url: page }) => ({ name, role, url: page })),
    cover_url: pictureUrl(episode.cover, ctx),
    page_url: ctx.urls.episode(episode.creator.domain, episode.product.slug, episode.slug),
    audio_url: episode.url,
    audio: audioOf(episode, ctx),
    transcript_status: transcriptStatus(episode),
    created_at: episode.createdAt.toISOString(),
    updated_at: episode.updatedAt.toISOString(),
    ...copied(episode),
  }),
);

const reasonOf = ({ failureReason, failureParams }: EpisodeView, ctx: SerializerContext): string | null =>
  failureReason && ctx.translate(`errors:${failureReason}`, failureParams);

/** Once a file is ready, the reason of an episode is about something else. */
function audioOf(episode: EpisodeView, ctx: SerializerContext) {
  const status = audioStatus(episode);
  return { status, error: status === 'ready' ? null : reasonOf(episode, ctx) };
}
