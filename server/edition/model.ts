/** What the sender fills in per recipient, where `{{name}}` or `{{name|fallback}}` is written (base/merge-fields.ts). */
export const MERGE_FIELDS = ['name', 'unsubscribe'] as const;
export const UNSUBSCRIBE_FIELD = '{{unsubscribe}}';

/** What the button does: `custom` has an address of its own, the others lead to pages of the publication. */
export const BUTTON_ACTIONS = ['custom', 'share', 'subscribe', 'donate'] as const;
export type ButtonAction = (typeof BUTTON_ACTIONS)[number];

/** `src` is a root-relative address of ours. `width` and `height` are in pixels. An empty `alt` is a finding. */
export type PictureBlock = { kind: 'picture'; src: string; alt: string; width: number | null; height: number | null };
/** `href` is empty unless the action is `custom`. An empty label means the usual one of the action. */
export type ButtonBlock = { kind: 'button'; action: ButtonAction; label: string; href: string };

/**
 * A part of an edition's content. `text` has one element of safe HTML: `p`, `h3`, `h4`, `ul`, `ol` or `blockquote`.
 * `free_end` occurs once at most: what follows is for paying subscribers.
 */
export type Block =
  | { kind: 'text'; html: string }
  | PictureBlock
  | { kind: 'divider' }
  | { kind: 'free_end' }
  | ButtonBlock
  | { kind: 'episode'; id: number };

/** Which rendering: `free` ends at the line that divides the content, and invites to subscribe. */
export type EditionPart = 'free' | 'paid';

/** `cover` is an absolute address of a square picture. `minutes` is null while the length is unknown. */
export type EpisodeCard = { title: string; show: string; cover: string | null; minutes: number | null; href: string };

/** `#RRGGBB` each; `buttonText` is legible on `button`. */
export type EditionColours = { button: string; buttonText: string };

/** `footer` has the postal address, one line each. `logo` is an absolute address. */
export type Publication = {
  name: string;
  header: string;
  footer: string;
  logo?: string;
  colours: EditionColours;
};

/** Absolute addresses. */
export type EditionLinks = {
  /** "View in browser"; null for emails that no page shows: the link is left out. */
  view: string | null;
  /** In emails to be sent: `UNSUBSCRIBE_FIELD`, because each recipient has another address. */
  unsubscribe: string;
  share: string;
  subscribe: string;
  /** Null if the creator accepts no donations: such a button is left out. */
  donate: string | null;
  /** A picture for approximate opens, without a recipient unless they agreed to it; none in previews. */
  pixel?: string;
  /** The address that counts a click and leads to `href`. It must not identify a reader unless they agreed to it. */
  click: (href: string) => string;
  /** The absolute address of a picture, of its root-relative `src`. */
  picture: (src: string) => string;
};

/**
 * Everything that a rendering needs. `language` is the language of the content. `blocks` are those of `readBlocks`.
 * `isTracked`: the recipients of this rendering allowed it; others read that nobody watches them.
 */
export type Edition = {
  language: string;
  title: string;
  preheader: string;
  blocks: Block[];
  publication: Publication;
  links: EditionLinks;
  /** By id. A card whose episode is not here is left out. */
  episodes: ReadonlyMap<number, EpisodeCard>;
  isTracked: boolean;
  words: EditionWords;
};

const WORDS = [
  'view',
  'unsubscribe',
  'untracked',
  'tracked',
  'share',
  'subscribe',
  'donate',
  'listen',
  'minutes',
  'paidPart',
  'subscribeToRead',
] as const;

/** The texts that an edition has besides the creator's own. `minutes` contains `{{count}}`. */
export type EditionWords = Record<(typeof WORDS)[number], string>;

/** @param translate the text of a key such as `mail:edition.view`, with its gaps */
export function editionWords(translate: (key: string) => string): EditionWords {
  return Object.fromEntries(WORDS.map((word) => [word, translate(`mail:edition.${word}`)])) as EditionWords;
}
