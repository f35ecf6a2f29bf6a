import type { ImportedEpisode, LogEntry, Loss, Repair } from '~/server/feed/reader/model';

/**
 * An import waits for the proof that the feed belongs to the creator, then for one of the places that all imports share.
 * The last four are final.
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
/** A creator has one import in these at a time. */
export const OPEN_STATUSES = ['awaiting_proof', 'confirmed', 'in_progress'] as const satisfies ImportStatus[];

/** `imported`: a new episode; `updated`: one that an earlier import has created. */
export const ITEM_STATES = ['waiting', 'imported', 'updated', 'skipped', 'failed'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** What a feed contains, and what its import would change. */
export type FeedPreview = {
  title: string;
  author: string;
  cover: string | null;
  description: string;
  language: string;
  episodes: number;
  /** As the feed states them; 0 if it states none. */
  bytes: number;
  oldest: string | null;
  newest: string | null;
  isLocked: boolean;
  repairs: LogEntry<Repair>[];
  losses: LogEntry<Loss>[];
};

type KeptFields = 'guid' | 'title' | 'description' | 'type' | 'audio' | 'cover' | 'season' | 'number' | 'explicit';
type KeptLists = 'persons' | 'transcripts' | 'chapters' | 'marks';
/** What an import keeps of an episode in the feed, as JSON. */
export type FeedItem = Pick<ImportedEpisode, KeptFields | KeptLists> & { publishedAt: string | null };

/** Of the feed at the former host. `watching`: only until it redirects here. */
export type OldFeedState = 'following' | 'watching' | 'ended';
/** `moved`: it redirects here. `failing`: it has not answered for days. `unmoved`: it was watched for long enough. */
export type OldFeedEnd = 'moved' | 'failing' | 'unmoved';
/** `tag`: `itunes:new-feed-url` names our feed. `temporary`: a redirect that apps do not remember. */
export type OldRedirect = 'none' | 'tag' | 'temporary' | 'permanent';
