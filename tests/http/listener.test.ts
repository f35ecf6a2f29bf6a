import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener, type NodeHandler } from '~/server/http/listener';
import { createLog } from '~/server/watching/log';

/** Requests `/` from a server with these handlers. */
async function getRoot(handlers: NodeHandler[]): Promise<{ status: number; text: string }> {
  const app = (_: http.IncomingMessage, res: http.ServerResponse) => void res.end('app');
  const server = http.createServer(createListener(handlers, app, { log: createLog('silent') }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { status: response.status, text: await response.text() };
}

const passes: NodeHandler = () => false;
const passesLater: NodeHandler = async () => false;
const handles: NodeHandler = (_, res) => {
  res.end('handled');
  return true;
};

test('a request that no handler accepts goes to the app', async () => {
  expect((await getRoot([])).text).toBe('app');
  expect((await getRoot([passes, passesLater, passes])).text).toBe('app');
});

test('the first handler that accepts a request answers it', async () => {
  expect((await getRoot([passes, passesLater, handles, () => expect.unreachable()])).text).toBe('handled');
});

test.each([
  [
    'synchronously',
    () => {
      throw new Error('broken');
    },
  ],
  [
    'asynchronously',
    async () => {
      throw new Error('broken');
    },
  ],
])('a handler that fails %s answers 500', async (_, fails) => {
  expect(await getRoot([fails as NodeHandler])).toEqual({ status: 500, text: 'Something went wrong.' });
});
