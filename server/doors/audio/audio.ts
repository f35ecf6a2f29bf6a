import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ObjectStore } from '../../adapters/storage/port';
import { describeProblem } from '../../base/problems';
import { audioOfUrl } from '../../base/public-paths';
import type { FilePart } from '../../http/body-sections';
import { matchesTag } from '../../http/byte-ranges';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, type SendableFile, type SentRange, sendObject, wholeObject } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import type { Log } from '../../watching/log';
import { noteRoute } from '../../watching/observed-response';
import { type FindModification, modificationTimes } from './modified-at';

/** The audio of an episode that the client may hear: a stored file, or a rendition of it. */
export type Enclosure = {
  bytes: number;
  /** Hash of the audio's content, in hexadecimal. */
  sha256: string;
  /** Only this client may hear it, not every visitor. */
  isOwn?: boolean;
  /** The episode may not be published yet, so nothing may cache the audio. */
  isPreview?: boolean;
} & ({ objectKey: string } | { segments: readonly FilePart[] });

/** The address of what the client gets; its answer may differ for each client and moment. */
export type Elsewhere = { location: string };

export type Delivered = SentRange & { episodeId: number };

export type AudioDoor = {
  store: ObjectStore;
  log: Log;
  /**
   * Null if it does not exist or the client has no access. `renditionId`: the rendition that the address names, if any.
   */
  lookup(episodeId: number, req: IncomingMessage, renditionId: string | null): Promise<Enclosure | Elsewhere | null>;
  /**
   * Called once per range after a GET's last byte, complete or aborted. Never before, so that counting does not delay
   * the listener.
   */
  onDelivered(delivered: Delivered, req: IncomingMessage): void;
  /** Gets each answer when it begins; resolves after `onDelivered`. */
  onBegun?(delivery: Promise<void>): void;
};

/** Web players on any origin may read the bytes, including ranges. */
const PUBLIC_HEADERS = {
  ...FILE_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag, last-modified',
  'cross-origin-resource-policy': 'cross-origin',
};
const PREFLIGHT = {
  ...PUBLIC_HEADERS,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'range, if-range, if-none-match, if-modified-since',
  'access-control-max-age': '86400',
};
const AUDIO_HEADERS = {
  ...PUBLIC_HEADERS,
  'content-type': 'audio/mpeg',
  // a shared cache would hide downloads from the creator's counts; a player's own copy is fine while the ETag is valid
  'cache-control': 'private, max-age=3600',
  // a buffering proxy would read the whole file for a client that plays one second
  'x-accel-buffering': 'no',
};

/** Browsers ask every time, so they play nothing after the user logs out or loses access. */
const OWN_AUDIO_HEADERS = { ...AUDIO_HEADERS, 'cache-control': 'private, no-cache', vary: 'cookie' };
const PREVIEW_HEADERS = { ...AUDIO_HEADERS, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

/**
 * Serves `/audio/{episodeId}/{name}.mp3`, and `/audio/{episodeId}/{rendition}/{name}.mp3` with clips in it; the name does
 * not matter. @returns whether the URL is one of audio
 */
export function createAudioDoor(door: AudioDoor) {
  const findModification = modificationTimes(door.store);
  const { onBegun: follow = () => {} } = door;
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const wanted = audioOfUrl(req.url ?? '');
    if (wanted === null) return false;
    noteRoute(res, wanted.renditionId === null ? '/audio/:id/:name.mp3' : '/audio/:id/:rendition/:name.mp3');
    if (req.method === 'OPTIONS') end(res, 204, PREFLIGHT);
    else if (req.method !== 'GET' && req.method !== 'HEAD')
      end(res, 405, { ...PUBLIC_HEADERS, allow: 'GET, HEAD, OPTIONS' });
    else follow(deliverAudio({ ...door, findModification }, wanted, { req, res }));
    return true;
  };
}

type DatedDoor = AudioDoor & { findModification: FindModification };

async function deliverAudio(
  door: DatedDoor,
  { episodeId, renditionId }: NonNullable<ReturnType<typeof audioOfUrl>>,
  { req, res }: HttpExchange,
): Promise<void> {
  try {
    const found = await door.lookup(episodeId, req, renditionId);
    if (!found) return end(res, 404, { ...PUBLIC_HEADERS, 'cache-control': 'no-store' });
    if ('location' in found)
      return end(res, 302, { ...PUBLIC_HEADERS, 'cache-control': 'no-store', location: found.location });
    const onSent = (sent: SentRange[]) => {
      for (const part of sent) door.onDelivered({ episodeId, ...part }, req);
    };
    const file = await withModification(door, toSendableFile(found), req);
    const isComplete = await sendObject(door.store, { onSent, ...file }, { req, res });
    if (!isComplete) door.log.error({ episodeId }, 'audio missing in storage');
  } catch (err) {
    if (describeProblem(err).kind === 'unavailable' && !res.headersSent) return sendUnavailable(res, PUBLIC_HEADERS);
    door.log.error({ err, episodeId }, 'audio delivery failed');
    if (!res.headersSent) end(res, 500, { ...PUBLIC_HEADERS, 'cache-control': 'no-store' });
  }
}

function toSendableFile(found: Enclosure): SendableFile {
  const { bytes, sha256, isOwn, isPreview } = found;
  const parts = 'segments' in found ? found.segments : wholeObject(found.objectKey, bytes);
  const headers = isPreview ? PREVIEW_HEADERS : isOwn ? OWN_AUDIO_HEADERS : AUDIO_HEADERS;
  return { parts, bytes, etag: `"${sha256}"`, headers };
}

/** A 304 for an ETag needs no date, so it works without the store. */
async function withModification({ findModification }: DatedDoor, file: SendableFile, { headers }: IncomingMessage) {
  if (matchesTag(headers['if-none-match'], file.etag)) return file;
  const modifiedAt = await findModification(file.parts);
  if (!modifiedAt) return file;
  return { ...file, headers: { 'last-modified': modifiedAt.toUTCString(), ...file.headers } };
}

function end(res: ServerResponse, status: number, headers: Record<string, string>): void {
  res.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': '0' });
  res.end();
}
