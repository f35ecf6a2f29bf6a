import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ObjectStore } from '../adapters/storage/port';
import type { Log } from '../log';
import { episodeIdOfAudioUrl } from '../public-paths';
import type { Stretch } from './runs';
import { type Exchange, type Sendable, type Sent, sendObject, wholeObject } from './send-object';

/** What the listening room knows of an episode that may be heard by whoever asks: a stored file, or a rendition of it. */
export type Enclosure = {
  bytes: number;
  /** Of the audio's content, without quotes: its SHA-256 in hexadecimal. */
  sha256: string;
} & ({ objectKey: string } | { segments: readonly Stretch[] });

export type Delivered = Sent & { episodeId: number };

export type AudioDoor = {
  store: ObjectStore;
  log: Log;
  /** Null: there is none, or this request may not have it. */
  lookup(episodeId: number, req: IncomingMessage): Promise<Enclosure | null>;
  /**
   * Told after the last byte of a GET, complete or broken off; never before, so that counting costs a listener nothing. Of
   * several ranges in one request each is told by itself.
   */
  onDelivered(delivered: Delivered, req: IncomingMessage): void;
};

/** Any web player may read the bytes, ranges included. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag',
  'cross-origin-resource-policy': 'cross-origin',
};
const PREFLIGHT = {
  ...OPEN_TO_ALL,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'range, if-range, if-none-match',
  'access-control-max-age': '86400',
};
const AUDIO_HEADERS = {
  ...OPEN_TO_ALL,
  'content-type': 'audio/mpeg',
  // A shared cache would hide downloads from their creator; a player's own copy is fine for as long as the ETag holds.
  'cache-control': 'private, max-age=3600',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers would take the whole file for a client that reads a second of it.
  'x-accel-buffering': 'no',
};

/** The door of `/audio/{episodeId}/{name}.mp3`; only the id counts. @returns whether the request was taken */
export function createAudioDoor(door: AudioDoor) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const episodeId = episodeIdOfAudioUrl(req.url ?? '');
    if (episodeId === null) return false;
    if (req.method === 'OPTIONS') end(res, 204, PREFLIGHT);
    else if (req.method !== 'GET' && req.method !== 'HEAD')
      end(res, 405, { ...OPEN_TO_ALL, allow: 'GET, HEAD, OPTIONS' });
    else void deliver(door, episodeId, { req, res });
    return true;
  };
}

async function deliver(door: AudioDoor, episodeId: number, { req, res }: Exchange): Promise<void> {
  try {
    const found = await door.lookup(episodeId, req);
    if (!found) return end(res, 404, { ...OPEN_TO_ALL, 'cache-control': 'no-store' });
    const onSent = (sent: Sent[]) => {
      for (const part of sent) door.onDelivered({ episodeId, ...part }, req);
    };
    const had = await sendObject(door.store, { ...sendable(found), onSent }, { req, res });
    if (!had) door.log.error({ episodeId }, 'the store has lost a part of the audio');
  } catch (err) {
    door.log.error({ err, episodeId }, 'audio could not be delivered');
    if (!res.headersSent) end(res, 500, { ...OPEN_TO_ALL, 'cache-control': 'no-store' });
  }
}

function sendable(found: Enclosure): Sendable {
  const { bytes, sha256 } = found;
  const stretches = 'segments' in found ? found.segments : wholeObject(found.objectKey, bytes);
  return { stretches, bytes, etag: `"${sha256}"`, headers: AUDIO_HEADERS };
}

function end(res: ServerResponse, status: number, headers: Record<string, string>): void {
  res.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': '0' });
  res.end();
}
