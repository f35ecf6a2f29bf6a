import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { ObjectStore, OpenObject } from '~/server/adapters/storage/port';
import { sendObject, wholeObject } from '~/server/http/send-object';
import { until } from '../support/audio-door';

const CHUNK = 64 * 1024;
const CHUNKS = 800;
const BYTES = CHUNK * CHUNKS;
const file = {
  parts: wholeObject('audio/1/x.mp3', BYTES),
  bytes: BYTES,
  etag: '"x"',
  headers: { 'content-type': 'x' },
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function server(handle: (req: IncomingMessage, res: ServerResponse) => void) {
  const listening = createServer(handle).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const close = () => listening.closeAllConnections();
  return {
    connect: (options: RequestOptions = {}) =>
      request({ host: '127.0.0.1', port, agent: false, ...options })
        .on('error', () => {})
        .end(),
    close,
  };
}

/** A store that allocates each chunk, like S3. */
function storeOf(chunks: OpenObject['chunks'], onClose = () => {}) {
  const object = {
    bytes: BYTES,
    etag: 'x',
    modifiedAt: new Date(0),
    contentType: 'x',
    chunks,
    close: async () => onClose(),
  };
  return { open: async () => object } as unknown as ObjectStore;
}

test('chunks that a listener has received are freed during the rest of the download', async () => {
  const chunks: WeakRef<Buffer>[] = [];
  let sendRest = () => {};
  const store = storeOf(async function* () {
    for (let i = 0; i < CHUNKS; i++) {
      if (i === CHUNKS - 1)
        await new Promise<void>((resolve) => {
          sendRest = resolve;
        });
      const chunk = Buffer.alloc(CHUNK);
      chunks.push(new WeakRef(chunk));
      yield chunk;
    }
  });
  const { connect, close } = await server((req, res) => void sendObject(store, file, { req, res }));
  let received = 0;
  connect().on('response', (res) =>
    res.on('data', (part) => {
      received += part.length;
    }),
  );
  await until(() => received === BYTES - CHUNK);
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();

  expect(received).toBe(BYTES - CHUNK);
  expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(20);
  sendRest();
  await until(() => received === BYTES);
  expect(received).toBe(BYTES);
  close();
});

const SMALL = 256 * 1024;
const LARGE = 1024 * 1024;

test('only a connection that took the previous chunk quickly is sent more than 256 KiB at a time', async () => {
  const zeros = Buffer.alloc(LARGE);
  const sizes: number[] = [];
  const store = storeOf(async function* ({ start, end }, maxBytes) {
    for (let left = end - start + 1; left > 0; left -= sizes.at(-1)!) {
      sizes.push(Math.min(left, maxBytes!()));
      yield zeros.subarray(0, sizes.at(-1)!);
    }
  });
  const { connect, close } = await server((req, res) => void sendObject(store, file, { req, res }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (range: string) =>
    (await once(connect({ agent, headers: { range } }), 'response')) as [IncomingMessage];
  // more than the system buffers
  const [paused] = await get('bytes=0-25000000');
  // the client reads nothing: the last chunk stays in the queue for longer than a fast connection needs
  for (let before = -1; before !== sizes.length; await wait(250)) before = sizes.length;
  const beforeStall = sizes.length;
  await once(paused.resume(), 'end');
  const ofFirst = sizes.splice(0);
  // a busy machine may slow down any one chunk
  for (let tries = 0; tries < 5 && sizes[0] !== LARGE; tries++) {
    sizes.length = 0;
    const [again] = await get('bytes=0-2000000');
    await once(again.resume(), 'end');
  }
  agent.destroy();

  expect(ofFirst[0]).toBe(SMALL);
  expect(ofFirst[beforeStall]).toBe(SMALL);
  expect(Math.max(...ofFirst)).toBe(LARGE);
  expect(sizes[0]).toBe(LARGE);
  close();
});

test('a listener who disconnects before the object opens leaves nothing open', async () => {
  let opened = 0;
  const store = storeOf(
    async function* () {
      await new Promise(() => {});
      yield Buffer.alloc(CHUNK);
    },
    () => {
      opened -= 1;
    },
  );
  const countingStore = {
    open: async (key: string) => {
      opened += 1;
      return store.open(key);
    },
  } as unknown as ObjectStore;
  let answered = 0;
  const { connect, close } = await server(async (req, res) => {
    await once(res, 'close');
    await sendObject(countingStore, file, { req, res });
    answered += 1;
  });
  const leaving = connect();
  leaving.on('socket', (socket) => socket.on('connect', () => setTimeout(() => leaving.destroy(), 50)));
  await until(() => answered === 1 && opened === 0);

  expect({ answered, opened }).toEqual({ answered: 1, opened: 0 });
  close();
});

const PIPELINED = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3);

/**
 * A server that sends a file of `chunks` chunks, its number of readers, and a connection to it with three requests at
 * once.
 */
async function pipelined(chunks: number) {
  const bytes = chunks * CHUNK;
  const open = { now: 0, most: 0 };
  const object = storeOf(
    async function* () {
      for (let i = 0; i < chunks; i++) yield Buffer.alloc(CHUNK);
    },
    () => {
      open.now -= 1;
    },
  );
  const store = {
    open: async (key: string) => {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      return object.open(key);
    },
  } as unknown as ObjectStore;
  const listening = createServer((req, res) => {
    void sendObject(store, { ...file, parts: wholeObject('audio/1/x.mp3', bytes), bytes }, { req, res });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const socket = connectTo((listening.address() as AddressInfo).port, '127.0.0.1');
  socket.write(PIPELINED);
  const close = () => {
    socket.destroy();
    listening.close();
  };
  return { open, socket, bytes, close };
}

test('pipelined requests are answered completely, one after the other', async () => {
  const { open, socket, bytes, close } = await pipelined(20);
  let received = 0;
  socket.on('data', (data) => {
    received += data.length;
  });

  await until(() => received > 3 * bytes && open.now === 0);

  expect([received > 3 * bytes, open]).toEqual([true, { now: 0, most: 1 }]);
  close();
});

test('a listener who leaves pipelined requests behind leaves nothing open', async () => {
  const { open, socket, close } = await pipelined(CHUNKS);
  socket.pause();
  await until(() => open.now > 0);
  await wait(100);

  socket.destroy();

  await until(() => open.now === 0);
  expect(open).toEqual({ now: 0, most: 1 });
  close();
});
