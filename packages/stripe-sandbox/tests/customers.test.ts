import { expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, sandbox, clock } = await testSandbox();

async function subscriber() {
  const { id: customer } = await stripe.customers.create({ email: 'oyente@example.com' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const recurring = { interval: 'month' as const };
  const price = await stripe.prices.create({ currency: 'eur', unit_amount: 499, recurring, product });
  const params = { customer, items: [{ price: price.id }], default_payment_method: method.id };
  return {
    customer,
    subscriptions: [await stripe.subscriptions.create(params), await stripe.subscriptions.create(params)],
  };
}

test('deleting a customer ends their subscriptions, and no later event mentions the customer', async () => {
  const { customer, subscriptions } = await subscriber();
  await sandbox.capture();

  await stripe.customers.del(customer);
  clock.now = new Date('2026-05-01T10:00:00Z');
  await sandbox.tick();

  for (const { id } of subscriptions)
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  const { data } = await stripe.events.list({ limit: 3 });
  expect(data.map(({ type }) => type)).toEqual([
    'customer.deleted',
    'customer.subscription.deleted',
    'customer.subscription.deleted',
  ]);
  expect((await stripe.invoices.list({ customer })).data).toHaveLength(2);
});
