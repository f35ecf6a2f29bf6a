import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import type { PaymentSettings } from '../env';
import type { Log } from '../log';
import type { StripeSandbox } from '../sandbox/stripe/sandbox';
import type { Urls } from '../urls';
import { notSetUp } from './payments/errors';
import type { PaymentsPort } from './payments/port';

export type ChosenPayments = {
  payments: PaymentsPort;
  /** Null where real payments are made, or none. */
  sandbox: StripeSandbox | null;
  close(): Promise<void>;
};

/** Where the sandbox's pages stand on the app's host. */
export const STRIPE_SANDBOX_PATH = '/_sandbox/stripe';

type Surroundings = { databaseUrl: string; urls: Urls; log: Log; production: boolean };

/**
 * Stripe where a key is set, else the sandbox where that may be, else nothing that could be mistaken for either.
 * The SDK takes its time to load: only who uses it waits for it.
 */
export async function choosePayments(settings: PaymentSettings, around: Surroundings): Promise<ChosenPayments> {
  const { production } = around;
  if (settings.far === 'stripe') {
    const { secretKey, webhookSecrets } = settings;
    const { stripePayments } = await import('./payments/stripe');
    return {
      payments: stripePayments({ secretKey, webhookSecrets, production }),
      sandbox: null,
      close: async () => {},
    };
  }
  return settings.far === 'none' ? noPayments() : sandboxPayments(around);
}

/** On connections of its own, since Drizzle changes how those of the app read. Loaded only where it is used. */
async function sandboxPayments({ databaseUrl, urls, log, production }: Surroundings): Promise<ChosenPayments> {
  if (production) log.warn('payments go to the sandbox: no real money moves');
  const [{ openStripeSandbox }, { stripePayments }] = await Promise.all([
    import('../sandbox/stripe/sandbox'),
    import('./payments/stripe'),
  ]);
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

/** Every verb says that payments are not set up. */
function noPayments(): ChosenPayments {
  const refuse = () => Promise.reject(notSetUp());
  const refusing = <T extends object>(over: Partial<Record<keyof T, unknown>>) =>
    new Proxy({} as T, { get: (_, name) => over[name as keyof T] ?? refuse });
  const payments = refusing<PaymentsPort>({
    fetch: refusing<PaymentsPort['fetch']>({}),
    readWebhook: () => {
      throw notSetUp();
    },
  });
  return { payments, sandbox: null, close: async () => {} };
}
