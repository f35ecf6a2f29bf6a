import postgres from 'postgres';
import type Stripe from 'stripe';
import { stripeClient } from '~/server/adapters/payments/client';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { openStripeSandbox, type SandboxOptions, type StripeSandbox } from '~/server/sandbox/stripe/sandbox';
import { createLog } from '~/server/watching/log';

export const WEBHOOK_SECRET = 'whsec_a_secret_for_tests';
/** With these settings, a runtime opens no sandbox of its own, whose clock would be the system's. */
export const REAL_STRIPE = { STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET };
export const PAGES = 'http://altavoz.localhost:3000/_sandbox/stripe';

export type TestStripe = {
  sandbox: StripeSandbox;
  payments: PaymentsPort;
  stripe: Stripe;
  fetch: typeof globalThis.fetch;
  clock: { now: Date };
  client: postgres.Sql;
  /** URL of its database. */
  url: string;
  close(): Promise<void>;
};

/** The sandbox in this process with the port and the bare SDK connected to it. `clock.now` sets its time. */
export async function openTestStripe(url: string, over: Partial<SandboxOptions> = {}): Promise<TestStripe> {
  const client = postgres(url, { max: 4, onnotice: () => {} });
  const clock = { now: new Date('2026-01-31T10:00:00Z') };
  const sandbox = await openStripeSandbox({
    client,
    log: createLog('error'),
    baseUrl: PAGES,
    now: () => clock.now,
    autorun: false,
    ...over,
  });
  const { fetch } = sandbox;
  const connect = { clientId: 'ca_sandbox', authorizeUrl: `${PAGES}/oauth/authorize` };
  const settings = {
    secretKey: 'sk_test_sandbox',
    webhookSecrets: [WEBHOOK_SECRET],
    fetch,
    production: false,
    connect,
  };
  const close = async () => {
    await sandbox.close();
    await client.end({ timeout: 5 });
  };
  const [payments, stripe] = [stripePayments(settings), stripeClient(settings)];
  return { sandbox, payments, stripe, fetch, clock, client, url, close };
}
