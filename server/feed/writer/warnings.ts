/** A part that the written feed lacks, with the GUID of its episode (null: the show). */
export type FeedWarning =
  /** The text is longer than directories accept. */
  | { kind: 'description_cut' | 'notes_cut'; guid: string | null; bytes: number }
  /** The episode is left out: an enclosure must state the size of its file, and 0 would be false. */
  | { kind: 'length_unknown'; guid: string };

export type Warn = (warning: FeedWarning) => void;
