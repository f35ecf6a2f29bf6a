import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { createMediaDoor } from '~/server/doors/files/media';
import { createLog } from '~/server/watching/log';

const store = await diskStore({ root: await mkdtemp(join(tmpdir(), 'altavoz-media-')), formUrl: (key) => key });
await store.put('images/1/abc/320.webp', Buffer.from('picture'), { contentType: 'image/webp' });
await store.put('audio/1/7/abc.mp3', Buffer.from('secret'), { contentType: 'audio/mpeg' });
const door = createMediaDoor({ store, log: createLog('silent') });
const server = createServer((req, res) => {
  if (!door(req, res)) res.writeHead(418).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const send = (path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

test('a picture is cached permanently', async () => {
  const first = await send('/media/images/1/abc/320.webp');
  const again = await send('/media/images/1/abc/320.webp', {
    headers: { 'if-none-match': first.headers.get('etag')! },
  });

  expect(await first.text()).toBe('picture');
  expect(first.headers.get('content-type')).toBe('image/webp');
  expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(again.status).toBe(304);
});

test.each([
  ['/media/audio/1/7/abc.mp3', 404],
  ['/media/images/1/none.webp', 404],
  ['/media/images/..%2f..%2faudio/1/7/abc.mp3', 404],
  ['/media/images/%00', 404],
  ['/media/images/1/abc', 404],
  ['/media/', 404],
  ['/mediators', 418],
])('%s answers %i', async (path, status) => {
  expect((await send(path)).status).toBe(status);
});

test('a DELETE of a picture answers 405', async () => {
  expect((await send('/media/images/1/abc/320.webp', { method: 'DELETE' })).status).toBe(405);
});
