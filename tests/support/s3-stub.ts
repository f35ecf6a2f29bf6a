import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Credentials, headerFault, policyFault } from './s3-signature';

/**
 * The part of Amazon S3 that the storage adapter and the tus store use, in memory. It checks the signature of every
 * request and rejects other requests with S3's own error codes.
 */
export type S3Stub = {
  endpoint: string;
  bucket: string;
  credentials: Credentials;
  objects: Map<string, Stored>;
  /** `METHOD path?query` of every request, in order. */
  log: string[];
  openMultiparts(): number;
  /** While set, responses to this method stop after that many bytes of the body, or send nothing if it is -1. */
  stall: { method: 'GET' | 'HEAD'; afterBytes: number } | null;
  /** The number of unfinished requests whose connection is still open. */
  openRequests(): number;
  close(): Promise<void>;
};

type Stored = { body: Buffer; etag: string; contentType: string; modifiedAt: Date; metadata: Record<string, string> };
type Multipart = { key: string; parts: Map<number, Stored>; contentType: string; metadata: Record<string, string> };
type Bucket = { name: string; objects: Map<string, Stored>; multiparts: Map<string, Multipart> };
type S3Request = {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};
type Answer = { status: number; headers?: Record<string, string | number>; body?: Buffer | string };

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>${body}`;
const fault = (status: number, code: string): Answer => ({ status, body: xml(`<Error><Code>${code}</Code></Error>`) });

function createStored(body: Buffer, contentType: string, metadata: Record<string, string> = {}): Stored {
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  return { body, etag, contentType, metadata, modifiedAt: new Date() };
}

function metadataOf(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [])),
  );
}

const typeOf = (headers: IncomingMessage['headers']) => headers['content-type'] ?? 'application/octet-stream';

function get({ objects }: Bucket, { method, key, headers }: S3Request): Answer {
  const object = objects.get(key);
  if (!object) return method === 'HEAD' ? { status: 404 } : fault(404, 'NoSuchKey');
  const { body, etag, contentType, metadata, modifiedAt } = object;
  const common = { ETag: etag, 'Content-Type': contentType, 'Last-Modified': modifiedAt.toUTCString(), ...metadata };
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  if (!range) return { status: 200, headers: { ...common, 'Content-Length': body.length }, body };
  const start = Number(range[1]);
  const end = Math.min(range[2] ? Number(range[2]) : body.length - 1, body.length - 1);
  if (start >= body.length) return fault(416, 'InvalidRange');
  const part = body.subarray(start, end + 1);
  const ContentRange = `bytes ${start}-${end}/${body.length}`;
  return {
    status: 206,
    headers: { ...common, 'Content-Range': ContentRange, 'Content-Length': part.length },
    body: part,
  };
}

function put({ name, objects, multiparts }: Bucket, { key, query, headers, body }: S3Request): Answer {
  const uploadId = query.get('uploadId');
  if (uploadId) {
    const upload = multiparts.get(uploadId);
    if (!upload) return fault(404, 'NoSuchUpload');
    const part = createStored(body, '');
    upload.parts.set(Number(query.get('partNumber')), part);
    return { status: 200, headers: { ETag: part.etag } };
  }
  const source = headers['x-amz-copy-source'];
  if (source) {
    const from = objects.get(
      decodeURIComponent(String(source))
        .replace(/^\//, '')
        .slice(name.length + 1),
    );
    if (!from) return fault(404, 'NoSuchKey');
    const copied = createStored(from.body, typeOf(headers), metadataOf(headers));
    objects.set(key, copied);
    return { status: 200, body: xml(`<CopyObjectResult><ETag>${copied.etag}</ETag></CopyObjectResult>`) };
  }
  const object = createStored(body, typeOf(headers), metadataOf(headers));
  objects.set(key, object);
  return { status: 200, headers: { ETag: object.etag } };
}

function post({ objects, multiparts }: Bucket, { key, query, headers, body }: S3Request): Answer {
  if (query.has('uploads')) {
    const uploadId = randomUUID();
    multiparts.set(uploadId, { key, parts: new Map(), contentType: typeOf(headers), metadata: metadataOf(headers) });
    const result = `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`;
    return { status: 200, body: xml(result) };
  }
  if (query.has('delete')) {
    for (const [, gone] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(gone!);
    return { status: 200, body: xml('<DeleteResult></DeleteResult>') };
  }
  const uploadId = query.get('uploadId') ?? '';
  const upload = multiparts.get(uploadId);
  if (!upload) return fault(404, 'NoSuchUpload');
  const partNumbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
    Number(number),
  );
  if (partNumbers.some((number) => !upload.parts.has(number))) return fault(400, 'InvalidPart');
  const pieces = partNumbers.map((number) => upload.parts.get(number)!.body);
  if (pieces.slice(0, -1).some((piece) => piece.length < 5 * 1024 * 1024)) return fault(400, 'EntityTooSmall');
  objects.set(key, createStored(Buffer.concat(pieces), upload.contentType, upload.metadata));
  multiparts.delete(uploadId);
  return { status: 200, body: xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`) };
}

function remove({ objects, multiparts }: Bucket, { key, query }: S3Request): Answer {
  const uploadId = query.get('uploadId');
  if (uploadId) multiparts.delete(uploadId);
  else objects.delete(key);
  return { status: 204 };
}

function list({ objects, multiparts }: Bucket, { query, key }: S3Request): Answer {
  const upload = multiparts.get(query.get('uploadId') ?? '');
  if (upload && key !== '') {
    const parts = [...upload.parts]
      .sort(([a], [b]) => a - b)
      .map(([n, p]) => `<Part><PartNumber>${n}</PartNumber><ETag>${p.etag}</ETag><Size>${p.body.length}</Size></Part>`);
    return {
      status: 200,
      body: xml(`<ListPartsResult>${parts.join('')}<IsTruncated>false</IsTruncated></ListPartsResult>`),
    };
  }
  if (query.has('uploadId')) return fault(404, 'NoSuchUpload');
  const after = query.get('start-after') ?? '';
  const keys = [...objects.keys()].filter((k) => k.startsWith(query.get('prefix') ?? '') && k > after).sort();
  const contents = keys.slice(0, Number(query.get('max-keys') ?? 1000)).map((k) => {
    const { body, modifiedAt } = objects.get(k)!;
    const at = modifiedAt.toISOString();
    return `<Contents><Key>${k}</Key><Size>${body.length}</Size><LastModified>${at}</LastModified></Contents>`;
  });
  return {
    status: 200,
    body: xml(`<ListBucketResult>${contents.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`),
  };
}

const ROUTES: Record<string, (bucket: Bucket, s3Request: S3Request) => Answer> = {
  GET: (bucket, s3Request) =>
    s3Request.key === '' || s3Request.query.has('uploadId') ? list(bucket, s3Request) : get(bucket, s3Request),
  HEAD: get,
  PUT: put,
  POST: post,
  DELETE: remove,
};

/** A form like a browser sends it: the policy is signed, but no header is. */
async function postForm(bucket: Bucket, { headers, body }: S3Request, credentials: Credentials): Promise<Answer> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData();
  const names = [...form.keys()];
  const file = form.get('file');
  if (!(file instanceof File) || names.at(-1) !== 'file') return fault(400, 'InvalidArgument');
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >;
  const wrong = policyFault(fields, file.size, credentials);
  if (wrong) return fault(wrong.startsWith('Entity') ? 400 : 403, wrong);
  const content = Buffer.from(await file.arrayBuffer());
  bucket.objects.set(fields.key ?? '', createStored(content, fields['Content-Type'] ?? ''));
  return { status: 204 };
}

async function answer(bucket: Bucket, request: IncomingMessage, credentials: Credentials): Promise<Answer> {
  const body = Buffer.concat(await request.toArray());
  const { method = 'GET', headers } = request;
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, bucketName = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  if (bucketName !== bucket.name) return fault(404, 'NoSuchBucket');
  const s3Request = { method, key: rest.join('/'), query: url.searchParams, headers, body };
  if (headers['content-type']?.startsWith('multipart/form-data')) return postForm(bucket, s3Request, credentials);
  const wrong = headerFault({ method, url: request.url ?? '/', headers, body }, credentials);
  if (wrong) return fault(403, wrong);
  return (ROUTES[method] ?? (() => fault(405, 'MethodNotAllowed')))(bucket, s3Request);
}

type Way = { method?: string; stall?: S3Stub['stall'] };

function sendAnswer(
  response: ServerResponse,
  { status, headers = {}, body = '' }: Answer,
  { method, stall }: Way,
): void {
  const stopsAfter = stall && stall.method === method ? stall.afterBytes : Number.POSITIVE_INFINITY;
  if (stopsAfter < 0) return;
  const type = typeof body === 'string' && body !== '' ? { 'Content-Type': 'application/xml' } : {};
  response.writeHead(status, { ...type, ...headers });
  if (stopsAfter < body.length) response.write(body.slice(0, stopsAfter));
  else response.end(method === 'HEAD' ? undefined : body);
}

const credentials: Credentials = { accessKeyId: 'AKIDSTUB', secretAccessKey: 'stub-secret' };

export async function startS3Stub({ port = 0 }: { port?: number } = {}): Promise<S3Stub> {
  const bucket: Bucket = { name: 'altavoz', objects: new Map(), multiparts: new Map() };
  const log: string[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    log.push(`${request.method} ${request.url}`);
    open.add(response);
    response.once('close', () => open.delete(response));
    answer(bucket, request, credentials).then(
      (result) => sendAnswer(response, result, { method: request.method, stall: stub.stall }),
      (error: Error) => sendAnswer(response, fault(500, error.message), {}),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stub: S3Stub = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: bucket.name,
    credentials,
    objects: bucket.objects,
    log,
    openMultiparts: () => bucket.multiparts.size,
    stall: null,
    openRequests: () => open.size,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return stub;
}
