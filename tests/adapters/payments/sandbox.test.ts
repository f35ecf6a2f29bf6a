import { expect, test } from 'vitest';
import { payByForms } from '../../support/stripe-pages';
import { sandboxFetch, testStripe } from '../../support/stripe-sandbox';
import { advanceClock, at } from './remote-stripe';
import { withBadCard } from './renewals.suite';
import { runSuite } from './run-suite';

const { payments, stripe, sandbox } = await testStripe();
const far = {
  payments,
  stripe,
  real: false,
  pay: (url: string, said: Parameters<typeof payByForms>[2]) => payByForms(sandboxFetch(sandbox), url, said),
};

runSuite('sandbox', far);

// at Stripe the account's own settings say when the last retry is, and what comes after it
test('sandbox: after the last retry a subscription ends', async () => {
  const { subscription, clock, customer } = await withBadCard(far);

  await advanceClock(far, clock, '2026-03-08T12:00:00Z');

  expect(await payments.fetch.subscription(subscription.id)).toMatchObject({
    status: 'canceled',
    endedAt: at('2026-03-07T11:00:00Z'),
  });
  expect((await payments.listInvoices(customer, 1))[0]).toMatchObject({
    status: 'open',
    attempts: 5,
    nextAttemptAt: null,
  });
});
