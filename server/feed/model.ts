/**
 * One podcast or audio series as podcast apps read it. Addresses are absolute; titles and names are plain text,
 * descriptions are HTML. A list that is absent is empty. Tag names: RSS 2.0, Apple's and the Podcasting 2.0 namespace.
 */
export type FeedDocument = FeedShow & { episodes: FeedEpisode[] };

/** Everything of a feed that is not an episode. */
export type FeedShow = {
  title: string;
  description: string;
  /** The product's public page. */
  link: string;
  /** Where this feed itself is to be found. */
  self: string;
  /** The next page of a feed in several (RFC 5005). */
  next?: string;
  /** WebSub hub that tells of changes. */
  hub?: string;
  /** Set for good once the feed has moved: podcast apps then follow. */
  movedTo?: string;
  language: string;
  author: string;
  /** Of the person to write to, where it is not the author's. */
  ownerName?: string;
  /** Named only where the creator shows an address, since feeds are read by everyone. */
  ownerEmail?: string;
  copyright?: string;
  cover: FeedCover;
  /** Further pictures: banners, social cards. */
  images?: FeedImage[];
  categories: FeedCategory[];
  explicit: boolean;
  order: 'episodic' | 'serial';
  /** No episode will follow. */
  complete?: boolean;
  /** Podcasting 2.0 identity, the same wherever the feed lives. */
  guid: string;
  /** Whether other hosts are asked not to import it. */
  locked: boolean;
  /** Asks directories to leave it out: private feeds. */
  hidden?: boolean;
  /** What single services are asked: `{ service: 'google', blocked: true }`. */
  blocks?: FeedBlock[];
  /** `podcast` unless said. */
  medium?: string;
  license?: FeedLicense;
  funding?: FeedFunding[];
  persons?: FeedPerson[];
  locations?: FeedLocation[];
  /** podcast:txt: proofs of ownership, disclosures. */
  texts?: FeedText[];
  podroll?: FeedReference[];
  updateFrequency?: FeedFrequency;
  /** Makes it the feed that Spotify takes in for paid content (Spotify Open Access). */
  spotify?: { partner: string; sandbox?: boolean };
  changedAt: Date;
};

export type FeedEpisode = {
  guid: string;
  title: string;
  description: string;
  link: string;
  type: 'full' | 'trailer' | 'bonus';
  /** `type` is audio/mpeg unless said; without a known number of `bytes` an episode is not written (rules.ts). */
  audio: { url: string; bytes: number; type?: string };
  /** Null: not known. */
  durationMs: number | null;
  publishedAt: Date;
  author?: string;
  cover?: string;
  images?: FeedImage[];
  season?: number | null;
  seasonName?: string;
  number?: number | null;
  /** What is shown in place of the number. */
  numberLabel?: string;
  explicit: boolean;
  /** Asks directories to leave this one out. */
  hidden?: boolean;
  license?: FeedLicense;
  /** In place of those of the show, not beside them. */
  persons?: FeedPerson[];
  funding?: FeedFunding[];
  locations?: FeedLocation[];
  texts?: FeedText[];
  transcripts?: FeedTranscript[];
  /** A file of chapters (application/json+chapters unless said). */
  chapters?: { url: string; type?: string };
  /** Chapters in the feed itself, as Podlove writes them. */
  marks?: FeedMark[];
  soundbites?: FeedSoundbite[];
  /** What a listener must own for Spotify to play it; none: everyone may. */
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
