import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { ObjectMissing } from '../../base/errors';
import type { S3Settings } from '../../env/storage';
import { STORAGE_LIMITS } from '../../limits/storage';
import type { Log } from '../../watching/log';
import { assertKey, contentTypeOf } from './keys';
import type { ByteRange, ObjectStore, OpenObject, StoredObject } from './port';
import { reportAway } from './s3-away';
import { putInParts } from './s3-parts';
import { s3ClientConfig } from './s3-settings';

/** Read-ahead per request, for readers of the whole object. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** `silenceMs`: a read fails after this time without data. `log` gets a warning for each call while the store is away. */
type Options = { silenceMs?: number; log?: Pick<Log, 'warn'> };

/** Stores objects in one bucket of Amazon S3 or a compatible store. */
export function s3Store(settings: S3Settings, options: Options = {}): ObjectStore {
  const { silenceMs = STORAGE_LIMITS.silence, log } = options;
  const client = reportAway(new S3Client(s3ClientConfig(settings)), log);
  const at = (key: string) => ({ Bucket: settings.bucket, Key: assertKey(key) });

  async function head(key: string): Promise<StoredObject | null> {
    const found = await nullIfMissing(client.send(new HeadObjectCommand(at(key)), { requestTimeout: silenceMs }));
    return (
      found && {
        bytes: found.ContentLength ?? 0,
        etag: found.ETag ?? '""',
        modifiedAt: found.LastModified ?? new Date(0),
        contentType: found.ContentType ?? contentTypeOf(key),
      }
    );
  }

  async function get(key: string, range?: ByteRange, abortSignal?: AbortSignal): Promise<AsyncGenerator<Buffer, void>> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const patience = { abortSignal, requestTimeout: silenceMs };
    const found = await nullIfMissing(client.send(new GetObjectCommand({ ...at(key), Range }), patience));
    if (!found) throw new ObjectMissing(key);
    return failWhenSilent(found.Body as Readable, silenceMs);
  }

  async function copy(from: string, to: string): Promise<void> {
    const CopySource = `${settings.bucket}/${assertKey(from)}`;
    const ContentType = contentTypeOf(to);
    const command = new CopyObjectCommand({ ...at(to), CopySource, ContentType, MetadataDirective: 'REPLACE' });
    if (!(await nullIfMissing(client.send(command)))) throw new ObjectMissing(from);
  }

  const remove = async (key: string) => {
    await client.send(new DeleteObjectCommand(at(key)));
  };

  return {
    put: async (key, body, { contentType }) => {
      if (body instanceof Readable) return putInParts(client, at(key), body, contentType);
      await client.send(new PutObjectCommand({ ...at(key), Body: body, ContentType: contentType }));
    },
    head,
    open: async (key) => {
      const found = await head(key);
      return found && openObject(found, (range, signal) => get(key, range, signal));
    },
    read: async (key, range) => Readable.from(await get(key, range), { objectMode: false }),
    copy,
    move: async (from, to) => {
      await copy(from, to);
      await remove(from);
    },
    remove,
    list: async (prefix, limit, after) => {
      const Prefix = prefix;
      const { Contents } = await client.send(
        new ListObjectsV2Command({ Bucket: settings.bucket, Prefix, MaxKeys: limit, StartAfter: after }),
      );
      return (Contents ?? []).map(({ Key, Size, LastModified }) => ({
        key: Key ?? '',
        bytes: Size ?? 0,
        modifiedAt: LastModified ?? new Date(0),
      }));
    },
    formUpload: async (key, { maxBytes, contentType, expiresAt }) => {
      const { url, fields } = await createPresignedPost(client, {
        ...at(key),
        Conditions: [
          ['content-length-range', 1, maxBytes],
          ['eq', '$Content-Type', contentType],
        ],
        Fields: { 'Content-Type': contentType },
        Expires: Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1000)),
      });
      return { url, method: 'POST', fields, headers: {} };
    },
    freeBytes: async () => null,
  };
}

type Get = (range: ByteRange, signal: AbortSignal) => Promise<AsyncGenerator<Buffer, void>>;

/** Serves small reads from a block, so that a parser does not cause a request for each step. */
function openObject(object: StoredObject, get: Get): OpenObject {
  const closing = new AbortController();
  let block = { start: 0, bytes: Buffer.alloc(0) };
  return {
    ...object,
    readInto: async (into, position) => {
      if (position >= object.bytes) return 0;
      if (position < block.start || position >= block.start + block.bytes.length) {
        const end = Math.min(position + BLOCK_BYTES, object.bytes) - 1;
        block = { start: position, bytes: await buffer(await get({ start: position, end }, closing.signal)) };
      }
      const from = position - block.start;
      return block.bytes.copy(into, 0, from, from + into.length);
    },
    chunks: async function* (range) {
      yield* await get(range, closing.signal);
    },
    close: async () => closing.abort(),
  };
}

/** Reads a body, and fails if the store sends nothing for a while. A slow reader does not count as silence. */
async function* failWhenSilent(body: Readable, silenceMs: number): AsyncGenerator<Buffer, void> {
  const watch = () => setTimeout(() => body.destroy(new Error('the store stopped sending data')), silenceMs);
  let watching = watch();
  try {
    for await (const chunk of body) {
      clearTimeout(watching);
      yield chunk;
      watching = watch();
    }
  } finally {
    clearTimeout(watching);
  }
}

async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchKey) return null;
    throw error;
  }
}
