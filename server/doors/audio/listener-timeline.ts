import type { IncomingMessage } from 'node:http';
import type { ListenerDoor } from '~/db/values/insertions';
import { timeOf } from '../../audio/frame-header';
import { toRendition } from '../../audio/timeline';
import { feedAccessOf } from '../../base/public-paths';
import { linkOfAccess } from '../../domain/feeds/feed-access';
import { lookupHeld } from '../../domain/insertions/hold-rendition';
import { type BuiltRendition, lookupRendition } from '../../domain/insertions/renditions';
import { lookupServed } from '../../domain/insertions/served-lengths';
import { saltedKeys } from '../../domain/listening/downloads';
import { sourceOfAudio } from '../../domain/listening/sources';
import { fileReader } from '../../http/file-reader';
import { nodeClientAddress } from '../../http/request-context';
import { worksFor } from '../../policy/actor';
import type { Runtime } from '../../runtime/runtime';
import { keepsRendition, promisedSince } from './promised-listeners';

/** An episode with insertions, for which a client asks. */
export type TimedRequest = { req: IncomingMessage; trustedProxies: number; episodeId: number; creatorId: number };

/** Moves a time of an episode, in ms, to what the client hears; a passage that is left out has no length there. */
export type Shift = { (episodeMs: number): number; endMs: number; parts: HeardPart[] };
/** A part of an episode in what a client hears: its starts there and in the episode, and its length, all in seconds. */
export type HeardPart = { heard: number; episode: number; seconds: number };

/**
 * The times of the rendition that a client has begun within the last day; without one, of what is served now at its door.
 * Null if the client hears the file itself, as the creator's team does.
 */
export async function listenerTimes(
  runtime: Runtime,
  { req, trustedProxies, episodeId, creatorId }: TimedRequest,
): Promise<Shift | null> {
  const { headers } = req;
  const address = nodeClientAddress(req, trustedProxies);
  const client = { address, userAgent: headers['user-agent'] ?? '', referrer: headers.referer };
  const keys = await saltedKeys(runtime.recorders, client, runtime.now());
  const held = await lookupHeld(runtime, episodeId, keys);
  const promised = await promisedSince(runtime, episodeId, req);
  const begun = held && (await lookupRendition(runtime, episodeId, held.renditionId));
  const asked = { req, episodeId, creatorId, isPromised: promised !== null };
  const found =
    held && begun && keepsRendition(promised, begun, held.beganAt)
      ? begun
      : await servedTo(runtime, asked, client.referrer);
  if (!found) return null;
  const { timeline, durationMs } = found;
  return Object.assign((ms: number) => toRendition(timeline, ms), { endMs: durationMs, parts: partsOf(found) });
}

function partsOf({ timeline }: BuiltRendition): HeardPart[] {
  const seconds = (frames: number) => timeOf(timeline, frames) / 1000;
  return timeline.parts
    .filter(({ role }) => role === 'episode')
    .map(({ start, from, frames }) => ({ heard: seconds(start), episode: seconds(from), seconds: seconds(frames) }));
}

async function servedTo(
  runtime: Runtime,
  { req, episodeId, creatorId, isPromised }: Omit<TimedRequest, 'trustedProxies'> & { isPromised: boolean },
  referrer: string | undefined,
): Promise<BuiltRendition | null> {
  const { url = '', headers } = req;
  const access = feedAccessOf(url);
  const served = async (door: ListenerDoor) => {
    const id = await lookupServed(runtime, episodeId, door);
    return id === null ? null : lookupRendition(runtime, episodeId, id);
  };
  if (access !== null && linkOfAccess(runtime, access, episodeId) !== null) return served('private_feed');
  const actor = headers.cookie ? await fileReader(runtime, episodeId, req) : null;
  if (actor && worksFor(actor, creatorId)) return null;
  // what is played to those whom the show promises no insertions is the same at all doors
  if (isPromised) return served('private_feed');
  const source = sourceOfAudio(runtime.urls, url, { referrer, fetchSite: headers['sec-fetch-site']?.toString() });
  return served(source === 'player' || source === 'embed' ? 'web_player' : 'public_feed');
}
