import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import type { PaymentSettings } from '../env/payments';
import type { Log } from '../log';
import type { StripeSandbox } from '../sandbox/stripe/sandbox';
import type { Urls } from '../urls';
import type { PaymentsPort } from './payments/port';
import { noPayments, stripePayments } from './payments/stripe';

export type SelectedPayments = {
  payments: PaymentsPort;
  /** Null where real payments are made, or none. */
  sandbox: StripeSandbox | null;
  close(): Promise<void>;
};

/** Where the sandbox's pages stand on the app's host. */
export const STRIPE_SANDBOX_PATH = '/_sandbox/stripe';

type Surroundings = { databaseUrl: string; urls: Urls; log: Log; production: boolean };

/** Stripe where a key is set, else the sandbox where that may be, else nothing that could be mistaken for either. */
export async function selectPayments(settings: PaymentSettings, around: Surroundings): Promise<SelectedPayments> {
  if (settings.provider === 'sandbox') return sandboxPayments(around);
  const { production } = around;
  const payments = settings.provider === 'none' ? noPayments() : stripePayments({ ...settings, production });
  return { payments, sandbox: null, close: async () => {} };
}

/** On connections of its own, since Drizzle changes how those of the app read. Loaded only where it is used. */
async function sandboxPayments({ databaseUrl, urls, log, production }: Surroundings): Promise<SelectedPayments> {
  if (production) log.warn('payments go to the sandbox: no real money moves');
  const { openStripeSandbox } = await import('../sandbox/stripe/sandbox');
  const client = postgres(databaseUrl, { max: 4, onnotice: () => {} });
  const sandbox = await openStripeSandbox({ client, log, baseUrl: urls.app(STRIPE_SANDBOX_PATH) });
  const payments = stripePayments({
    secretKey: 'sk_test_sandbox',
    // no endpoint of the product's hears the sandbox yet: nothing can be signed with this
    webhookSecrets: [`whsec_${randomBytes(24).toString('hex')}`],
    fetch: async (input, init) => sandbox.app.fetch(new Request(input, init)),
    production,
  });
  return {
    payments,
    sandbox,
    async close() {
      await sandbox.close();
      await client.end({ timeout: 5 });
    },
  };
}
