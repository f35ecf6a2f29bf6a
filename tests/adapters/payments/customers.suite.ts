import { expect } from 'vitest';
import { collectChecks, customerWithCard, key } from './remote-stripe';

const LUCIA = { email: 'lucia@example.com', name: 'Lucía', language: 'es' as const, reference: { user: '5' } };

export const customerChecks = collectChecks();
const { check } = customerChecks;

check('a new customer has the given data', async ({ payments }) => {
  const customer = await payments.createCustomer(LUCIA, key());

  expect(customer).toMatchObject({ ...LUCIA, defaultCard: null, credit: null, deleted: false });
});

check('a created customer can be fetched unchanged', async ({ payments }) => {
  const customer = await payments.createCustomer(LUCIA, key());

  expect(await payments.fetch.customer(customer.id)).toEqual(customer);
});

check('an unknown customer is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.customer('cus_nobody')).rejects.toMatchObject({ code: 'payments.not_found' });
});

for (const [what, change] of Object.entries({
  email: { email: 'l@example.com' },
  name: { name: 'Lucía G.' },
  language: { language: 'en' as const },
}))
  check(`changing the ${what} changes nothing else`, async ({ payments }) => {
    const customer = await payments.createCustomer(LUCIA, key());

    const changed = await payments.updateCustomer(customer.id, change, key());

    expect(changed).toEqual({ ...customer, ...change });
  });

check('the same key creates one customer ("Idempotent requests")', async ({ payments }) => {
  const once = key();

  const [first, second] = [await payments.createCustomer(LUCIA, once), await payments.createCustomer(LUCIA, once)];

  expect(second).toEqual(first);
});

check('reusing a key for another request is refused ("Idempotent requests")', async ({ payments }) => {
  const once = key();
  await payments.createCustomer(LUCIA, once);

  const again = payments.createCustomer({ ...LUCIA, name: 'Otra' }, once);

  await expect(again).rejects.toMatchObject({ code: 'payments.rejected' });
});

check(
  'twenty concurrent calls with one key create one customer ("Idempotent requests")',
  async ({ payments, real }) => {
    const once = key();
    const calls = Array.from({ length: real ? 3 : 20 }, () => payments.createCustomer(LUCIA, once));

    const made = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === 'fulfilled' ? [call.value.id] : [],
    );

    expect(new Set(made).size).toBe(1);
  },
);

check('a deleted customer is marked as deleted ("Delete a customer")', async ({ payments, stripe }) => {
  const { id } = await payments.createCustomer(LUCIA, key());
  await stripe.customers.del(id);

  expect(await payments.fetch.customer(id)).toMatchObject({ id, deleted: true, email: null });
});

check('deleting a customer takes the data, and repeating it is harmless ("Delete a customer")', async (remote) => {
  const { customer } = await customerWithCard(remote);

  await remote.payments.deleteCustomer(customer);
  await remote.payments.deleteCustomer(customer);

  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ deleted: true, email: null, name: null });
});

check('an unknown customer cannot be deleted ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.deleteCustomer('cus_nobody')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('an invalid email address is rejected ("Error codes": email_invalid)', async ({ payments }) => {
  const attempt = payments.createCustomer({ ...LUCIA, email: 'invalid' }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.rejected' });
});

for (const [token, brand, last4] of [
  ['pm_card_visa', 'visa', '4242'],
  ['pm_card_mastercard', 'mastercard', '4444'],
  ['pm_card_amex', 'amex', '8431'],
] as const)
  check(`a ${brand} card is listed with its brand ("Test card numbers")`, async (remote) => {
    const { customer, card } = await customerWithCard(remote, { card: token });
    const expected = brand === 'amex' ? expect.stringMatching(/^\d{4}$/) : last4;

    expect(await remote.payments.listCards(customer)).toEqual([
      expect.objectContaining({ id: card, customer, brand, last4: expected, isDefault: false }),
    ]);
  });

check('the same card number has the same fingerprint for every customer ("The Card object")', async (remote) => {
  const [one, two] = [await customerWithCard(remote), await customerWithCard(remote)];
  const other = await remote.stripe.paymentMethods.attach('pm_card_mastercard', { customer: two.customer });

  const [first, second, third] = await Promise.all(
    [one.card, two.card, other.id].map((card) => remote.payments.fetch.card(card)),
  );

  expect(first!.fingerprint).toEqual(expect.any(String));
  expect([second!.fingerprint === first!.fingerprint, third!.fingerprint === first!.fingerprint]).toEqual([
    true,
    false,
  ]);
});

check('a card is valid until the end of its expiry month', async (remote) => {
  const { card } = await customerWithCard(remote);

  const { expiresMonth, expiresYear, expiresAt } = await remote.payments.fetch.card(card);

  expect(expiresAt).toEqual(new Date(Date.UTC(expiresYear, expiresMonth, 1)));
});

check('the default card is marked on the card and on the customer', async (remote) => {
  const { customer, card } = await customerWithCard(remote);

  const chosen = await remote.payments.setDefaultCard(customer, card, key());

  expect(chosen).toMatchObject({ id: card, isDefault: true });
  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ defaultCard: card });
});

check('a new default card replaces the previous one', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  const other = await remote.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
  await remote.payments.setDefaultCard(customer, card, key());

  await remote.payments.setDefaultCard(customer, other.id, key());

  const cards = await remote.payments.listCards(customer);
  expect(Object.fromEntries(cards.map(({ id, isDefault }) => [id, isDefault]))).toEqual({
    [card]: false,
    [other.id]: true,
  });
});

check('cards are listed newest first ("Pagination")', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  if (remote.real) await new Promise((resolve) => setTimeout(resolve, 1500));
  const other = await remote.stripe.paymentMethods.attach('pm_card_mastercard', { customer });

  expect((await remote.payments.listCards(customer)).map(({ id }) => id)).toEqual([other.id, card]);
});

check(
  'a removed card is no longer listed and has no customer ("Detach a PaymentMethod from a Customer")',
  async (remote) => {
    const { customer, card } = await customerWithCard(remote);

    await remote.payments.removeCard(card, key());

    expect(await remote.payments.listCards(customer)).toEqual([]);
    expect(await remote.payments.fetch.card(card)).toMatchObject({ customer: null });
  },
);

check('removing the default card clears the default ("Detach a PaymentMethod from a Customer")', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  await remote.payments.setDefaultCard(customer, card, key());

  await remote.payments.removeCard(card, key());

  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ defaultCard: null });
});

check('retrying a removal with its key succeeds ("Idempotent requests")', async (remote) => {
  const { card } = await customerWithCard(remote);
  const once = key();
  await remote.payments.removeCard(card, once);

  await expect(remote.payments.removeCard(card, once)).resolves.toBeUndefined();
});

check('an unknown card is not found', async ({ payments }) => {
  await expect(payments.fetch.card('pm_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check(`another customer's card cannot become the default ("Error codes": resource_missing)`, async (remote) => {
  const [{ customer }, { card }] = [await customerWithCard(remote), await customerWithCard(remote)];

  const attempt = remote.payments.setDefaultCard(customer, card, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a customer without cards has an empty list', async ({ payments }) => {
  const { id } = await payments.createCustomer(LUCIA, key());

  expect(await payments.listCards(id)).toEqual([]);
});
