import type { FeedCover, FeedEpisode, FeedShow } from '../model';

/** A stranger's feed in our words, with what may be missing in it. */
export type ImportedFeed = Omit<FeedShow, 'cover' | 'changedAt'> & {
  cover: FeedCover | null;
  changedAt: Date | null;
  /** Who may confirm that the feed is theirs, most trusted first. */
  contacts: FeedContact[];
  episodes: ImportedEpisode[];
};

export type ImportedEpisode = Omit<FeedEpisode, 'publishedAt' | 'audio'> & {
  publishedAt: Date | null;
  /** `bytes` 0: not said. */
  audio: { url: string; bytes: number; type: string };
};

export type FeedContact = { source: 'itunes:owner' | 'managingEditor' | 'podcast:locked'; email: string };

/** Something that had to be read otherwise than it is written; nothing is lost by it. */
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
  | 'address_mended'
  | 'date_irregular'
  | 'duration_irregular'
  | 'guid_derived'
  | 'guid_repeated'
  | 'guid_trimmed'
  | 'enclosure_chosen'
  | 'enclosure_elsewhere'
  | 'enclosure_original'
  | 'length_unknown'
  | 'type_mended'
  | 'type_guessed'
  | 'explicit_irregular'
  | 'category_mended'
  | 'category_elsewhere'
  | 'cover_elsewhere'
  | 'trailer_made_episode'
  | 'language_mended';

/** Something of the feed that the model does not hold. */
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
  | 'item_repeated'
  | 'live_item'
  | 'enclosure_dropped'
  | 'address_unreadable'
  | 'date_unreadable'
  | 'date_missing'
  | 'duration_unreadable'
  | 'number_unreadable'
  | 'type_unknown'
  | 'category_unknown'
  | 'description_cut'
  | 'contact_missing'
  | 'cover_missing'
  | 'payment_tags'
  | 'podcast_tags';

/** How often, and where first: the number of the item (from 1), or 0 for the show. */
export type Note<Kind> = { kind: Kind; count: number; first: number };

export type Reading = {
  /** Null: what came is no feed that a podcast app would show. */
  feed: ImportedFeed | null;
  encoding: string;
  /** Items that stood in it, whether or not they became episodes. */
  items: number;
  repairs: Note<Repair>[];
  losses: Note<Loss>[];
};

/** Collects what was repaired and lost. */
export type Notes = {
  repaired(kind: Repair, item?: number, times?: number): void;
  lost(kind: Loss, item?: number, times?: number): void;
  repairs(): Note<Repair>[];
  losses(): Note<Loss>[];
};

export function takeNotes(): Notes {
  const repairs = new Map<Repair, Note<Repair>>();
  const losses = new Map<Loss, Note<Loss>>();
  return {
    repaired: (kind, item = 0, times = 1) => add(repairs, { kind, count: times, first: item }),
    lost: (kind, item = 0, times = 1) => add(losses, { kind, count: times, first: item }),
    repairs: () => [...repairs.values()],
    losses: () => [...losses.values()],
  };
}

function add<Kind>(notes: Map<Kind, Note<Kind>>, note: Note<Kind>): void {
  const known = notes.get(note.kind);
  if (known) known.count += note.count;
  else notes.set(note.kind, note);
}
