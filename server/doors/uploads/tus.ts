import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DataStore, Locker } from '@tus/server';
import { s3ClientConfig } from '../../adapters/storage/s3-settings';
import { incomingKey, TUS_ENDPOINT } from '../../domain/media/rules';
import type { StorageSettings } from '../../env/storage';
import { AUDIO_LIMITS, UPLOAD_LIMITS } from '../../limits/media';

/** S3 part size; an interrupted upload loses at most one part. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * How long a request may continue after another one wants its lock, in milliseconds: long enough to end if it is not
 * hanging. If the lock's connection is lost, another process may already have the lock.
 */
const DRAIN = 500;

export type TusServer = { handle(req: IncomingMessage, res: ServerResponse): Promise<void> };

export type TusSettings = {
  storage: StorageSettings;
  /** Makes requests to the same upload take turns, in all web processes. */
  locker: Locker;
  /** The only origin whose pages may upload here. */
  origin: string;
  /** Called when the last byte is stored, before the response. */
  onReceived(key: string, bytes: number): Promise<void>;
};

/**
 * Resumable uploads (tus.io) into the storage folder for incoming files. uploads.ts authorizes first. An upload's state
 * is stored next to its bytes, so uploads survive a restart. `handle` throws errors outside the protocol, such as
 * ENOSPC.
 */
export async function openTus({ storage, locker, origin, onReceived }: TusSettings): Promise<TusServer> {
  const { Server } = await import('@tus/server');
  return new Server({
    path: TUS_ENDPOINT,
    locker,
    datastore: await openStore(storage),
    maxSize: AUDIO_LIMITS.maxBytes,
    allowedOrigins: [origin],
    disableTerminationForFinishedUploads: true,
    lockDrainTimeout: DRAIN,
    namingFunction: (_, metadata) => incomingKey(metadata?.key ?? ''),
    generateUrl: (_, { path, id }) => `${path}/${basename(id)}`,
    getFileIdFromRequest: (_, key) => key && incomingKey(key),
    onUploadFinish: async (_, { id, size }) => {
      await onReceived(basename(id), size ?? 0);
      return {};
    },
    onResponseError: (_, error) => {
      // the library would send the message of a system error, so only its own errors pass
      if (!('status_code' in error)) throw error;
      return undefined;
    },
  });
}

async function openStore(storage: StorageSettings): Promise<DataStore> {
  const expirationPeriodInMilliseconds = UPLOAD_LIMITS.lifetime;
  if (storage.driver === 'disk') {
    const { FileStore } = await import('@tus/file-store');
    const store = new FileStore({ directory: storage.dir, expirationPeriodInMilliseconds });
    // the library's own `write` hides why it failed, so clients would retry on a full disk
    store.write = async (bytes, id, offset) => {
      const file = createWriteStream(join(storage.dir, id), { flags: 'r+', start: offset });
      await pipeline(bytes, file);
      return offset + file.bytesWritten;
    };
    return store;
  }
  const { S3Store } = await import('@tus/s3-store');
  const { bucket } = storage.s3;
  return new S3Store({
    partSize: PART_BYTES,
    useTags: false,
    expirationPeriodInMilliseconds,
    s3ClientConfig: { bucket, ...s3ClientConfig(storage.s3) },
  });
}
