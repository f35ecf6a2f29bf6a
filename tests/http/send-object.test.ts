import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { ObjectStore, OpenObject } from '~/server/adapters/storage/port';
import { sendObject, wholeObject } from '~/server/http/send-object';
import { until } from '../support/audio-door';

const PIECE = 64 * 1024;
const PIECES = 800;
const BYTES = PIECE * PIECES;
const file = {
  parts: wholeObject('audio/1/x.mp3', BYTES),
  bytes: BYTES,
  etag: '"x"',
  headers: { 'content-type': 'x' },
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function server(handle: (req: IncomingMessage, res: ServerResponse) => void) {
  const listening = createServer(handle).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const close = () => listening.closeAllConnections();
  return {
    ask: () =>
      request({ host: '127.0.0.1', port, agent: false })
        .on('error', () => {})
        .end(),
    close,
  };
}

/** As S3 does it: every piece is fresh memory. */
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

test('pieces that a listener has taken are given back while he takes the rest', async () => {
  const pieces: WeakRef<Buffer>[] = [];
  let rest = () => {};
  const store = storeOf(async function* () {
    for (let i = 0; i < PIECES; i++) {
      if (i === PIECES - 1)
        await new Promise<void>((resolve) => {
          rest = resolve;
        });
      const piece = Buffer.alloc(PIECE);
      pieces.push(new WeakRef(piece));
      yield piece;
    }
  });
  const { ask, close } = await server((req, res) => void sendObject(store, file, { req, res }));
  let received = 0;
  ask().on('response', (res) =>
    res.on('data', (part) => {
      received += part.length;
    }),
  );
  await until(() => received === BYTES - PIECE);
  await new Promise((resolve) => setImmediate(resolve));
  collect();

  expect(received).toBe(BYTES - PIECE);
  expect(pieces.filter((piece) => piece.deref()).length).toBeLessThan(20);
  rest();
  await until(() => received === BYTES);
  expect(received).toBe(BYTES);
  close();
});

test('for a listener who left before anything was opened nothing stays open', async () => {
  let opened = 0;
  const store = storeOf(
    async function* () {
      await new Promise(() => {});
      yield Buffer.alloc(PIECE);
    },
    () => {
      opened -= 1;
    },
  );
  const counting = {
    open: async (key: string) => {
      opened += 1;
      return store.open(key);
    },
  } as unknown as ObjectStore;
  let answered = 0;
  const { ask, close } = await server(async (req, res) => {
    await once(res, 'close');
    await sendObject(counting, file, { req, res });
    answered += 1;
  });
  const leaving = ask();
  leaving.on('socket', (socket) => socket.on('connect', () => setTimeout(() => leaving.destroy(), 50)));
  await until(() => answered === 1 && opened === 0);

  expect({ answered, opened }).toEqual({ answered: 1, opened: 0 });
  close();
});
