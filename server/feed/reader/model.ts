import type { FeedCover, FeedEpisode, FeedShow } from '../model';

/** A feed of another host as our model, in which some values may be missing. */
export type ImportedFeed = Omit<FeedShow, 'cover' | 'changedAt'> & {
  cover: FeedCover | null;
  changedAt: Date | null;
  /** The people who can prove that they own the feed, most trusted first. */
  contacts: FeedContact[];
  episodes: ImportedEpisode[];
};

export type ImportedEpisode = Omit<FeedEpisode, 'publishedAt' | 'audio'> & {
  publishedAt: Date | null;
  /** `bytes` is 0 if unknown. */
  audio: { url: string; bytes: number; type: string };
};

export type FeedContact = { source: 'itunes:owner' | 'managingEditor' | 'podcast:locked'; email: string };

/** A part of the feed that the reader corrected or reinterpreted, without losing anything. */
export type Repair =
  | 'encoding_other_than_declared'
  | 'encoding_unknown'
  | 'encoding_guessed'
  | 'bytes_invalid'
  | 'space_before_declaration'
  | 'junk_before_declaration'
  | 'markup_broken'
  | 'ampersand_bare'
  | 'entity_unknown'
  | 'namespace_undeclared'
  | 'namespace_misspelt'
  | 'name_in_capitals'
  | 'cdata_unclosed'
  | 'tags_unclosed'
  | 'text_doubly_encoded'
  | 'markup_in_title'
  | 'title_derived'
  | 'url_fixed'
  | 'date_irregular'
  /** Such dates are read as UTC. */
  | 'zone_unknown'
  | 'duration_irregular'
  | 'guid_derived'
  | 'guid_duplicate'
  | 'guid_trimmed'
  | 'enclosure_chosen'
  | 'enclosure_elsewhere'
  | 'enclosure_original'
  | 'length_unknown'
  | 'length_irregular'
  | 'type_repaired'
  | 'type_guessed'
  | 'explicit_irregular'
  | 'category_repaired'
  | 'category_elsewhere'
  | 'cover_elsewhere'
  | 'trailer_made_episode'
  | 'language_repaired';

/** A part of the feed that the model does not contain. */
export type Loss =
  | 'feed_too_large'
  | 'too_many_tags'
  | 'text_too_long'
  | 'too_deep'
  | 'too_many_attributes'
  | 'too_many_items'
  | 'list_too_long'
  | 'doctype_ignored'
  | 'item_without_audio'
  | 'item_duplicate'
  | 'live_item'
  | 'enclosure_dropped'
  | 'url_unreadable'
  | 'date_unreadable'
  | 'date_missing'
  | 'duration_unreadable'
  | 'number_unreadable'
  | 'type_unknown'
  | 'category_unknown'
  | 'description_cut'
  | 'description_dropped'
  | 'contact_missing'
  | 'cover_missing'
  | 'payment_tags'
  | 'podcast_tags'
  /** The feed's host did not deliver a further page. */
  | 'page_missing'
  /** The feed's host did not deliver the show's cover. */
  | 'cover_unavailable';

/**
 * `first` is the number of the first item concerned (from 1), or 0 for the show. `percent`: how much of the texts
 * concerned is lost, where that is known.
 */
export type LogEntry<Kind> = { kind: Kind; count: number; first: number; percent?: number };

export type ParseResult = {
  /** Null if the document is not a feed that a podcast app would show. */
  feed: ImportedFeed | null;
  encoding: string;
  /** Number of items, whether or not they became episodes. */
  items: number;
  repairs: LogEntry<Repair>[];
  losses: LogEntry<Loss>[];
};

/** Collects repairs and losses. */
export type ParseLog = {
  repaired(kind: Repair, item?: number, times?: number): void;
  lost(kind: Loss, item?: number, times?: number): void;
  repairs(): LogEntry<Repair>[];
  losses(): LogEntry<Loss>[];
};

export function createParseLog(): ParseLog {
  const repairs = new Map<Repair, LogEntry<Repair>>();
  const losses = new Map<Loss, LogEntry<Loss>>();
  return {
    repaired: (kind, item = 0, times = 1) => addNote(repairs, { kind, count: times, first: item }),
    lost: (kind, item = 0, times = 1) => addNote(losses, { kind, count: times, first: item }),
    repairs: () => [...repairs.values()],
    losses: () => [...losses.values()],
  };
}

function addNote<Kind>(log: Map<Kind, LogEntry<Kind>>, note: LogEntry<Kind>): void {
  const known = log.get(note.kind);
  if (known) known.count += note.count;
  else log.set(note.kind, note);
}
