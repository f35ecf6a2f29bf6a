import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { Upload } from 'tus-js-client';
import { afterAll, expect, test } from 'vitest';
import errors from '~/locales/en/errors.json';
import { requestFormUpload, requestUpload } from '~/server/domain/media/uploads';
import { createUploadsDoor } from '~/server/doors/uploads/uploads';
import { createMetrics } from '~/server/http/metrics';
import { createLog } from '~/server/watching/log';
import { acting } from '../support/acting';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import { noise } from '../support/mp3';
import { smallDisk } from '../support/small-disk';

const staged = await cast();
const { lucia, env, make } = staged;
const disk = await smallDisk((key) => staged.runtime.urls.app(`/uploads/form/${key}`));
const lines: string[] = [];
const runtime = {
  ...staged.runtime,
  log: createLog('info', { write: (line: string) => void lines.push(line) }),
  ports: { ...staged.runtime.ports, storage: disk.store },
};
/** Pictures uploaded earlier, when the disk had room. */
const { read, head } = staged.runtime.ports.storage;
const withPictures = { ...runtime, ports: { ...runtime.ports, storage: { ...disk.store, read, head } } };
const bytes = noise(400_000);
const SENTENCE = errors['upload.disk_full'];

const door = createUploadsDoor(runtime, { storage: { driver: 'disk', dir: disk.dir }, trustedProxies: 0 });
const server = createServer((req, res) => void door(req, res)).listen(0, '127.0.0.1');
afterAll(() => void server.close().closeAllConnections());
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const audio = {
  fileName: 'ep.mp3',
  contentType: 'audio/mpeg',
  fileSize: bytes.length,
  purpose: 'episode_audio' as const,
};
const ctx = acting(runtime).ctxOf(lucia);
const cookie = `token=${lucia.token}`;

/** Uploads with the studio's client. @returns the failure's status and body */
function sendTus(key: string): Promise<[number, unknown]> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes as never, {
      endpoint: `${url}/uploads/tus`,
      metadata: { key },
      headers: { cookie },
      retryDelays: null,
      onUploadUrlAvailable: () => disk.limit(`incoming/${key}`),
      onError: (error) => {
        const response = 'originalResponse' in error ? error.originalResponse : null;
        resolve([response?.getStatus() ?? 0, JSON.parse(response?.getBody() ?? 'null')]);
      },
      onSuccess: () => reject(new Error('there was room')),
    });
    upload.start();
  });
}

test('every way to upload answers 507 with the sentence when the disk is full, and the log says so once', async () => {
  const { key } = await requestUpload(ctx, audio);
  const formUrl = async () => (await requestFormUpload(ctx, audio)).url.replace(/^http:\/\/[^/]+/, url);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'ep.mp3');

  const answers = [
    await sendTus(key),
    ...(await Promise.all([
      answerOf(fetch(await formUrl(), { method: 'POST', body: form })),
      answerOf(fetch(await formUrl(), { method: 'PUT', body: new Uint8Array(bytes) })),
    ])),
  ];

  expect(answers).toEqual(Array(3).fill([507, { code: 'upload.disk_full', detail: SENTENCE }]));
  expect(lines.filter((line) => line.includes('"level":"warn"')).map((line) => JSON.parse(line).msg)).toEqual([
    'the disk is full, files are rejected',
  ]);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

async function answerOf(sent: Promise<Response>): Promise<[number, unknown]> {
  const response = await sent;
  return [response.status, await response.json()];
}

test('a cover that does not fit is refused with the sentence, over tRPC and REST', async () => {
  const raw = { width: 700, height: 700, channels: 3 as const };
  const coverKey = await make.upload(
    lucia,
    'cover',
    await sharp(noise(1_470_000), { raw }).resize(1400).jpeg().toBuffer(),
  );
  const api = legacyClient({ runtime: withPictures, env });
  const caller = await acting(withPictures).as(lucia);
  const product = { name: 'Ruido', description: 'Historias.', category: 1501, language: 'es' };

  const call = caller.products.create({ ...product, kind: 'podcast', coverKey });
  await expect(call).rejects.toMatchObject({ message: 'upload.disk_full' });
  const rest = await api.post('podcasts/', { token: lucia.token, json: { ...product, cover_key: coverKey } });

  expect([rest.status, rest.body.detail]).toEqual([500, SENTENCE]);
});

test('the metrics state the free bytes of the disk, and nothing for a store without a limit', async () => {
  const free = /^storage_free_bytes (\d+)/m;

  const onDisk = free.exec(await createMetrics(staged.runtime).read());
  const unlimited = free.exec(await createMetrics(runtime).read());

  expect(Number(onDisk?.[1])).toBeGreaterThan(1_000_000);
  expect(unlimited).toBeNull();
});
