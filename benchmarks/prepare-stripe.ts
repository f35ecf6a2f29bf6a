import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import postgres from 'postgres';
import { openStripeSandbox } from 'stripe-sandbox';
import { startEmbedded } from '~/db/embedded';
import { stripeClient } from '~/server/adapters/payments/client';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { createLog } from '~/server/watching/log';

/** Starts the Stripe sandbox on its own embedded Postgres, in this process and on a port. */
export async function prepareStripe(port = 0) {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-stripe-'));
  const database = await startEmbedded({ dir });
  const client = postgres(database.url, { max: 4, onnotice: () => {} });
  const clock = { now: new Date('2026-01-31T10:00:00Z') };
  const baseUrl = `http://127.0.0.1:${port}/_sandbox/stripe`;
  const options = { client, log: createLog('error'), baseUrl, now: () => clock.now, autorun: false };
  const sandbox = await openStripeSandbox(options);
  const { fetch } = sandbox;
  const settings = { secretKey: 'sk_test_sandbox', webhookSecrets: [], fetch, production: false };
  const app = new Hono().route('/', sandbox.app).route('/_sandbox/stripe', sandbox.app);
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    sandbox,
    client,
    clock,
    fetch,
    payments: stripePayments(settings),
    stripe: stripeClient(settings),
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      await sandbox.close();
      await client.end({ timeout: 5 });
      await database.stop();
      await fs.rm(dir, { recursive: true, force: true });
    },
  };
}
