import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { requestUpload } from '~/server/domain/media/uploads';
import { createUploadsDoor } from '~/server/doors/uploads/uploads';
import { createUploadLocks } from '~/server/flow/upload-locks';
import type { Runtime } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { noise } from '../support/mp3';
import { openTestRuntime } from '../support/open-test-runtime';

const { runtime, env, url, client, tom, ctxOf } = await cast();
const other = await openTestRuntime(url, env.dataDir);

/** Two web processes on one database and one storage, as behind a proxy without affinity. */
const ports = await Promise.all([runtime, other.runtime].map(startWeb));
const [one, two] = ports as [number, number];

async function startWeb(of: Runtime): Promise<number> {
  const door = createUploadsDoor(of, { storage: env.storage, trustedProxies: 0 });
  const server = createServer((req, res) => void door(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}
afterAll(other.close);

const HEADERS = { cookie: `token=${tom.token}`, 'tus-resumable': '1.0.0' };

async function begin(bytes: number): Promise<{ key: string; path: string }> {
  const file = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: bytes, purpose: 'episode_audio' } as const;
  const { key } = await requestUpload(ctxOf(tom), file);
  const metadata = { 'upload-length': String(bytes), 'upload-metadata': `key ${btoa(key)}` };
  const created = await fetch(`http://127.0.0.1:${one}/uploads/tus`, {
    method: 'POST',
    headers: { ...HEADERS, ...metadata },
  });
  return { key, path: created.headers.get('location')! };
}

function patch(port: number, path: string, offset: number, bytes: Buffer) {
  const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
  const body = new Uint8Array(bytes);
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'PATCH', headers: { ...HEADERS, ...type }, body });
}

async function offsetAt(port: number, path: string): Promise<[number, number]> {
  const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD', headers: HEADERS });
  return [status, Number(headers.get('upload-offset'))];
}

/** Starts to send everything, and stops partway without closing the connection. */
async function sendPart(port: number, path: string, bytes: Buffer, part: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  afterAll(() => void socket.destroy());
  const head = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${HEADERS.cookie}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0`;
  socket.write(`${head}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes.subarray(0, part));
  const key = path.slice(-32);
  const stored = async () => (await runtime.ports.storage.head(`incoming/${key}`))?.bytes;
  await expect.poll(stored).toBe(part);
  return socket;
}

const storedBytes = (key: string) => runtime.ports.storage.read(`incoming/${key}`).then(buffer);

/** The advisory locks of uploads, and the transactions that are open for them. */
async function leftovers() {
  const [row] = await client<{ locks: number; idle: number }[]>`select
    (select count(*)::int from pg_locks where locktype = 'advisory' and classid in (727275, 727276)
      and database = (select oid from pg_database where datname = current_database())) as locks,
    (select count(*)::int from pg_stat_activity where state = 'idle in transaction' and datname = current_database()) as idle`;
  return row;
}

test('an upload whose parts reach different processes arrives intact', async () => {
  const bytes = noise(400_000, 1);
  const { key, path } = await begin(bytes.length);

  for (let at = 0; at < bytes.length; at += 50_000) {
    const port = ports[(at / 50_000) % 2]!;
    expect((await patch(port, path, at, bytes.subarray(at, at + 50_000))).status).toBe(204);
  }

  expect((await storedBytes(key)).equals(bytes)).toBe(true);
});

test.each([
  ['another process', two],
  ['the same process', one],
])('a client whose connection hangs resumes at %s', async (_, port) => {
  const bytes = noise(300_000, 2);
  const { key, path } = await begin(bytes.length);
  const hanging = await sendPart(one, path, bytes, 120_000);
  const ended = once(hanging.resume(), 'close');

  const [status, offset] = await offsetAt(port, path);
  const resumed = await patch(port, path, offset, bytes.subarray(offset));

  await ended;
  expect([status, offset, resumed.status]).toEqual([200, 120_000, 204]);
  expect((await storedBytes(key)).equals(bytes)).toBe(true);
});

test('one of several concurrent requests in both processes writes each byte', async () => {
  const bytes = noise(200_000, 3);
  const { key, path } = await begin(bytes.length);

  const answers = await Promise.all([one, two, one, two].map((port) => patch(port, path, 0, bytes)));

  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  for (const status of statuses) expect(status).toBeLessThan(500);
  // a request that others wait for may end early; its client then sends the rest
  const [, offset] = await offsetAt(two, path);
  if (offset < bytes.length) await patch(two, path, offset, bytes.subarray(offset));
  expect((await storedBytes(key)).equals(bytes)).toBe(true);
});

test('an upload resumes at another process after the connection of its lock broke', async () => {
  const bytes = noise(300_000, 4);
  const { key, path } = await begin(bytes.length);
  const socket = await sendPart(one, path, bytes, 90_000);
  const ended = once(socket.resume(), 'close').then(() => performance.now());

  await client`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 727275`;
  const lostAt = performance.now();
  const [, offset] = await offsetAt(two, path);
  const resumed = await patch(two, path, offset, bytes.subarray(offset));

  expect(resumed.status).toBe(204);
  expect((await storedBytes(key)).equals(bytes)).toBe(true);
  // until then, both processes could write
  expect((await ended) - lostAt).toBeLessThan(2500);
  const { path: next } = await begin(10);
  expect((await patch(one, next, 0, noise(10))).status).toBe(204);
});

test('an upload whose lock could not be asked for can be locked later', async () => {
  const locks = createUploadLocks(client, runtime.log);
  const lock = (id: string) => locks.newLock(id).lock(new AbortController().signal, () => {});
  await lock('running');

  await client`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 727275`;
  const unlock = () => locks.newLock('next').unlock();
  // the write is rejected, unless the process already knows that the connection is lost
  await lock('next').then(unlock, () => {});

  await lock('next');
  await unlock();
});

test('without uploads, no lock is held and no transaction is open', async () => {
  await expect.poll(leftovers).toEqual({ locks: 0, idle: 0 });
});
