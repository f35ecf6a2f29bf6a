import { expect, test } from 'vitest';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const { stripe, fetch, client } = await testSandbox();

test('an event has the SDK’s fields and names the call that caused it', async () => {
  const { id } = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'events-1' });
  const { id: account } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  await stripe.customers.update(id, { name: 'A' });
  await stripe.customers.create({}, { stripeAccount: account });

  const [change, creation] = (await stripe.events.list({ limit: 2 })).data;
  const [elsewhere] = (await stripe.events.list({ limit: 1 }, { stripeAccount: account })).data;

  const fields = 'api_version created data id livemode object pending_webhooks request type'.split(' ');
  expect(Object.keys(creation!).sort()).toEqual(fields);
  expect(creation).toMatchObject({
    type: 'customer.created',
    request: { id: expect.stringMatching(/^req_/), idempotency_key: 'events-1' },
  });
  expect(change).toMatchObject({ type: 'customer.updated', data: { previous_attributes: { name: null } } });
  expect(Object.keys(elsewhere!).sort()).toEqual(['account', ...fields]);
  expect(elsewhere).toMatchObject({ account, type: 'customer.created' });
});

test('a purchase’s events are in order within one call', async () => {
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'x' } } }],
  });
  const [{ number } = { number: '0' }] = await client<{ number: string }[]>`
    select max(number) as number from sandbox_stripe.objects where kind = 'event'`;

  await payByForms(fetch, url!, { number: '4242424242424242', email: 'a@example.com' });

  const recorded = await client<{ type: string; object: string }[]>`
    select data->>'type' as type, data->'data'->'object'->>'id' as object from sandbox_stripe.objects
    where kind = 'event' and number > ${number} order by number`;
  expect(recorded.map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  expect(recorded.at(-1)!.object).toBe(id);
});
