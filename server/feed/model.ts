/**
 * A podcast or audio series as podcast apps read it. URLs are absolute, titles and names are plain text, descriptions
 * are HTML. An absent list is empty. Fields correspond to tags of RSS 2.0, Apple and Podcasting 2.0.
 */
export type FeedDocument = FeedShow & { episodes: FeedEpisode[] };

/** Everything in a feed except its episodes. */
export type FeedShow = {
  title: string;
  description: string;
  /** The product's public page. */
  link: string;
  /** The address of this feed. */
  self: string;
  /** The next page of a paged feed (RFC 5005). */
  next?: string;
  /** A CSS file, so that a browser shows what a feed is. */
  stylesheet?: string;
  /** The WebSub hub that announces changes. */
  hub?: string;
  /** Set permanently once the feed has moved: podcast apps then switch to this address. */
  movedTo?: string;
  language: string;
  author: string;
  /** The name of the contact person, if different from the author. */
  ownerName?: string;
  /** Set only if the creator publishes an address, because feeds are public. */
  ownerEmail?: string;
  copyright?: string;
  cover: FeedCover;
  /** More images: banners, social cards. */
  images?: FeedImage[];
  categories: FeedCategory[];
  explicit: boolean;
  order: 'episodic' | 'serial';
  /** No more episodes will follow. */
  complete?: boolean;
  /** The GUID of Podcasting 2.0, which stays the same if the feed moves. */
  guid: string;
  /** Asks other hosts not to import this feed. */
  locked: boolean;
  /** Asks directories not to list this feed, for private feeds. */
  hidden?: boolean;
  /** Requests to single services: `{ service: 'google', blocked: true }`. */
  blocks?: FeedBlock[];
  /** Default: `podcast`. */
  medium?: string;
  license?: FeedLicense;
  funding?: FeedFunding[];
  persons?: FeedPerson[];
  locations?: FeedLocation[];
  /** podcast:txt, such as proofs of ownership and disclosures. */
  texts?: FeedText[];
  podroll?: FeedReference[];
  updateFrequency?: FeedFrequency;
  /** Makes this a feed for paid content on Spotify (Spotify Open Access). */
  spotify?: { partner: string; sandbox?: boolean };
  changedAt: Date;
};

export type FeedEpisode = {
  guid: string;
  title: string;
  description: string;
  link: string;
  type: 'full' | 'trailer' | 'bonus';
  /** `type` is audio/mpeg by default. An episode without a known size is not written. */
  audio: { url: string; bytes: number; type?: string };
  /** Null if unknown. */
  durationMs: number | null;
  publishedAt: Date;
  author?: string;
  cover?: string;
  images?: FeedImage[];
  season?: number | null;
  seasonName?: string;
  number?: number | null;
  /** Shown instead of the number. */
  numberLabel?: string;
  explicit: boolean;
  /** Asks directories not to list this episode. */
  hidden?: boolean;
  license?: FeedLicense;
  /** Replaces the persons of the show. */
  persons?: FeedPerson[];
  funding?: FeedFunding[];
  locations?: FeedLocation[];
  texts?: FeedText[];
  transcripts?: FeedTranscript[];
  /** A file of chapters, application/json+chapters by default. */
  chapters?: { url: string; type?: string };
  /** Chapters in the feed itself, as Podlove writes them. */
  marks?: FeedMark[];
  soundbites?: FeedSoundbite[];
  /** Entitlements that Spotify requires of a listener. Without any, everyone may listen. */
  entitlements?: string[];
};

export type FeedCategory = { name: string; sub?: string };
export type FeedCover = { url: string; width?: number };
export type FeedImage = {
  url: string;
  alt?: string;
  aspectRatio?: string;
  width?: number;
  height?: number;
  type?: string;
  purpose?: string;
};
export type FeedBlock = { service: string; blocked: boolean };
export type FeedLicense = { name: string; url?: string };
export type FeedFunding = { url: string; text: string };
export type FeedPerson = { name: string; role?: string; group?: string; image?: string; link?: string };
export type FeedLocation = { name: string; rel?: string; geo?: string; osm?: string; country?: string };
export type FeedText = { purpose?: string; text: string };
export type FeedReference = { feedGuid: string; feedUrl?: string; itemGuid?: string; medium?: string; title?: string };
export type FeedFrequency = { text: string; complete?: boolean; startsAt?: string; rule?: string };
export type FeedTranscript = { url: string; type: string; language?: string; rel?: string };
export type FeedMark = { startMs: number; title: string; link?: string; image?: string };
export type FeedSoundbite = { startMs: number; durationMs: number; title?: string };
