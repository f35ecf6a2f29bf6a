import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

const PART_BYTES = 8 * 1024 * 1024;

type S3Address = { Bucket: string; Key: string };

/**
 * Uploads a stream of unknown length: in one request if it fits into a part, otherwise in parts, with one part in
 * memory at a time.
 */
export async function putInParts(
  client: S3Client,
  place: S3Address,
  body: Readable,
  contentType: string,
): Promise<void> {
  const parts = splitIntoParts(body);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) {
    const Body = first.done ? Buffer.alloc(0) : first.value;
    await client.send(new PutObjectCommand({ ...place, Body, ContentType: contentType }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ContentType: contentType }));
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    const send = async (Body: Buffer) => {
      const PartNumber = Parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
    };
    await send(first.value as Buffer);
    await send(second.value);
    for await (const part of parts) await send(part);
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    // The parts of an unfinished upload cost money until it is aborted.
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {});
    throw error;
  }
}

async function* splitIntoParts(body: Readable): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const piece = Buffer.from(chunk);
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
