import type { SandboxOptions } from 'stripe-sandbox';
import { openTestSandbox, type TestSandbox } from 'stripe-sandbox/testing/open-test-sandbox';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { createLog } from '~/server/watching/log';

export const WEBHOOK_SECRET = 'whsec_a_secret_for_tests';
/** With these settings, a runtime opens no sandbox itself, because that sandbox would use the system's clock. */
export const REAL_STRIPE = { STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET };
const PAGES = 'http://altavoz.localhost:3000/_sandbox/stripe';

export type TestStripe = TestSandbox & { payments: PaymentsPort };

/** The sandbox in this process, with the port and the bare SDK connected to it. `clock.now` sets its time. */
export async function openTestStripe(url: string, over: Partial<SandboxOptions> = {}): Promise<TestStripe> {
  const opened = await openTestSandbox(url, { log: createLog('error'), baseUrl: PAGES, ...over });
  const payments = stripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecrets: [WEBHOOK_SECRET],
    fetch: opened.fetch,
    production: false,
    connect: { clientId: 'ca_sandbox', authorizeUrl: `${PAGES}/oauth/authorize` },
  });
  return { ...opened, payments };
}
