import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener, type NodeHandler } from '~/server/http/listener';
import { createLog } from '~/server/log';

/** @returns what the server says to a request for `/` */
async function ask(handlers: NodeHandler[]): Promise<{ status: number; text: string }> {
  const app = (_: http.IncomingMessage, res: http.ServerResponse) => void res.end('app');
  const server = http.createServer(createListener(handlers, app, createLog('silent')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { status: answer.status, text: await answer.text() };
}

const passes: NodeHandler = () => false;
const passesLater: NodeHandler = async () => false;
const takes: NodeHandler = (_, res) => {
  res.end('taken');
  return true;
};

test('what no handler takes goes to the app', async () => {
  expect((await ask([])).text).toBe('app');
  expect((await ask([passes, passesLater, passes])).text).toBe('app');
});

test('the first handler that takes a request answers it', async () => {
  expect((await ask([passes, passesLater, takes, () => expect.unreachable()])).text).toBe('taken');
});

test.each([
  [
    'at once',
    () => {
      throw new Error('broken');
    },
  ],
  [
    'later',
    async () => {
      throw new Error('broken');
    },
  ],
])('a handler that fails %s is answered for', async (_, fails) => {
  expect(await ask([fails as NodeHandler])).toEqual({ status: 500, text: 'Something went wrong.' });
});
