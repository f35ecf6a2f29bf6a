import postgres from 'postgres';
import Stripe from 'stripe';
import { openStripeSandbox, type SandboxOptions, type StripeSandbox } from '../src/sandbox';

export type TestSandbox = {
  sandbox: StripeSandbox;
  stripe: Stripe;
  fetch: typeof globalThis.fetch;
  clock: { now: Date };
  client: postgres.Sql;
  /** URL of its database. */
  url: string;
  close(): Promise<void>;
};

/** The URL of the pages, unless the test has its own. */
export const PAGES = 'http://sandbox.localhost/stripe';

const onlyErrors = { debug() {}, warn() {}, error: console.error };

/**
 * A sandbox in this process with the SDK connected to it. `clock.now` sets its time; webhooks and due objects wait for
 * `sandbox.deliver` and `sandbox.tick`.
 */
export async function openTestSandbox(url: string, over: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const client = postgres(url, { max: 4, onnotice: () => {} });
  const clock = { now: new Date('2026-01-31T10:00:00Z') };
  const now = () => clock.now;
  const sandbox = await openStripeSandbox({ client, log: onlyErrors, baseUrl: PAGES, now, autorun: false, ...over });
  const close = async () => {
    await sandbox.close();
    await client.end({ timeout: 5 });
  };
  return { sandbox, stripe: connectSdk(sandbox), fetch: sandbox.fetch, clock, client, url, close };
}

/** The SDK, with the sandbox in place of the network. */
export const connectSdk = ({ fetch }: StripeSandbox): Stripe =>
  new Stripe('sk_test_sandbox', { httpClient: Stripe.createFetchHttpClient(fetch), telemetry: false });
