import { createHmac } from 'node:crypto';
import type postgres from 'postgres';
import type { StripeSandbox } from 'stripe-sandbox';
import type { DatabaseAddress } from '~/db/client';
import { openPool } from '~/db/driver/pool';
import type { PaymentsPort } from '../adapters/payments/port';
import { noPayments, stripePayments } from '../adapters/payments/stripe';
import { STRIPE_WEBHOOK_PATH } from '../base/public-paths';
import type { Urls } from '../base/urls';
import type { PaymentSettings } from '../env/payments';
import { createTurns } from '../flow/paced-turns';
import { sharedPace, stepsFor } from '../flow/shared-pace';
import type { Log } from '../watching/log';

export type SelectedPayments = {
  payments: PaymentsPort;
  /** Null for real payments, and without payments. */
  sandbox: StripeSandbox | null;
  close(): Promise<void>;
};

/** Path of the sandbox's pages on the app's host. */
export const STRIPE_SANDBOX_PATH = '/_sandbox/stripe';

/**
 * The address to which the sandbox sends its webhooks: this machine, because the app's public name may not resolve
 * here. `secret`: the installation's, from which every process derives the same signing secret.
 */
export type SandboxWebhooks = { port: number; secret: string };
type PaymentsEnvironment = {
  database: DatabaseAddress;
  urls: Urls;
  log: Log;
  production: boolean;
  /** Null if the sandbox sends no webhooks. */
  webhooks: SandboxWebhooks | null;
  /** For the calls to Stripe; the sandbox has no limit of its own. */
  client: postgres.Sql;
};

/** Calls of one kind that may wait in a process; more are rejected at once. */
const WAITING = 500;

/** Selects Stripe, the sandbox, or a port that fails every call. */
export async function selectPayments(
  settings: PaymentSettings,
  environment: PaymentsEnvironment,
): Promise<SelectedPayments> {
  if (settings.provider === 'sandbox') return sandboxPayments(environment);
  const payments = realPayments(settings, environment) ?? noPayments();
  return { payments, sandbox: null, close: async () => {} };
}

/** Null without a key of Stripe. Without `client`, calls are not limited. */
export function realPayments(
  settings: PaymentSettings,
  { production, client }: { production: boolean; client?: postgres.Sql },
): PaymentsPort | null {
  if (settings.provider !== 'stripe') return null;
  const pace = client && sharedPace(client, { name: 'stripe', ...stepsFor(settings.callsPerSecond) });
  const turns = pace && createTurns(pace, { waiting: WAITING });
  return stripePayments({ ...settings, production, turns, ...connectOf(settings) });
}

const connectOf = ({ connectClientId: clientId }: { connectClientId?: string }) =>
  clientId === undefined ? {} : { connect: { clientId } };
/** The sandbox has no platforms, so it accepts any client id. */
const SANDBOX_CLIENT = 'ca_sandbox';

/** Uses its own connections, as another company's server would. Imported only when needed. */
async function sandboxPayments({
  database,
  urls,
  log,
  production,
  webhooks,
}: PaymentsEnvironment): Promise<SelectedPayments> {
  if (production) log.warn('payments go to the sandbox: no real money moves');
  const { openStripeSandbox } = await import('stripe-sandbox');
  const { client, close } = openPool(database.url, { max: 4, prepare: database.prepare, patient: true });
  const webhook = webhooks && {
    id: 'we_altavoz',
    url: `http://127.0.0.1:${webhooks.port}${STRIPE_WEBHOOK_PATH}`,
    secret: `whsec_${createHmac('sha256', webhooks.secret).update('stripe sandbox').digest('hex')}`,
  };
  const baseUrl = urls.app(STRIPE_SANDBOX_PATH);
  const sandbox = await openStripeSandbox({ client, log, baseUrl, business: 'Altavoz', ...(webhook && { webhook }) });
  // as the README tells operators to set Stripe: we end overdue subscriptions ourselves
  await sandbox.setDunning({ finally: 'past_due' });
  const payments = stripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecrets: webhook ? [webhook.secret] : [],
    connect: { clientId: SANDBOX_CLIENT, authorizeUrl: `${baseUrl}/oauth/authorize` },
    fetch: sandbox.fetch,
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
