import type { IncomingMessage } from 'node:http';
import { describeProblem } from '../../base/problems';
import { feedAccessOf, previewTokenOf, spotifyAccessOf } from '../../base/public-paths';
import type { BuiltRendition } from '../../domain/insertions/renditions';
import { type Delivery, recordDelivery } from '../../domain/listening/downloads';
import { type Enclosure, lookupEnclosure, lookupPreviewed } from '../../domain/listening/enclosure';
import { recordFeedFetch } from '../../domain/listening/feed-fetches';
import { sourceOfAudio } from '../../domain/listening/sources';
import { lookupSpotifyAudio } from '../../domain/spotify/distribution-feed';
import type { EnclosureCache } from '../../http/caches/enclosure-cache';
import { fileReader } from '../../http/file-reader';
import type { NodeHandler } from '../../http/listener';
import { nodeClientAddress } from '../../http/request-context';
import type { Runtime } from '../../runtime/runtime';
import { createAudioDoor, type Delivered } from './audio';
import { listenerRenditions } from './listener-renditions';

export type AudioSettings = { trustedProxies: number; enclosures: EnclosureCache };

/** What a request gets; `rendition` is null for the file itself. */
type Found = { enclosure: Enclosure; address: string; rendition: BuiltRendition | null };

/** Serves audio to users with access, and counts each delivery after its last byte. */
export function episodeAudioDoor(runtime: Runtime, { trustedProxies, enclosures }: AudioSettings): NodeHandler {
  const found = new WeakMap<IncomingMessage, Found>();
  const renditions = listenerRenditions(runtime);
  return createAudioDoor({
    store: runtime.ports.storage,
    log: runtime.log,
    async lookup(episodeId, req, renditionId) {
      // read before sending: players close the socket with the last byte, and a closed socket has no address
      const address = nodeClientAddress(req, trustedProxies);
      const token = previewTokenOf(req.url ?? '');
      // previews are not counted, and no player keeps them
      if (token !== null) return lookupPreview(runtime, episodeId, token);
      const distributed = spotifyAccessOf(req.url ?? '');
      if (distributed !== null) return lookupSpotifyAudio(runtime, distributed, episodeId);
      const shared = await enclosures.find(episodeId);
      const enclosure = shared ?? (await lookupOwn(runtime, episodeId, req));
      if (!enclosure) return null;
      const isOwn = shared === null;
      const request = { req, address, enclosure, isOwn };
      const chosen = renditionId ? await renditions.find(request, renditionId) : await renditions.choose(request);
      if (chosen && 'location' in chosen) return chosen;
      found.set(req, { enclosure, address, rendition: chosen });
      if (!chosen) return { ...enclosure, isOwn };
      const { bytes, id: sha256, segments } = chosen;
      return { bytes, sha256, segments, isOwn };
    },
    onDelivered(delivered, req) {
      const entry = found.get(req);
      if (entry) runtime.recorders.follow(countDelivery(runtime, entry, delivered, req));
    },
    onBegun: runtime.recorders.follow,
  });
}

async function lookupPreview(runtime: Runtime, episodeId: number, token: string) {
  const found = await lookupPreviewed(runtime, episodeId, token).catch((error) => {
    if (describeProblem(error).kind === 'expired') return null;
    throw error;
  });
  return found && { ...found, isPreview: true };
}

/** Most episodes are public, so we read the session only if visitors have no access. */
async function lookupOwn(runtime: Runtime, episodeId: number, req: IncomingMessage): Promise<Enclosure | null> {
  const actor = await fileReader(runtime, episodeId, req);
  return actor && lookupEnclosure({ db: runtime.db, actor, now: runtime.now }, episodeId);
}

const layoutOf = ({ bytes, headBytes, durationMs }: BuiltRendition) => ({ bytes, headBytes, durationMs });

async function countDelivery(
  runtime: Runtime,
  { enclosure, rendition, address }: Found,
  { start, end, sent }: Delivered,
  { method = 'GET', headers, url = '' }: IncomingMessage,
): Promise<void> {
  const episode = rendition ? { ...enclosure.episode, ...layoutOf(rendition) } : enclosure.episode;
  const isPart = headers.range !== undefined;
  const { 'user-agent': userAgent = '', referer: referrer } = headers;
  const fetchSite = headers['sec-fetch-site']?.toString();
  const delivery: Delivery = {
    episode,
    method,
    status: isPart ? 206 : 200,
    requested: isPart ? { from: start, to: end + 1 } : null,
    delivered: { from: start, to: start + sent },
    client: { address, userAgent, referrer },
    source: sourceOfAudio(runtime.urls, url, { referrer, fetchSite }),
    ...(rendition && { rendition: { id: rendition.id, clips: rendition.clips } }),
  };
  const access = feedAccessOf(url);
  try {
    await Promise.all([
      recordDelivery(runtime, delivery),
      access !== null && recordFeedFetch(runtime, delivery, access),
    ]);
  } catch (err) {
    runtime.log.error({ err, episodeId: episode.id }, 'download not counted');
  }
}
