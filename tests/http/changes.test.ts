import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listenForChanges } from '~/server/http/caches/changes';
import { createLog } from '~/server/watching/log';
import { testDatabase } from '../support/db';

const { client, url } = await testDatabase();
const log = createLog('silent');

/** The response of Postgres while it starts up. */
const STARTING_UP = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();

/** A TCP proxy to Postgres that can stop and restart on the same port. */
async function openProxy() {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  let attempts = 0;
  let isBusy = false;
  const server = net.createServer((socket) => {
    attempts += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    if (isBusy) return socket.once('data', () => socket.end(STARTING_UP));
    const upstream = net.connect(Number(port), hostname);
    upstream.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    return socket.pipe(upstream).pipe(socket);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as net.AddressInfo;
  onTestFinished(() => {
    server.close();
    cut();
  });
  const proxyUrl = new URL(url);
  proxyUrl.host = `127.0.0.1:${address.port}`;
  return {
    url: proxyUrl.href,
    attempts: () => attempts,
    startUp() {
      isBusy = true;
      cut();
    },
    finishStartUp() {
      isBusy = false;
    },
    async stop() {
      server.close();
      cut();
      await once(server, 'close');
    },
    async restart() {
      server.listen(address.port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

function listenTo(address: string) {
  const seen = { tags: [] as string[], gaps: 0 };
  const listener = listenForChanges(address, {
    onChange: (tag) => seen.tags.push(tag),
    onGap: () => {
      seen.gaps += 1;
    },
    log,
  });
  onTestFinished(() => listener.close());
  return { ...listener, seen };
}

const notify = (tag: string) => client`select pg_notify('changed', ${tag})`;

test('after half a second without a server, LISTEN resumes and reports one gap', async () => {
  const proxy = await openProxy();
  const { ready, seen, isListening } = listenTo(proxy.url);
  await ready;
  expect(isListening()).toBe(true);

  await proxy.stop();
  await notify('product:1');
  await sleep(500);
  expect(isListening()).toBe(false);
  await proxy.restart();

  await expect.poll(() => seen.gaps).toBe(2);
  expect(isListening()).toBe(true);
  await notify('product:2');
  await expect.poll(() => seen.tags).toEqual(['product:2']);
});

test('a server that is starting up is retried with pauses', async () => {
  const proxy = await openProxy();
  const { ready, seen } = listenTo(proxy.url);
  await ready;

  proxy.startUp();
  await sleep(700);
  const attempts = proxy.attempts();
  proxy.finishStartUp();

  await expect.poll(() => seen.gaps).toBe(2);
  expect(attempts).toBeGreaterThan(1);
  expect(attempts).toBeLessThan(10);
});

test('LISTEN starts as soon as the server is available', async () => {
  const proxy = await openProxy();
  await proxy.stop();
  const { ready, seen } = listenTo(proxy.url);
  await sleep(300);

  await proxy.restart();
  await ready;

  expect(seen.gaps).toBe(1);
});

test('close() works while the server is unavailable', async () => {
  const proxy = await openProxy();
  await proxy.stop();
  const { close } = listenTo(proxy.url);

  await expect(close()).resolves.toBeUndefined();
});
