import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '~/db/driver/pool';
import { watchDatabase } from '~/db/driver/watch';
import { type DatabaseProxy, databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';
import { reservedConnection } from '../support/reserved-connection';

const { url } = await testDatabase();

/** The answers of a watch, newest last. */
function watched(address: string, directUrl?: string): boolean[] {
  const answers: boolean[] = [];
  const stop = watchDatabase(address, { directUrl, onAnswer: (isUp) => answers.push(isUp) });
  onTestFinished(stop);
  return answers;
}

/**
 * Keeps the only connection to the database busy, like a pooler without a free connection. @returns a function that
 * ends that
 */
async function occupyDatabase(): Promise<() => Promise<void>> {
  const { client, close } = openPool(url, { max: 1 });
  const connection = await reservedConnection(client);
  await connection`begin`;
  onTestFinished(async () => {
    connection.release();
    await close();
  });
  return async () => void (await connection`rollback`);
}

const BROKEN: [string, (proxy: DatabaseProxy) => void | Promise<void>][] = [
  ['refuses connections', (proxy) => proxy.refuse()],
  ['accepts no log-in', (proxy) => proxy.silence()],
];

test.each(BROKEN)(
  'a pooler that %s counts as an outage, although the database answers directly',
  async (_, breakDown) => {
    await occupyDatabase();
    const proxy = await databaseProxy(url);
    onTestFinished(proxy.close);
    const answers = watched(proxy.url, url);
    await expect.poll(() => answers.at(-1)).toBe(true);

    await breakDown(proxy);

    await expect.poll(() => answers.at(-1)).toBe(false);
    await proxy.restore();
    await expect.poll(() => answers.at(-1)).toBe(true);
  },
);

const message = (type: string, body: Buffer | string) => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const LOGGED_IN = [message('R', Buffer.alloc(4)), message('S', 'server_version\x0018\0'), message('Z', 'I')];

/** A pooler that accepts every log-in, and passes no statement on. */
async function stuckPooler(): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(Buffer.concat(LOGGED_IN)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return through.href;
}

test('a pooler that passes nothing on counts as an outage only if it has no statement to wait for', async () => {
  const setFree = await occupyDatabase();
  const pooler = await stuckPooler();
  const [busy, alone] = [watched(pooler, url), watched(pooler)];

  await expect.poll(() => Math.min(busy.length, alone.length)).toBeGreaterThan(1);
  expect([...new Set(busy)]).toEqual([true]);
  expect([...new Set(alone)]).toEqual([false]);
  await setFree();

  await expect.poll(() => busy.at(-1)).toBe(false);
});
