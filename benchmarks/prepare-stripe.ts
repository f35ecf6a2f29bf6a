import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { startEmbedded } from '~/db/embedded';
import { openTestStripe } from '~/tests/support/open-test-stripe';

/** Starts the Stripe sandbox on its own embedded Postgres, in this process and on a port. */
export async function prepareStripe(port = 0) {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-stripe-'));
  const database = await startEmbedded({ dir });
  const opened = await openTestStripe(database.url, { baseUrl: `http://127.0.0.1:${port}/_sandbox/stripe` });
  const { app } = opened.sandbox;
  const server = createServer(getRequestListener(new Hono().route('/', app).route('/_sandbox/stripe', app).fetch));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    ...opened,
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      await opened.close();
      await database.stop();
      await fs.rm(dir, { recursive: true, force: true });
    },
  };
}
