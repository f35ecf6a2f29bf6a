import { test } from 'vitest';
import { openRemote } from './open-remote';
import { REMOTE_SUITES, SANDBOX_ONLY } from './remote-suites';
import { runSuite } from './run-suite';

/**
 * With STRIPE_TEST_KEY, the suites also run against Stripe's test mode; docs/stripe.md says what the account needs.
 * STRIPE_TEST_URL sends the calls to a sandbox at that address instead.
 */
const secretKey = process.env.STRIPE_TEST_KEY;

if (secretKey) {
  const remote = openRemote({ secretKey, url: process.env.STRIPE_TEST_URL });
  for (const checks of Object.values(REMOTE_SUITES)) runSuite('Stripe test mode', remote, checks);
  for (const [title, reason] of Object.entries(SANDBOX_ONLY))
    test.skip(`Stripe test mode: ${title} (${reason})`, () => {});
} else {
  console.info('STRIPE_TEST_KEY is not set: nothing was compared with Stripe (docs/stripe.md).');
  test.skip('Stripe test mode: STRIPE_TEST_KEY is not set', () => {});
}
