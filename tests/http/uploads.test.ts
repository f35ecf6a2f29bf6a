import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type DetailedError, Upload } from 'tus-js-client';
import { afterAll, expect, test } from 'vitest';
import { uploads } from '~/db/schema/media';
import { requestFormUpload, requestUpload } from '~/server/domain/media/uploads';
import { createUploadsDoor } from '~/server/doors/uploads/uploads';
import type { StorageSettings } from '~/server/env/storage';
import type { Runtime } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { noise } from '../support/mp3';
import { startS3Stub } from '../support/s3-stub';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a web process. A second one with the same runtime simulates a restart. */
async function startWeb(runtime: Runtime, storage: StorageSettings) {
  const door = createUploadsDoor(runtime, { storage, trustedProxies: 0 });
  const server = createServer((req, res) => {
    if (!door(req, res)) res.writeHead(418).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close().closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

const { runtime, env, clock, tom, ada, ctxOf } = await cast();
const web = await startWeb(runtime, env.storage);
const cookie = `token=${tom.token}`;
const audio = (fileSize: number) => ({
  fileName: 'ep.mp3',
  contentType: 'audio/mpeg',
  fileSize,
  purpose: 'episode_audio' as const,
});

const ticket = async (size: number, ctx = ctxOf(tom)) => (await requestUpload(ctx, audio(size))).key;
const formUrl = async (size: number) => {
  const { url } = await requestFormUpload(ctxOf(tom), audio(size));
  return url.replace(/^http:\/\/[^/]+/, web.url);
};
const receivedAt = async (key: string) =>
  (await runtime.db.select().from(uploads).where(eq(uploads.key, key)))[0]?.receivedAt;
const storedBytes = async (key: string, of = runtime) => buffer(await of.ports.storage.read(`incoming/${key}`));

type UploadOptions = { url: string; key: string; bytes: Buffer; headers?: Record<string, string>; uploadUrl?: string };

/**
 * The error of a web process that waits too long for the database, as on a busy machine. The studio also repeats such a
 * request (app/lib/tus-upload.ts).
 */
const isBusy = (error: Error | DetailedError) =>
  'originalResponse' in error && error.originalResponse?.getStatus() === 503;

/** Uploads with the client that the studio uses. Aborts at `stopAt` bytes. */
function send({ url, key, bytes, headers = { cookie }, uploadUrl }: UploadOptions, stopAt = Number.POSITIVE_INFINITY) {
  return new Promise<{ uploadUrl: string | null; from: number }>((resolve, reject) => {
    let from = -1;
    const upload = new Upload(bytes as never, {
      endpoint: `${url}/uploads/tus`,
      uploadUrl,
      metadata: { key },
      headers,
      chunkSize: 1024 * 1024,
      retryDelays: [500, 1000, 2000, 4000],
      onShouldRetry: isBusy,
      onProgress(sent) {
        if (from < 0) from = sent;
        if (sent >= stopAt && sent < bytes.length)
          void upload.abort().then(() => resolve({ uploadUrl: upload.url, from }));
      },
      onError: reject,
      onSuccess: () => resolve({ uploadUrl: upload.url, from }),
    });
    upload.start();
  });
}

const create = (key: string, length: number, headers: Record<string, string> = { cookie }) =>
  fetch(`${web.url}/uploads/tus`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': `key ${Buffer.from(key).toString('base64')}`,
      ...headers,
    },
  });

test('a resumable upload is stored completely and marked as received', async () => {
  const bytes = noise(3_000_000, 5);
  const key = await ticket(bytes.length);

  await send({ url: web.url, key, bytes });

  expect((await storedBytes(key)).equals(bytes)).toBe(true);
  expect(await receivedAt(key)).toEqual(clock.now);
});

test('an upload resumes at its offset after a lost connection and a restart', async () => {
  const bytes = noise(6_000_000, 6);
  const key = await ticket(bytes.length);
  const first = await startWeb(runtime, env.storage);
  const { uploadUrl } = await send({ url: first.url, key, bytes }, 2_500_000);
  first.stop();
  const receivedBefore = await receivedAt(key);

  const second = await startWeb(runtime, env.storage);
  const path = new URL(uploadUrl ?? '', first.url).pathname;
  const { from } = await send({ url: second.url, key, bytes, uploadUrl: `${second.url}${path}` });

  expect(receivedBefore).toBeNull();
  expect(from).toBeGreaterThanOrEqual(2 * 1024 * 1024);
  expect((await storedBytes(key)).equals(bytes)).toBe(true);
  expect(await receivedAt(key)).toEqual(clock.now);
});

test('a connection that breaks within a chunk keeps the received bytes', async () => {
  const bytes = noise(4_000_000, 8);
  const key = await ticket(bytes.length);
  const location = (await create(key, bytes.length)).headers.get('location') ?? '';
  const socket = connect(Number(new URL(web.url).port), '127.0.0.1');
  const head = `PATCH ${location} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0`;
  socket.write(`${head}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes.subarray(0, 1_500_000));
  const storedSize = async () => (await runtime.ports.storage.head(`incoming/${key}`))?.bytes;
  // on a busy machine, a request takes longer to begin than its bytes take to arrive
  await expect.poll(storedSize).toBeGreaterThan(1_000_000);
  await wait(300);
  socket.destroy();
  await wait(300);

  const { from } = await send({ url: web.url, key, bytes, uploadUrl: `${web.url}${location}` });

  expect(from).toBe(1_500_000);
  expect((await storedBytes(key)).equals(bytes)).toBe(true);
});

test('the user, the owner, the size and reuse are checked before the first byte', async () => {
  const key = await ticket(1000);
  const done = await ticket(10);
  await send({ url: web.url, key: done, bytes: noise(10) });

  const responses = {
    visitor: await create(key, 1000, {}),
    otherUser: await create(key, 1000, { cookie: `token=${ada.token}` }),
    tooLarge: await create(key, 300 * 1024 * 1024 + 1),
    wrongSize: await create(key, 999),
    unknownKey: await create('f'.repeat(32), 1000),
    pathAsKey: await create('../../etc/passwd', 1000),
    usedKey: await create(done, 10),
  };
  const codes = await Promise.all(
    Object.entries(responses).map(async ([name, res]) => [
      name,
      res.status,
      ((await res.json()) as { code: string }).code,
    ]),
  );

  expect(codes).toEqual([
    ['visitor', 401, 'common.unauthenticated'],
    ['otherUser', 404, 'upload.not_found'],
    ['tooLarge', 413, 'upload.audio_too_large'],
    ['wrongSize', 413, 'upload.audio_too_large'],
    ['unknownKey', 404, 'upload.not_found'],
    ['pathAsKey', 404, 'upload.not_found'],
    ['usedKey', 400, 'upload.used'],
  ]);
});

test('errors are in the language of the user', async () => {
  const res = await create(await ticket(1000), 2000, { cookie: `${cookie}; language=es` });

  expect(await res.json()).toEqual({ code: 'upload.audio_too_large', detail: expect.stringContaining('300 MB') });
});

test('only the owner can inspect, continue or end an upload, and its bytes cannot be read', async () => {
  const key = await ticket(1000);
  const location = `${web.url}${(await create(key, 1000)).headers.get('location')}`;
  const otherUser = { cookie: `token=${ada.token}`, 'tus-resumable': '1.0.0' };

  const statuses = await Promise.all([
    fetch(location, { method: 'HEAD', headers: otherUser }),
    fetch(location, { method: 'DELETE', headers: otherUser }),
    fetch(location, { headers: { cookie } }),
    fetch(location, { method: 'HEAD', headers: { cookie, 'tus-resumable': '1.0.0' } }),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 200]);
});

test('an expired ticket accepts no upload', async () => {
  const key = await ticket(1000);
  const today = clock.now;
  clock.now = new Date(today.getTime() + 25 * 3_600_000);

  const res = await create(key, 1000);
  clock.now = today;

  expect([res.status, ((await res.json()) as { code: string }).code]).toEqual([410, 'upload.expired']);
});

test('a form or a PUT with only the key uploads a file once', async () => {
  const bytes = noise(1_000_000, 11);
  const url = await formUrl(bytes.length);
  const form = new FormData();
  form.append('note', 'before the file');
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'audio/mpeg' }), 'ep.mp3');
  const putUrl = await formUrl(bytes.length);

  const first = await fetch(url, { method: 'POST', body: form });
  const again = await fetch(url, { method: 'POST', body: form });
  const put = await fetch(putUrl, { method: 'PUT', body: new Uint8Array(bytes) });

  expect([first.status, again.status, put.status]).toEqual([204, 400, 204]);
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  for (const each of [url, putUrl]) {
    const key = each.slice(-32);
    expect((await storedBytes(key)).equals(bytes)).toBe(true);
    expect(await receivedAt(key)).toEqual(clock.now);
  }
});

test('a form with a file that is too large, missing or empty stores nothing', async () => {
  const tooLarge = new FormData();
  tooLarge.append('file', new Blob([new Uint8Array(40_000)]), 'ep.mp3');
  const empty = new FormData();
  empty.append('file', new Blob([]), 'ep.mp3');
  const withoutFile = new FormData();
  withoutFile.append('note', 'no file');
  const url = await formUrl(1000);
  const chunked = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(500));
    },
  });

  const responses = [
    await fetch(url, { method: 'POST', body: tooLarge }),
    await fetch(url, { method: 'PUT', body: new Uint8Array(1001) }),
    await fetch(url, { method: 'PUT', body: chunked, duplex: 'half' } as RequestInit),
    await fetch(url, { method: 'POST', body: empty }),
    await fetch(url, { method: 'POST', body: withoutFile }),
    await fetch(url, { method: 'POST', body: 'not a form' }),
  ];

  expect(responses.map(({ status }) => status)).toEqual([413, 413, 413, 400, 400, 400]);
  expect(await responses[0]?.json()).toMatchObject({ detail: expect.stringContaining('300 MB') });
  expect(await responses[5]?.json()).toMatchObject({ detail: expect.stringContaining('multipart/form-data') });
  expect(await runtime.ports.storage.head(`incoming/${url.slice(-32)}`)).toBeNull();
});

test('a nearly full disk accepts no file, although the ticket was given earlier', async () => {
  const freeBytes = async () => 1_000_000_004;
  const ports = { ...runtime.ports, storage: { ...runtime.ports.storage, freeBytes } };
  const fullDisk = await startWeb({ ...runtime, ports }, env.storage);
  const url = (await formUrl(5)).replace(web.url, fullDisk.url);
  const key = await ticket(5);

  const response = await fetch(url, { method: 'PUT', body: 'sound' });
  const attempt = send({ url: fullDisk.url, key, bytes: Buffer.from('sound') });

  expect(await response.json()).toMatchObject({ code: 'upload.disk_full' });
  await expect(attempt).rejects.toThrow('upload.disk_full');
});

test('an interrupted form stores nothing', async () => {
  const url = new URL(await formUrl(1_000_000));
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.write(`PUT ${url.pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
  socket.write(noise(500_000));
  await wait(200);
  socket.destroy();
  await wait(300);

  expect(await runtime.ports.storage.head(`incoming/${url.pathname.slice(-32)}`)).toBeNull();
});

test('other paths below /uploads answer 404', async () => {
  const paths = ['/uploads/', '/uploads/form/short', '/uploads/tus/short', '/uploads/tus/../form'];
  const statuses = await Promise.all(paths.map((path) => fetch(`${web.url}${path}`, { headers: { cookie } })));

  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('an upload to S3 resumes after a restart', async () => {
  const stub = await startS3Stub();
  afterAll(() => stub.close());
  const { accessKeyId, secretAccessKey } = stub.credentials;
  const onS3 = await cast({
    empty: true,
    settings: {
      STORAGE_DRIVER: 's3',
      S3_BUCKET: stub.bucket,
      S3_ENDPOINT: stub.endpoint,
      S3_FORCE_PATH_STYLE: '1',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  const owner = await onS3.make.person();
  const headers = { cookie: `token=${owner.token}` };
  const bytes = noise(20_000_000, 12);
  const key = await ticket(bytes.length, onS3.ctxOf(owner));

  const first = await startWeb(onS3.runtime, onS3.env.storage);
  const { uploadUrl } = await send({ url: first.url, key, bytes, headers }, 9_000_000);
  first.stop();
  const second = await startWeb(onS3.runtime, onS3.env.storage);
  const path = new URL(uploadUrl ?? '', first.url).pathname;
  const { from } = await send({ url: second.url, key, bytes, headers, uploadUrl: `${second.url}${path}` });

  expect(from).toBeGreaterThan(5_000_000);
  expect((await storedBytes(key, onS3.runtime)).equals(bytes)).toBe(true);
});
