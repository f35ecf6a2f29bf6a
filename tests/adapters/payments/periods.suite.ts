import type Stripe from 'stripe';
import { expect } from 'vitest';
import { subscriberInApril } from './changes.suite';
import type { RemoteStripe } from './remote-stripe';
import { advanceClock, at, collectChecks, customerWithCard, eur, key, newSubscriber, seconds } from './remote-stripe';

export const periodChecks = collectChecks();
const { check } = periodChecks;

const toYear = (day: string) => ({ price: eur(30_000), every: 'year' as const, at: at(`2026-04-${day}T00:00:00Z`) });
const toMonthly = (minor: number, day: string) => ({
  ...{ price: eur(minor), every: 'month' as const, at: at(`2026-04-${day}T00:00:00Z`) },
});

check(
  'subscriptions are billed in flexible mode ("Makes flexible billing mode the default for new subscriptions")',
  async (remote) => {
    const { subscription } = await newSubscriber(remote);

    const { billing_mode: mode } = await remote.stripe.subscriptions.retrieve(subscription.id);

    expect(mode.type).toBe('flexible');
    expect(mode.flexible?.proration_discounts ?? 'included').toBe('included');
  },
);

for (const [percent, credit] of [
  [50, 1000],
  [100, 0],
] as const)
  check(
    `after ${percent} % off, the unused time is worth what was paid for it ("Credit prorations")`,
    async (remote) => {
      const off = { id: `c-${key()}`, off: { percent }, length: 'once' as const };
      const { id: coupon } = await remote.payments.createCoupon(off, key());
      const { clock, subscription } = await newSubscriber(remote, {
        ...{ from: '2026-04-01T00:00:00Z', price: eur(3000), coupon },
      });
      await advanceClock(remote, clock, '2026-04-11T00:00:00Z');

      const preview = await remote.payments.preview(subscription.id, toYear('11'));

      expect(preview.due).toEqual(eur(30_000 - credit));
    },
  );

check('two changes in one month cost the time at each price ("Credit prorations")', async (remote) => {
  const { clock, subscription, customer } = await subscriberInApril(remote, '11');
  await remote.payments.changeSubscription(subscription.id, toMonthly(6000, '11'), key());
  await advanceClock(remote, clock, '2026-04-16T00:00:00Z');

  const preview = await remote.payments.preview(subscription.id, toMonthly(3000, '16'));
  await remote.payments.changeSubscription(subscription.id, toMonthly(3000, '16'), key());

  expect(preview).toMatchObject({ due: eur(0), credit: eur(1500) });
  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ credit: eur(1500) });
});

check('time that was not charged here is not credited ("Credit prorations")', async (remote) => {
  const { clock, subscription } = await subscriberInApril(remote, '11');
  await remote.payments.changeSubscription(subscription.id, { ...toMonthly(6000, '11'), isPaid: true }, key());
  await advanceClock(remote, clock, '2026-04-16T00:00:00Z');

  const preview = await remote.payments.preview(subscription.id, toMonthly(3000, '16'));

  expect(preview).toMatchObject({ due: eur(0), credit: eur(0) });
});

/** The lines of all invoices of a subscription for 10 € a month, oldest period first. */
async function linesOf(
  remote: RemoteStripe,
  { from, to, ...terms }: Partial<Stripe.SubscriptionCreateParams> & { from: string; to: string },
): Promise<[number, string, string][]> {
  const { stripe } = remote;
  const { clock, customer, card } = await customerWithCard(remote, { from });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const recurring = { interval: 'month' as const };
  const items = [{ price_data: { currency: 'eur', product, unit_amount: 1000, recurring } }];
  await stripe.subscriptions.create({ customer, default_payment_method: card, items, ...terms });
  await advanceClock(remote, clock, to);
  const { data: invoices } = await stripe.invoices.list({ customer });
  const day = (moment: number) => new Date(moment * 1000).toISOString().slice(0, 10);
  return invoices
    .flatMap(({ lines }) => lines.data)
    .sort((a, b) => a.period.start - b.period.start)
    .map(({ amount, period: { start, end } }) => [amount, day(start), day(end)]);
}

const noon = (day: string) => seconds(at(`${day}T10:00:00Z`));

check('the time until an anchor is charged in part ("Set the billing cycle date")', async (remote) => {
  const lines = await linesOf(remote, {
    ...{ from: '2026-04-16T10:00:00Z', to: '2026-05-02T10:00:00Z', billing_cycle_anchor: noon('2026-05-01') },
  });

  expect(lines).toEqual([
    [500, '2026-04-16', '2026-05-01'],
    [1000, '2026-05-01', '2026-06-01'],
  ]);
});

check('a backdated start has a line for each period until its anchor ("Backdate subscriptions")', async (remote) => {
  const lines = await linesOf(remote, {
    ...{ from: '2026-10-15T10:00:00Z', to: '2026-11-02T10:00:00Z' },
    ...{ backdate_start_date: noon('2026-09-01'), billing_cycle_anchor: noon('2026-11-01') },
  });

  expect(lines).toEqual([
    [1000, '2026-09-01', '2026-10-01'],
    [1000, '2026-10-01', '2026-11-01'],
    [1000, '2026-11-01', '2026-12-01'],
  ]);
});

check('a backdated start without proration charges nothing for the past ("Backdate subscriptions")', async (remote) => {
  const lines = await linesOf(remote, {
    ...{ from: '2026-10-15T10:00:00Z', to: '2026-11-02T10:00:00Z', proration_behavior: 'none' as const },
    ...{ backdate_start_date: noon('2026-09-01'), billing_cycle_anchor: noon('2026-11-01') },
  });

  expect(lines).toEqual([[1000, '2026-11-01', '2026-12-01']]);
});
