import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { formRequired, UPLOAD_ERRORS, uploadInterrupted } from '../../domain/media/errors';
import { incomingKey, tooLargeCode } from '../../domain/media/rules';
import { receiveUpload, type UploadRow } from '../../domain/media/uploads';
import type { Ctx } from '../../runtime/ctx';

/** Allowance for form fields and part headers. */
const FORM_OVERHEAD = 64 * 1024;

/**
 * Streams the file of one request (a multipart form, or the body of a PUT) into storage.
 * @throws upload.audio_too_large, upload.too_large, upload.form_required, upload.empty, upload.interrupted
 */
export async function storeFile(ctx: Ctx, upload: UploadRow, req: IncomingMessage): Promise<void> {
  const isForm = req.method === 'POST';
  const declaredBytes = Number(req.headers['content-length'] ?? 0);
  if (declaredBytes > upload.byteSize + (isForm ? FORM_OVERHEAD : 0)) throw tooLarge(upload);
  await storeStream(ctx, upload, isForm ? await filePart(req, upload) : req);
}

type Ticket = Pick<UploadRow, 'key' | 'purpose' | 'byteSize' | 'contentType'>;

/**
 * Stores the received bytes, up to the size of the ticket. @throws upload.audio_too_large, upload.too_large,
 * upload.empty
 */
export async function storeStream(ctx: Ctx, upload: Ticket, file: Readable): Promise<void> {
  const count = { bytes: 0 };
  const body = Readable.from(limitedTo(file, upload, count));
  await ctx.ports.storage.put(incomingKey(upload.key), body, { contentType: upload.contentType });
  await receiveUpload(ctx, upload.key, count.bytes);
}

function tooLarge({ purpose }: Ticket) {
  return UPLOAD_ERRORS[tooLargeCode(purpose)]();
}

/** Passes bytes through up to the size limit. On excess it leaves the request open, so that it can be answered. */
async function* limitedTo(file: Readable, upload: Ticket, count: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunksOf(file)) {
    count.bytes += chunk.length;
    if (count.bytes > upload.byteSize) throw tooLarge(upload);
    yield chunk;
  }
  if (count.bytes === 0) throw UPLOAD_ERRORS['upload.empty']();
}

/** @throws upload.interrupted if the request ends before the file does */
async function* chunksOf(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file.iterator({ destroyOnReturn: false });
  } catch {
    throw uploadInterrupted();
  }
}

/**
 * The first file of the form as a stream; earlier fields are skipped.
 * @throws upload.form_required, upload.empty, upload.interrupted
 */
function filePart(req: IncomingMessage, upload: UploadRow): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const parser = openParser(req.headers['content-type'], upload);
    if (!parser) return reject(formRequired());
    let file: Readable | null = null;
    parser.once('file', (_, stream) => {
      file = stream;
      // a form that ends inside the file emits an error, which would end the process if no listener were attached yet
      stream.on('error', (error) => stream.destroy(error));
      resolve(stream);
    });
    pipeline(req, parser).then(
      () => reject(UPLOAD_ERRORS['upload.empty']()),
      (error: Error) => {
        file?.destroy(error);
        reject(uploadInterrupted());
      },
    );
  });
}

/** Null if the body is not a multipart form or names no boundary. */
function openParser(contentType: string | undefined, upload: UploadRow): Busboy | null {
  if (!contentType?.startsWith('multipart/form-data')) return null;
  const limits = { files: 1, fields: 50, fieldSize: FORM_OVERHEAD, fileSize: upload.byteSize + 1 };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    return null;
  }
}
