import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../base/errors';
import { translate } from '../../base/messages';
import { withField } from '../../domain/media/errors';
import { maxBytesOf, purposeOfField, type UploadPurpose } from '../../domain/media/rules';
import { uploadRequest } from '../../domain/media/schema';
import { requestUpload } from '../../domain/media/uploads';
import type { AppEnv } from '../../http/app-env';
import { allowLongBody } from '../../http/body-arrival';
import { isPageForm } from '../../http/request-body';
import { BODY_LIMITS, FORM_LIMITS } from '../../limits/http';
import { AUDIO_LIMITS, COVER_LIMITS, UPLOAD_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import type { Runtime } from '../../runtime/runtime';
import { cookieContext } from '../../trpc/context';
import { storeStream } from './form-upload';

/** An episode's audio and a picture, with the rest of the form. Longer bodies are not read. */
const FORM_BYTES = 2 * (AUDIO_LIMITS.maxBytes + COVER_LIMITS.maxBytes + BODY_LIMITS.page);
type ReadForm = {
  /** The text fields, and the upload's key in each field that had a file. */
  fields: URLSearchParams;
  /** The reason why a file could not be stored. */
  problem: unknown;
};

/**
 * Browsers without JavaScript send files with the form. Stores them as uploads of the user, while they arrive, and
 * passes the form on with their keys, as a browser with JavaScript sends it. Other users and visitors may not send such
 * a body.
 */
export function storeFormFiles(runtime: Runtime) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { raw } = c.req;
    if (!isPageForm(raw.method, c.req.path) || !raw.body) return next();
    const contentType = raw.headers.get('content-type') ?? '';
    if (!/^multipart\/form-data\b/i.test(contentType)) return next();
    const request = c.get('requestContext');
    const ctx = await cookieContext(runtime, request, new Headers());
    const bytes = Number(raw.headers.get('content-length') ?? FORM_BYTES);
    if (ctx.actor.type !== 'user' || !(bytes <= FORM_BYTES)) return next();
    if (c.env?.incoming) allowLongBody(c.env.incoming);
    const form = await readForm(ctx, raw, bytes);
    if (!form) return c.text(translate(request.language, 'errors:common.not_a_form'), 400);
    c.set('fileProblem', form.problem);
    c.req.raw = withFields(raw, form.fields);
    return next();
  });
}

function withFields(raw: Request, fields: URLSearchParams): Request {
  const headers = new Headers(raw.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  return new Request(raw.url, { method: raw.method, headers, signal: raw.signal, body: fields.toString() });
}

/** @returns null if the form is incomplete */
async function readForm(ctx: Ctx, raw: Request, bytes: number): Promise<ReadForm | null> {
  const form: ReadForm = { fields: new URLSearchParams(), problem: null };
  const files: Promise<void>[] = [];
  try {
    const parser = new Busboy({
      headers: { 'content-type': raw.headers.get('content-type') ?? '' },
      limits: { files: FORM_LIMITS.files, fieldSize: BODY_LIMITS.page, parts: FORM_LIMITS.parts },
    });
    // parsing a body of tiny parts would take minutes
    parser.on('partsLimit', () => parser.destroy(new Error('too many parts')));
    let textLength = 0;
    // Busboy's types hide that a part may have no name, and an error thrown here would end the process
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) return;
      // limitBodies rejects a form with more text; until then, the rest must not fill the memory
      if (textLength <= BODY_LIMITS.page) form.fields.append(name, value);
      textLength += name.length + value.length;
    });
    parser.on('file', (name, stream, fileName, _, contentType) => {
      const purpose = purposeOfField(name);
      // a request that ends inside a file emits one error here and one in the pipeline below
      stream.on('error', () => {});
      if (!purpose || !fileName) return void stream.resume();
      files.push(storePart(ctx, { name, purpose, stream, fileName, contentType, bytes }, form));
    });
    await pipeline(Readable.fromWeb(raw.body as Parameters<typeof Readable.fromWeb>[0]), parser);
    await Promise.all(files);
  } catch {
    return null;
  }
  return form;
}

type Part = {
  name: string;
  purpose: UploadPurpose;
  stream: Readable;
  fileName: string;
  contentType: string;
  /** Length of the whole request, because a part does not state its own. */
  bytes: number;
};

/** A file that can't be stored is read to its end, so that the browser shows the answer. */
async function storePart(ctx: Ctx, part: Part, form: ReadForm): Promise<void> {
  const { name, purpose, stream, fileName, contentType, bytes } = part;
  try {
    const fileSize = Math.min(bytes, maxBytesOf(purpose));
    const file = uploadRequest
      .omit({ purpose: true })
      .parse({ fileName: fileName.slice(-UPLOAD_LIMITS.nameLength), contentType, fileSize });
    const { key } = await requestUpload(ctx, { ...file, purpose });
    await storeStream(ctx, { key, purpose, contentType, byteSize: fileSize }, stream);
    form.fields.append(name, key);
  } catch (error) {
    form.problem ??= error instanceof AppError ? withField(error, name) : error;
    stream.resume();
  }
}
