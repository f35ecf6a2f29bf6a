import type { PlayFacts } from './statistics';

/** A range of bytes; `to` is exclusive. */
export type Span = { from: number; to: number };

/** The facts about an episode's file for the one-minute rule. `headBytes`: tags and cover before the audio. */
export type AudioLayout = { bytes: number; headBytes: number; durationMs: number };

/** One listen of the web player. */
export type Listen = {
  creatorId: number;
  productId: number;
  episodeId: number;
  session: string;
  at: Date;
  facts?: PlayFacts;
};

/** The parts of one episode that one listener received on one UTC day. */
export type ReceivedParts = {
  day: string;
  episode: AudioLayout & { id: number; creatorId: number; productId: number };
  /** In hexadecimal. */
  listenerKey: string;
  userAgent: string;
  spans: Span[];
  at: Date;
  isFromOldFeed?: boolean;
  facts?: PlayFacts;
};

/** An episode fetch that started at the first byte, with a private feed's address. */
export type FeedFetch = { linkId: number; episodeId: number; network: string; app: string; at: Date };
