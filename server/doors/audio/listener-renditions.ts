import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ListenerDoor } from '~/db/values/insertions';
import { feedAccessOf, withRendition } from '../../base/public-paths';
import { later } from '../../base/time';
import { linkOfAccess } from '../../domain/feeds/feed-access';
import { type Held, holdRendition, lookupHeld } from '../../domain/insertions/hold-rendition';
import { type InsertableEpisode, loadInsertables } from '../../domain/insertions/insertables';
import { type BuiltRendition, lookupRendition } from '../../domain/insertions/renditions';
import { hasBegun, type ListenerKeys, saltedKeys } from '../../domain/listening/downloads';
import type { Enclosure } from '../../domain/listening/enclosure';
import { describePlay } from '../../domain/listening/play-facts';
import { networkPrefix } from '../../domain/listening/rules';
import { sourceOfAudio } from '../../domain/listening/sources';
import { fileReader } from '../../http/file-reader';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { worksFor } from '../../policy/actor';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import type { Elsewhere } from './audio';
import { keepsRendition, promisedSince } from './promised-listeners';

/** A request for the audio of an episode that the client may hear. `isOwn`: visitors may not hear it. */
export type AudioRequest = { req: IncomingMessage; address: string; enclosure: Enclosure; isOwn: boolean };
export type ListenerRenditions = {
  /** Where the client gets what it has begun, or what is chosen for it now; null for the file itself. */
  choose(request: AudioRequest): Promise<Elsewhere | null>;
  /** The rendition that an address names, or the address without it. */
  find(request: AudioRequest, renditionId: string): Promise<BuiltRendition | Elsewhere>;
};

/**
 * Decides which rendition of an episode each listener gets. A listener who has begun keeps the same bytes for 24 hours,
 * also if those are the file's own.
 */
export function listenerRenditions(runtime: Runtime): ListenerRenditions {
  const held = new LRUCache<string, Held>({ max: RENDITION_LIMITS.held, ttl: RENDITION_LIMITS.window });
  const kept = new LRUCache<string, number>({ max: RENDITION_LIMITS.held, ttl: RENDITION_LIMITS.window });
  const loaded = new WeakMap<Enclosure, Promise<InsertableEpisode | undefined>>();
  const ctx = { ...systemCtx(runtime, 'audio'), now: () => runtime.now() };

  /** One enclosure serves many requests for a second. */
  function insertableOf(enclosure: Enclosure): Promise<InsertableEpisode | undefined> {
    const { id, productId } = enclosure.episode;
    const known = loaded.get(enclosure);
    const found = known ?? loadInsertables(runtime, productId, [id]).then(([episode]) => episode);
    loaded.set(enclosure, found);
    found.catch(() => loaded.delete(enclosure));
    return found;
  }

  async function heldBy(episodeId: number, keys: ListenerKeys): Promise<Held | null> {
    const key = `${episodeId} ${keys.listenerKey}`;
    const known = held.get(key);
    if (known !== undefined) return known;
    const found = await lookupHeld(runtime, episodeId, keys);
    if (found) keepHeld(key, found);
    return found;
  }

  function keepHeld(key: string, found: Held): void {
    const ttl = later(found.beganAt, RENDITION_LIMITS.window).getTime() - runtime.now().getTime();
    if (ttl > 0) held.set(key, found, { ttl });
  }

  /** So that changing user agents at one address can neither use up a cap nor write rows without limit. */
  function mayKeep(episodeId: number, address: string): boolean {
    const key = `${episodeId} ${networkPrefix(address)}`;
    const count = kept.get(key) ?? 0;
    if (count < RENDITION_LIMITS.perAddress) kept.set(key, count + 1, { noUpdateTTL: true });
    return count < RENDITION_LIMITS.perAddress;
  }

  async function choiceFor({ req, address, enclosure, isOwn }: AudioRequest): Promise<string | null> {
    const { id } = enclosure.episode;
    const at = runtime.now();
    const { url = '', headers } = req;
    const client = { address, userAgent: headers['user-agent'] ?? '', referrer: headers.referer };
    const keys = await saltedKeys(runtime.recorders, client, at);
    const promised = enclosure.insertionFreeSince && (await promisedSince(runtime, id, req));
    const known = await heldBy(id, keys);
    if (known !== null) {
      const begun = await lookupRendition(runtime, id, known.renditionId);
      if (!begun || keepsRendition(promised, begun, known.beganAt)) return begun && known.renditionId;
    }
    const episode = await insertableOf(enclosure);
    if (!episode || (await worksForCreator(runtime, req, enclosure))) return null;
    if (known === null && (await hasBegun(runtime, id, keys, at))) return null;
    const fetchSite = headers['sec-fetch-site']?.toString();
    const source = sourceOfAudio(runtime.urls, url, { referrer: client.referrer, fetchSite });
    const { facts, machine } = await describePlay(runtime, client, source);
    const isPlayer = source === 'player' || source === 'embed';
    const door: ListenerDoor = isFeedListener(runtime, url, id)
      ? 'private_feed'
      : isPlayer || isOwn
        ? 'web_player'
        : 'public_feed';
    const { country, app } = facts;
    const isKept = mayKeep(id, address);
    const who = { country, app, isSubscriber: promised !== null, isMachine: machine !== null, isKept };
    const chosen = await holdRendition(ctx, episode, { ...keys, door, ...who });
    if (!chosen) return null;
    const renditionId = 'renditionId' in chosen ? chosen.renditionId : chosen.id;
    if (isKept && known === null)
      keepHeld(`${id} ${keys.listenerKey}`, 'beganAt' in chosen ? chosen : { renditionId, beganAt: at });
    return renditionId;
  }

  return {
    async choose(request) {
      const { req, enclosure } = request;
      const { id } = enclosure.episode;
      const url = req.url ?? '';
      const wanted = /^"([0-9a-f]+)"$/.exec(req.headers['if-range']?.toString() ?? '')?.[1];
      if (wanted?.length === RENDITION_LIMITS.id && (await lookupRendition(runtime, id, wanted)))
        return { location: withRendition(url, wanted) };
      if (!enclosure.hasInsertions || wanted === enclosure.sha256) return null;
      const chosen = await choiceFor(request);
      return chosen === null ? null : { location: withRendition(url, chosen) };
    },
    async find({ req, enclosure }, renditionId) {
      const found = await lookupRendition(runtime, enclosure.episode.id, renditionId);
      return found ?? { location: withRendition(req.url ?? '', null) };
    },
  };
}

const isFeedListener = (runtime: Runtime, url: string, episodeId: number): boolean => {
  const access = feedAccessOf(url);
  return access !== null && linkOfAccess(runtime, access, episodeId) !== null;
};

/** The creator's team hears the episode as it is, also at an address that every visitor may use. */
async function worksForCreator(runtime: Runtime, req: IncomingMessage, { episode }: Enclosure): Promise<boolean> {
  if (!req.headers.cookie) return false;
  const actor = await fileReader(runtime, episode.id, req);
  return actor !== null && worksFor(actor, episode.creatorId);
}
