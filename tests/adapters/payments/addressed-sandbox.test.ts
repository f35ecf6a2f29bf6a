import { once } from 'node:events';
import fs from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import postgres from 'postgres';
import { openStripeSandbox } from 'stripe-sandbox';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../support/db';
import { isDeep } from '../../support/deep';
import { openRemote } from './open-remote';
import { REMOTE_SUITES, SANDBOX_ONLY } from './remote-suites';
import { runSuite } from './run-suite';

/** A sandbox at an address, which keeps its own time. @returns its address */
async function serveSandbox(): Promise<string> {
  const client = postgres((await testDatabase()).url, { max: 4, onnotice: () => {} });
  const server = serve({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = { debug() {}, warn() {}, error: console.error };
  const { app, close } = await openStripeSandbox({ client, log, baseUrl: address });
  afterAll(async () => {
    server.close();
    await close();
    await client.end({ timeout: 5 });
  });
  return address;
}

// shows the path to a remote account without one; each everyday run takes one check of every suite
const remote = openRemote({ secretKey: 'sk_test_addressed', url: await serveSandbox() });
for (const checks of Object.values(REMOTE_SUITES))
  runSuite('addressed sandbox', remote, isDeep ? checks : checks.slice(0, 1));

test.each(['sk_live_1234', 'rk_live_1234', 'pk_test_1234', 'sk_test_', ''])(
  'the suites refuse the key %j, which is not one of test mode',
  (secretKey) => {
    expect(() => openRemote({ secretKey })).toThrow('STRIPE_TEST_KEY');
  },
);

const FOLDER = import.meta.dirname;

test('every suite runs remotely, and the tests that cannot are listed with the reason', async () => {
  const files = await fs.readdir(FOLDER);
  const suites = files.filter((file) => file.endsWith('.suite.ts')).map((file) => file.replace('.suite.ts', ''));
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const sources = await Promise.all(tests.map((file) => fs.readFile(`${FOLDER}/${file}`, 'utf8')));
  const titles = sources.flatMap((source) => [...source.matchAll(/test\('sandbox: (.+)',/g)].map(([, title]) => title));

  expect(Object.keys(REMOTE_SUITES)).toEqual(suites.sort());
  expect(Object.keys(SANDBOX_ONLY).sort()).toEqual(titles.sort());
});

test('docs/stripe.md lists the tests that run in the sandbox only', async () => {
  const text = await fs.readFile('docs/stripe.md', 'utf8');

  for (const [title, reason] of Object.entries(SANDBOX_ONLY)) expect(text).toContain(`| ${title} | ${reason} |`);
});
