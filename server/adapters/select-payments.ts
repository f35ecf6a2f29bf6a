import { randomBytes } from 'node:crypto';
import type { DatabaseAddress } from '~/db/client';
import { openPool } from '~/db/pool';
import type { PaymentSettings } from '../env/payments';
import type { Log } from '../log';
import type { StripeSandbox } from '../sandbox/stripe/sandbox';
import type { Urls } from '../urls';
import type { PaymentsPort } from './payments/port';
import { noPayments, stripePayments } from './payments/stripe';

export type SelectedPayments = {
  payments: PaymentsPort;
  /** Null for real payments, and without payments. */
  sandbox: StripeSandbox | null;
  close(): Promise<void>;
};

/** Path of the sandbox's pages on the app's host. */
export const STRIPE_SANDBOX_PATH = '/_sandbox/stripe';

type PaymentsEnvironment = { database: DatabaseAddress; urls: Urls; log: Log; production: boolean };

/** Selects Stripe, the sandbox, or a port that fails every call. */
export async function selectPayments(
  settings: PaymentSettings,
  environment: PaymentsEnvironment,
): Promise<SelectedPayments> {
  if (settings.provider === 'sandbox') return sandboxPayments(environment);
  const { production } = environment;
  const payments = settings.provider === 'none' ? noPayments() : stripePayments({ ...settings, production });
  return { payments, sandbox: null, close: async () => {} };
}

/** Uses its own connections, as another company's server would. Imported only when needed. */
async function sandboxPayments({ database, urls, log, production }: PaymentsEnvironment): Promise<SelectedPayments> {
  if (production) log.warn('payments go to the sandbox: no real money moves');
  const { openStripeSandbox } = await import('../sandbox/stripe/sandbox');
  const { client, close } = openPool(database.url, { max: 4, prepare: database.prepare, patient: true });
  const sandbox = await openStripeSandbox({ client, log, baseUrl: urls.app(STRIPE_SANDBOX_PATH) });
  const payments = stripePayments({
    secretKey: 'sk_test_sandbox',
    // the product has no webhook endpoint for the sandbox yet, so this secret signs nothing
    webhookSecrets: [`whsec_${randomBytes(24).toString('hex')}`],
    fetch: async (input, init) => sandbox.app.fetch(new Request(input, init)),
    production,
  });
  return {
    payments,
    sandbox,
    async close() {
      await sandbox.close();
      await close();
    },
  };
}
