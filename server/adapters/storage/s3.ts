import { Readable } from 'node:stream';
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
import { assertKey, contentTypeOf, ObjectMissing } from './keys';
import type { ByteRange, ObjectStore, OpenObject, StoredObject } from './port';
import { putInParts } from './s3-parts';
import { type S3Settings, s3ClientConfig } from './s3-settings';

/** One request reads this much ahead for readers that move through the whole object. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** Objects of one bucket of Amazon S3 or of a store that speaks its language. */
export function s3Store(settings: S3Settings): ObjectStore {
  const client = new S3Client(s3ClientConfig(settings));
  const at = (key: string) => ({ Bucket: settings.bucket, Key: assertKey(key) });

  async function head(key: string): Promise<StoredObject | null> {
    const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))));
    return (
      found && {
        bytes: found.ContentLength ?? 0,
        etag: found.ETag ?? '""',
        modifiedAt: found.LastModified ?? new Date(0),
        contentType: found.ContentType ?? contentTypeOf(key),
      }
    );
  }

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await unlessMissing(client.send(new GetObjectCommand({ ...at(key), Range })));
    if (!found) throw new ObjectMissing(key);
    return found.Body as Readable;
  }

  async function copy(from: string, to: string): Promise<void> {
    const CopySource = `${settings.bucket}/${assertKey(from)}`;
    const ContentType = contentTypeOf(to);
    const command = new CopyObjectCommand({ ...at(to), CopySource, ContentType, MetadataDirective: 'REPLACE' });
    if (!(await unlessMissing(client.send(command)))) throw new ObjectMissing(from);
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
      return found && openObject(found, (range) => read(key, range));
    },
    read,
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

/** Small reads are served from a block, so that a parser's steps do not become a request each. */
function openObject(object: StoredObject, read: (range: ByteRange) => Promise<Readable>): OpenObject {
  let block = { start: 0, bytes: Buffer.alloc(0) };
  return {
    ...object,
    readInto: async (buffer, position) => {
      if (position >= object.bytes) return 0;
      if (position < block.start || position >= block.start + block.bytes.length) {
        const end = Math.min(position + BLOCK_BYTES, object.bytes) - 1;
        block = { start: position, bytes: Buffer.concat(await (await read({ start: position, end })).toArray()) };
      }
      const from = position - block.start;
      return block.bytes.copy(buffer, 0, from, from + buffer.length);
    },
    chunks: async function* (range) {
      yield* await read(range);
    },
    close: async () => {},
  };
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchKey) return null;
    throw error;
  }
}
