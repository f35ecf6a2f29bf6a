import type { TakeDown } from '~/db/values/take-downs';
import type { RunStatus } from '~/db/values/transcription';
import type { ErrorParams } from '../../base/errors';
import { pick } from '../../base/fields';
import { waveformPath } from '../../base/public-paths';
import { later } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { KindName } from '../products/kinds';
import { shownDescription } from './description-html';
import { type EpisodeRecord, type EpisodeRow, factsOf } from './queries';
import { type ReplacementView, toReplacementView, uploadToCheck } from './replace-audio';
import { EPISODE_FLAGS, formerReleaseOf } from './rules';

/**
 * All users who may see the episode see these fields as stored. The REST contract marks owner-only fields, and
 * `sendEmail` is not one of them, so all users get it.
 */
const PUBLIC_FIELDS = [
  'id',
  'productId',
  'name',
  'slug',
  'type',
  'status',
  'earlyUntil',
  'sendEmail',
  'season',
  'number',
  'people',
  'createdAt',
  'updatedAt',
  ...EPISODE_FLAGS,
] as const satisfies (keyof EpisodeRow)[];

/** An episode in the view of one actor, at every door. */
export type EpisodeView = Pick<EpisodeRow, (typeof PUBLIC_FIELDS)[number]> & {
  /** Sanitized HTML, with links. */
  description: string;
  kind: KindName;
  cover: CoverUrls;
  hasOwnCover: boolean;
  /** URL of the audio; null without access. */
  url: string | null;
  hasTranscript: boolean;
  hasAccess: boolean;
  /** When the show's drip opens the episode to the caller, who waits for it. */
  availableAt: Date | null;
  /** Path of the peaks; null without access, and until they are measured. */
  waveform: string | null;
  /** Up to 30 seconds that promote the episode; null if the caller may not hear them. */
  promo: { url: string; durationSeconds: number } | null;
  durationSeconds: number | null;
  fileSize: number | null;
  releaseDate: Date | null;
  product: { id: number; kind: KindName; name: string; slug: string };
  creator: { id: number; name: string; domain: string };
} & OwnerFields;

/** Null or empty for all users but the owner. */
type OwnerFields = {
  /** The saved text, for its form: `description` has links for every web address. */
  writtenDescription: string | null;
  privateNote: string | null;
  /** The episode is on hold, or will be once its file has been checked. */
  isHeld: boolean;
  /** The date that the episode keeps when it is published again. */
  formerReleaseDate: Date | null;
  bitrate: number | null;
  /** Loudness in LUFS. */
  loudness: number | null;
  fileName: string | null;
  /** The format of the uploaded file, if it was converted. */
  convertedFrom: string | null;
  /** The code of the error that keeps the audio from being published, or a new file from replacing it. */
  failureReason: string | null;
  failureParams: ErrorParams;
  warnings: string[];
  /** Why an operator has taken the episode down; null if it is not taken down. */
  takeDown: TakeDown | null;
  replacement: ReplacementView | null;
  /** The host from which its audio, or a replacement, is being fetched. */
  fetchedFrom: string | null;
  /** The state of the last transcription by an engine. */
  transcription: RunStatus | null;
};

type Viewer = Pick<Ctx, 'actor' | 'urls'> & { client?: Pick<Ctx['client'], 'channel'> };

/** What the caller gets now, with the clips in it. Clients of REST get what apps get; the team gets the file itself. */
function lengthOf({ client }: Viewer, { episode, served }: EpisodeRecord, isOwner: boolean) {
  const heard = isOwner ? undefined : served?.[client?.channel === 'rest' ? 'public_feed' : 'web_player'];
  const durationMs = heard?.durationMs ?? episode.durationMs;
  return {
    durationSeconds: durationMs === null ? null : durationMs / 1000,
    fileSize: heard?.bytes ?? episode.audioBytes,
  };
}

export function toEpisodeView(ctx: Viewer, record: EpisodeRecord): EpisodeView {
  const { episode, product, creator } = record;
  const hasAccess = may(ctx, 'episode.play', factsOf(record));
  const isOwner = may(ctx, 'episode.read', episode);
  return {
    description: shownDescription(episode, ctx.urls.episode(creator.domain, product.slug, episode.slug)),
    kind: product.kind,
    cover: coverUrls(episode.coverKey ?? product.coverKey),
    hasOwnCover: episode.coverKey !== null,
    url: hasAccess ? ctx.urls.audio(episode.id, episode.slug) : null,
    hasAccess,
    availableAt: hasAccess || record.availableAt === null ? null : new Date(record.availableAt),
    waveform: hasAccess && episode.peaksKey ? waveformPath(episode.id) : null,
    promo: toPromoView(ctx, record),
    hasTranscript: record.hasTranscript,
    releaseDate: episode.releaseAt,
    product: pick(product, ['id', 'kind', 'name', 'slug']),
    creator: pick(creator, ['id', 'name', 'domain']),
    // last, because spreads before other fields take twenty times as long (decision 0119)
    ...lengthOf(ctx, record, isOwner),
    ...ownerFields(record, isOwner),
    ...pick(episode, PUBLIC_FIELDS),
  };
}

function toPromoView(ctx: Pick<Ctx, 'actor' | 'urls'>, record: EpisodeRecord): EpisodeView['promo'] {
  const { episode, promo } = record;
  if (!promo || !may(ctx, 'episode.play_promo', factsOf(record))) return null;
  return { url: ctx.urls.promo(episode.id, promo.key), durationSeconds: promo.durationMs / 1000 };
}

/** A deleted episode, for its owner. */
export type DeletedView = Pick<EpisodeRow, 'id' | 'productId' | 'name' | 'type'> & {
  kind: KindName;
  deletedAt: Date;
  /** The end of the time for restoring it. */
  restorableUntil: Date;
};

export function toDeletedView({ episode, product }: EpisodeRecord): DeletedView {
  const deletedAt = episode.deletedAt ?? episode.updatedAt;
  const restorableUntil = later(deletedAt, EPISODE_LIMITS.restorable);
  return { ...pick(episode, ['id', 'productId', 'name', 'type']), kind: product.kind, deletedAt, restorableUntil };
}

const NO_OWNER_FIELDS: OwnerFields = {
  writtenDescription: null,
  privateNote: null,
  isHeld: false,
  formerReleaseDate: null,
  bitrate: null,
  loudness: null,
  fileName: null,
  convertedFrom: null,
  failureReason: null,
  failureParams: {},
  warnings: [],
  takeDown: null,
  replacement: null,
  fetchedFrom: null,
  transcription: null,
};

function ownerFields({ episode, transcription, fetch }: EpisodeRecord, isOwner: boolean): OwnerFields {
  if (!isOwner) return NO_OWNER_FIELDS;
  return {
    writtenDescription: episode.description,
    loudness: episode.loudnessTenths === null ? null : episode.loudnessTenths / 10,
    isHeld: episode.heldAt !== null,
    formerReleaseDate: formerReleaseOf(episode),
    warnings: episode.audioWarnings,
    replacement: toReplacementView(episode),
    fetchedFrom: fetch && uploadToCheck(episode) === fetch.uploadKey ? fetch.host : null,
    transcription,
    ...pick(episode, [
      'privateNote',
      'bitrate',
      'fileName',
      'convertedFrom',
      'failureReason',
      'failureParams',
      'takeDown',
    ]),
  };
}
