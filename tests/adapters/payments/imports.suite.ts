import { expect } from 'vitest';
import { monthsLater } from '~/server/base/time';
import {
  advanceClock,
  at,
  collectChecks,
  customerWithCard,
  eur,
  invoicesOf,
  key,
  type RemoteStripe,
} from './remote-stripe';

export const importChecks = collectChecks();
const { check } = importChecks;
const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: { checkout: '9' } };

async function imported(remote: RemoteStripe, over: { every?: 'month' | 'year'; renewsAt: Date; startedAt?: Date }) {
  const { customer, card, clock, start } = await customerWithCard(remote);
  const subscription = await remote.payments.importSubscription(
    { customer, card, ...terms, at: start, ...over },
    key(),
  );
  return { customer, clock, subscription };
}

check(
  'an imported subscription is active and charged on its renewal date first ("Set the subscription billing renewal date")',
  async (remote) => {
    const renewsAt = at('2026-02-14T08:30:00Z');
    const { customer, clock, subscription } = await imported(remote, {
      renewsAt,
      startedAt: at('2024-05-14T08:30:00Z'),
    });

    expect(subscription).toMatchObject({
      status: 'active',
      price: eur(499),
      every: 'month',
      periodEnd: renewsAt,
      startedAt: at('2024-05-14T08:30:00Z'),
      reference: { checkout: '9' },
    });
    await advanceClock(remote, clock, '2026-02-14T08:00:00Z');
    expect((await invoicesOf(remote, customer)).filter(({ total }) => total.minor > 0)).toEqual([]);

    await advanceClock(remote, clock, '2026-02-14T12:00:00Z');
    const [first] = await invoicesOf(remote, customer);
    expect(first).toMatchObject({ status: 'paid', reason: 'renewal', paid: eur(499) });
    expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({
      periodStart: renewsAt,
      periodEnd: monthsLater(renewsAt, 1),
    });
  },
);

check('a renewal in more than one period is charged then, too ("Trial periods")', async (remote) => {
  const renewsAt = at('2026-04-14T08:30:00Z');
  const { customer, clock, subscription } = await imported(remote, { renewsAt });

  expect(subscription).toMatchObject({ periodEnd: renewsAt });
  await advanceClock(remote, clock, '2026-04-14T08:00:00Z');
  expect((await invoicesOf(remote, customer)).filter(({ total }) => total.minor > 0)).toEqual([]);
  await advanceClock(remote, clock, '2026-04-14T12:00:00Z');
  const charged = (await invoicesOf(remote, customer)).filter(({ total }) => total.minor > 0);
  expect(charged).toMatchObject([{ status: 'paid', paid: eur(499) }]);
});

check('a yearly one, too', async (remote) => {
  const renewsAt = at('2026-12-14T08:30:00Z');
  const { subscription } = await imported(remote, { renewsAt, every: 'year' });

  expect(subscription).toMatchObject({ status: 'active', every: 'year', periodEnd: renewsAt });
});

check('the same key imports one subscription ("Idempotent requests")', async (remote) => {
  const { customer, card, start } = await customerWithCard(remote);
  const input = { customer, card, ...terms, at: start, renewsAt: at('2026-02-14T08:30:00Z') };
  const once = key();

  const first = await remote.payments.importSubscription(input, once);
  const second = await remote.payments.importSubscription(input, once);

  expect(second.id).toBe(first.id);
});
