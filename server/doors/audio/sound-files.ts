import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { Zoom } from '../../audio/peaks';
import { describeProblem } from '../../base/problems';
import { promoHashOf, type SoundFileUrl, soundFileOfUrl } from '../../base/public-paths';
import { lookupSoundFiles, type SoundFiles } from '../../domain/listening/sound-files';
import { coverUrls } from '../../domain/media/rules';
import { type RecentRows, recentRows } from '../../http/caches/recent-rows';
import { fileReader } from '../../http/file-reader';
import type { NodeHandler } from '../../http/listener';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject, wholeObject } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import { AUDIO_LIMITS } from '../../limits/listening';
import { VISITOR } from '../../policy/actor';
import type { Runtime } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';
import { listenerTimes, type Shift } from './listener-timeline';

/** The files that visitors get, by episode: a feed's readers request the chapters of many episodes at once. */
export type SoundFileCache = RecentRows<number, SoundFiles>;

export function createSoundFileCache({ db, now }: Pick<Runtime, 'db' | 'now'>): SoundFileCache {
  const { cachedRows: max, rowCachedFor: ttl } = AUDIO_LIMITS;
  return recentRows((episodeId) => lookupSoundFiles({ db, actor: VISITOR, now }, episodeId), { max, ttl });
}

/** Web players on any origin may read these files, like the audio. */
const HEADERS = {
  ...FILE_HEADERS,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
/** Chapters, promos and access can change at any time; unchanged files cost a 304. */
const REVALIDATED = { ...HEADERS, 'cache-control': 'private, no-cache' };

/**
 * Serves `/audio/{episodeId}/chapters.json` (Podcasting 2.0, version 1.2.0), `timeline.json` (the parts of the episode in
 * what the client hears), `peaks.json` (the waveform) and `overview.json` (its coarsest part, for the player) to every
 * listener who may play the episode, as its soundbites, and its promo to every visitor while the episode is locked.
 * @returns whether the URL is one of these files
 */
export function soundFilesDoor(runtime: Runtime, cache: SoundFileCache, trustedProxies = 0): NodeHandler {
  return (req, res) => {
    const wanted = soundFileOfUrl(req.url ?? '');
    if (!wanted) return false;
    noteRoute(res, `/audio/:id/${wanted.file}`);
    if (req.method !== 'GET' && req.method !== 'HEAD') end(res, 405);
    else void deliverFile({ runtime, cache, trustedProxies }, wanted, { req, res });
    return true;
  };
}

type WantedFile = SoundFileUrl;
type FileSources = { runtime: Runtime; cache: SoundFileCache; trustedProxies: number };

async function deliverFile(sources: FileSources, wanted: WantedFile, { req, res }: HttpExchange): Promise<void> {
  const { runtime } = sources;
  const { storage } = runtime.ports;
  try {
    const file = await findFile(sources, wanted, req);
    if (!file) return end(res, 404);
    if (!(await sendObject(storage, file, { req, res }))) runtime.log.error(wanted, 'sound file missing in storage');
  } catch (err) {
    if (describeProblem(err).kind === 'unavailable' && !res.headersSent) return sendUnavailable(res, HEADERS);
    runtime.log.error({ err, ...wanted }, 'sound file delivery failed');
    if (!res.headersSent) end(res, 500);
  }
}

/** Reads the session only if visitors do not get the file. */
async function findFile(sources: FileSources, wanted: WantedFile, req: IncomingMessage) {
  const { runtime, cache } = sources;
  const open = await toSendable(sources, { ...wanted, req }, await cache.find(wanted.episodeId));
  if (open) return open;
  const actor = await fileReader(runtime, wanted.episodeId, req);
  if (!actor) return null;
  const { db, now } = runtime;
  return toSendable(sources, { ...wanted, req }, await lookupSoundFiles({ db, actor, now }, wanted.episodeId));
}

type RequestedFile = WantedFile & { req: IncomingMessage };

async function toSendable(sources: FileSources, requested: RequestedFile, found: SoundFiles | null) {
  const { runtime, trustedProxies } = sources;
  const { file, hash, episodeId, req } = requested;
  if (!found) return null;
  if (file === 'promo') return promoFile(found, hash);
  if (file === 'soundbites') return soundbiteFile(found, hash);
  if (file === 'overview') return overviewFile(runtime, found);
  if (file === 'peaks') return peaksFile(runtime, found);
  const { creatorId, hasInsertions } = found;
  const shift = hasInsertions ? await listenerTimes(runtime, { req, trustedProxies, episodeId, creatorId }) : null;
  if (file === 'timeline') return hasInsertions ? timelineFile(shift) : null;
  return chaptersFile(runtime, shift ? shiftChapters(found.chapters, shift) : found.chapters);
}

/** Another promo has another path, but a deleted one must not be playable from a browser's cache. */
function promoFile({ promo }: SoundFiles, hash: string) {
  return promo && promoHashOf(promo.key) === hash ? storedMp3(promo, hash) : null;
}

function soundbiteFile({ soundbites }: SoundFiles, hash: string) {
  const found = soundbites.find(({ key }) => promoHashOf(key) === hash);
  return found ? storedMp3(found, hash) : null;
}

function storedMp3({ key, bytes }: { key: string; bytes: number }, hash: string) {
  const headers = { ...REVALIDATED, 'content-type': 'audio/mpeg' };
  return { parts: wholeObject(key, bytes), bytes, etag: `"${hash}"`, headers };
}

async function peaksFile({ ports }: Runtime, { peaksKey }: SoundFiles) {
  const stored = peaksKey && (await ports.storage.head(peaksKey));
  if (!stored) return null;
  const headers = { ...REVALIDATED, 'content-type': 'application/json' };
  return { parts: wholeObject(peaksKey, stored.bytes), bytes: stored.bytes, etag: stored.etag, headers };
}

/** A few kilobytes each, and they never change: other audio has another key. */
const overviews = new LRUCache<string, Buffer>({ max: AUDIO_LIMITS.cachedRows });

async function overviewFile({ ports }: Runtime, { peaksKey }: SoundFiles) {
  if (!peaksKey) return null;
  const memory = overviews.get(peaksKey) ?? coarsest(await json(await ports.storage.read(peaksKey)));
  overviews.set(peaksKey, memory);
  return inMemory(memory, 'application/json');
}

function coarsest(waveform: unknown): Buffer {
  const { durationMs, zooms } = waveform as { durationMs: number; zooms: Zoom[] };
  const enough = zooms.findLast(({ peaks }) => peaks.length >= AUDIO_LIMITS.overviewLength) ?? zooms[0];
  return Buffer.from(JSON.stringify({ durationMs, zooms: enough ? [enough] : [] }));
}

/** Chapters inside a passage that is left out disappear. */
function shiftChapters(chapters: SoundFiles['chapters'], shift: Shift): SoundFiles['chapters'] {
  const moved = chapters.map((chapter) => ({ ...chapter, startMs: Math.round(shift(chapter.startMs)) }));
  return moved.filter(({ startMs }, i) => startMs < (moved[i + 1]?.startMs ?? shift.endMs));
}

/** Empty if the client hears the file itself. */
const timelineFile = (shift: Shift | null) =>
  inMemory(Buffer.from(JSON.stringify(shift?.parts ?? [])), 'application/json');

/** Null without chapters, because there is nothing to show. */
function chaptersFile({ urls }: Runtime, chapters: SoundFiles['chapters']) {
  if (chapters.length === 0) return null;
  const list = chapters.map(({ startMs, title, url, imageKey }) => ({
    startTime: startMs / 1000,
    title,
    ...(url ? { url } : {}),
    ...(imageKey ? { img: urls.media(coverUrls(imageKey).jpg) } : {}),
  }));
  return inMemory(Buffer.from(JSON.stringify({ version: '1.2.0', chapters: list })), 'application/json+chapters');
}

function inMemory(memory: Buffer, type: string) {
  const etag = `"${createHash('sha256').update(memory).digest('hex').slice(0, 32)}"`;
  const headers = { ...REVALIDATED, 'content-type': type };
  return { parts: [{ bytes: memory.length, from: { memory } }], bytes: memory.length, etag, headers };
}

function end(res: ServerResponse, status: number): void {
  const allow: Record<string, string> = status === 405 ? { allow: 'GET, HEAD' } : {};
  res.writeHead(status, { ...HEADERS, ...allow, 'content-length': '0', 'cache-control': 'no-store' });
  res.end();
}
