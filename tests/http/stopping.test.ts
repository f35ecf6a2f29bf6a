import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWeb } from '~/server/web';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';
import { sendRaw } from '../support/raw-http';

const { runtime, env, url: directUrl, inbox, stripeSandbox } = await cast();
const sandboxes = { inbox, stripeSandbox, identitySandbox: null, spotifySandbox: null, dnsZone: null };
const opened = { runtime, jobsRuntime: runtime, directUrl, ...sandboxes, close: async () => {} };

async function start(stopGrace: number) {
  const settings = { ...env, port: 0, host: '127.0.0.1', stopGrace };
  const { port, close } = await startWeb(settings, opened, { development: false, build: pagesBuild() });
  const send = (path: string) => sendRaw(port, [`GET ${path} HTTP/1.1\r\nhost: altavoz.localhost:3000\r\n\r\n`]);
  return { close, send, statusOf: async (path: string) => (await send(path)).status };
}

test('a stopping process is not ready, but answers new connections until its grace period is over', async () => {
  const { close, send, statusOf } = await start(800);
  expect(await statusOf('/readyz')).toBe(200);
  expect((await send('/en/login')).head).not.toMatch(/^connection: close/im);

  const closing = close();
  await sleep(20);

  expect(await statusOf('/readyz')).toBe(503);
  // a proxy would send the next request on a connection that is about to end
  const page = await send('/en/login');
  expect(page).toMatchObject({ status: 200, head: expect.stringMatching(/^connection: close/im) });
  await closing;
  expect(await statusOf('/readyz')).toBe(0);
});

test('after an error there is no grace period', async () => {
  const { close, statusOf } = await start(60_000);

  await close({ afterError: true });

  expect(await statusOf('/readyz')).toBe(0);
});
