import type { ErrorParams } from '~/server/base/errors';
import type { ImportedEpisode, LogEntry, Loss, Repair } from '~/server/feed/reader/model';

/**
 * An import waits for the proof that the feed belongs to the creator, then for one of the places that all imports
 * share. The last four statuses are final.
 */
export const IMPORT_STATUSES = [
  'awaiting_proof',
  'confirmed',
  'in_progress',
  'imported',
  'failed',
  'cancelled',
  'expired',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];
/** A creator has at most one import in these statuses. */
export const OPEN_STATUSES = ['awaiting_proof', 'confirmed', 'in_progress'] as const satisfies ImportStatus[];

/** `imported`: a new episode; `updated`: an episode from an earlier import. */
export const ITEM_STATES = ['waiting', 'imported', 'updated', 'skipped', 'failed'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** A part of an episode that was not copied, and why: the code of an error with its values. */
export type LeftOut = {
  part: 'cover' | 'chapters' | 'chapter_pictures' | 'transcript';
  code: string;
  params: ErrorParams;
};

/** The content of a feed, and the changes that its import would make. */
export type FeedPreview = {
  title: string;
  author: string;
  cover: string | null;
  description: string;
  language: string;
  episodes: number;
  /** The size that the feed states; 0 if it states none. */
  bytes: number;
  oldest: string | null;
  newest: string | null;
  isLocked: boolean;
  repairs: LogEntry<Repair>[];
  losses: LogEntry<Loss>[];
};

/** What a visitor without an account sees of a feed. */
export type ShowPreview = FeedPreview & {
  /** The cover as a data URL. */
  picture: string | null;
  /** The feed has pages that were not read. */
  isPartial: boolean;
  /** The newest episodes; `notes`: the beginning of their text. */
  latest: { title: string; publishedAt: string | null; durationMs: number | null; notes: string }[];
};

type KeptFields = 'guid' | 'title' | 'description' | 'type' | 'audio' | 'cover' | 'season' | 'number' | 'explicit';
type KeptLists = 'persons' | 'transcripts' | 'chapters' | 'marks';
/** The stored data of an episode in the feed, as JSON. */
export type FeedItem = Pick<ImportedEpisode, KeptFields | KeptLists> & { publishedAt: string | null };

/** State of the feed at the former host. `watching`: polled only until it redirects here. */
export type OldFeedState = 'following' | 'watching' | 'ended';
/**
 * `moved`: the feed redirects here. `failing`: it has not answered for days. `unmoved`: it was watched for long enough.
 */
export type OldFeedEnd = 'moved' | 'failing' | 'unmoved';
/** `tag`: `itunes:new-feed-url` names our feed. `temporary`: a redirect that apps do not store. */
export type OldRedirect = 'none' | 'tag' | 'temporary' | 'permanent';
