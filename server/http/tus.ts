import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import type { DataStore } from '@tus/server';
import { s3ClientConfig } from '../adapters/storage/s3-settings';
import { incomingKey, TUS_ENDPOINT } from '../domain/media/rules';
import type { StorageSettings } from '../env/storage';
import { AUDIO_LIMITS, UPLOAD_LIMITS } from '../limits/media';

/** What S3 takes as one part; an upload that breaks off loses no more than this. */
const PART_BYTES = 8 * 1024 * 1024;

export type TusServer = { handle(req: IncomingMessage, res: ServerResponse): Promise<void> };

export type TusSettings = {
  storage: StorageSettings;
  /** The only origin whose pages may send files here. */
  origin: string;
  /** Told when the last byte is in the store, before the client is. */
  onReceived(key: string, bytes: number): Promise<void>;
};

/**
 * The protocol of resumable uploads (tus.io), writing to where an upload's bytes wait. Who may send what was decided
 * before (uploads.ts). What is known of an upload lies beside its bytes, so it goes on after a restart.
 */
export async function openTus({ storage, origin, onReceived }: TusSettings): Promise<TusServer> {
  const { Server } = await import('@tus/server');
  return new Server({
    path: TUS_ENDPOINT,
    datastore: await openStore(storage),
    maxSize: AUDIO_LIMITS.maxBytes,
    allowedOrigins: [origin],
    disableTerminationForFinishedUploads: true,
    namingFunction: (_, metadata) => incomingKey(metadata?.key ?? ''),
    generateUrl: (_, { path, id }) => `${path}/${basename(id)}`,
    getFileIdFromRequest: (_, key) => key && incomingKey(key),
    onUploadFinish: async (_, { id, size }) => {
      await onReceived(basename(id), size ?? 0);
      return {};
    },
  });
}

async function openStore(storage: StorageSettings): Promise<DataStore> {
  const expirationPeriodInMilliseconds = UPLOAD_LIMITS.lifetime;
  if (storage.driver === 'disk') {
    const { FileStore } = await import('@tus/file-store');
    return new FileStore({ directory: storage.dir, expirationPeriodInMilliseconds });
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
