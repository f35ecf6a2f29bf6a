import { expect, test } from 'vitest';
import { advanceClock, at } from './remote-stripe';
import { renewalChecks, withBadCard } from './renewals.suite';
import { runInSandbox } from './run-suite';

const remote = await runInSandbox(renewalChecks);
const { payments } = remote;

// at Stripe, the account's settings define the last retry and what follows it
test('sandbox: a subscription ends after the last retry', async () => {
  const { subscription, clock, customer } = await withBadCard(remote);

  await advanceClock(remote, clock, '2026-03-08T12:00:00Z');

  expect(await payments.fetch.subscription(subscription.id)).toMatchObject({
    status: 'canceled',
    endReason: 'payment_failed',
    endedAt: at('2026-03-07T11:00:00Z'),
  });
  expect((await payments.listInvoices(customer, 1))[0]).toMatchObject({
    status: 'open',
    attempts: 5,
    nextAttemptAt: null,
  });
});
