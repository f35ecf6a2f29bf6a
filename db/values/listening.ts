import type { MachineReason } from '~/server/agents/machines';
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
  facts: PlayFacts;
};

/**
 * The minutes of an episode that a session has heard, by hour of the episode; bit 0 is the first minute of the hour.
 * `since`: when its ticket was issued.
 */
export type HeardReport = {
  creatorId: number;
  productId: number;
  episodeId: number;
  session: string;
  hours: ReadonlyMap<number, bigint>;
  since: Date;
  at: Date;
};

/** The parts of one episode that one listener received. `day`: the UTC day of `at`. */
export type ReceivedParts = {
  day: string;
  episode: AudioLayout & { id: number; creatorId: number; productId: number };
  /** In hexadecimal. */
  listenerKey: string;
  /** The listener's key on the day before; null if nobody downloaded then. */
  formerKey: string | null;
  userAgent: string;
  spans: Span[];
  at: Date;
  facts: PlayFacts;
};

/**
 * The parts of a rendition that one listener received. `neededBytes`: how many of them make a download. `clips`: the bytes
 * of campaigns' clips, by their positions in the arrangement.
 */
export type RenditionParts = Pick<ReceivedParts, 'day' | 'listenerKey' | 'formerKey' | 'spans' | 'at'> & {
  episodeId: number;
  renditionId: string;
  neededBytes: number;
  clips: readonly (Span & { position: number; campaignId: number })[];
  country: string | null;
  app: string;
};

/** An episode fetch that started at the first byte, with a private feed's address. */
export type FeedFetch = { linkId: number; episodeId: number; network: string; app: string; at: Date };

/** A request for an episode's audio by a machine. `agent`: a name of few characters. */
export type MachineRequest = {
  creatorId: number;
  productId: number;
  day: string;
  reason: MachineReason;
  agent: string;
};
