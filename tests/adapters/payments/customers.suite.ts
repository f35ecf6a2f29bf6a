import { expect } from 'vitest';
import { collectChecks, customerWithCard, key } from './remote-stripe';

const LUCIA = { email: 'lucia@example.com', name: 'Lucía', language: 'es' as const, reference: { user: '5' } };

export const customerChecks = collectChecks();
const { check } = customerChecks;

check('a new customer is what was said', async ({ payments }) => {
  const customer = await payments.createCustomer(LUCIA, key());

  expect(customer).toMatchObject({ ...LUCIA, defaultCard: null, credit: null, deleted: false });
});

check('a customer is found again as it was made', async ({ payments }) => {
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
  check(`a change of ${what} changes nothing else`, async ({ payments }) => {
    const customer = await payments.createCustomer(LUCIA, key());

    const changed = await payments.updateCustomer(customer.id, change, key());

    expect(changed).toEqual({ ...customer, ...change });
  });

check('the same key makes one customer ("Idempotent requests")', async ({ payments }) => {
  const once = key();

  const [first, second] = [await payments.createCustomer(LUCIA, once), await payments.createCustomer(LUCIA, once)];

  expect(second).toEqual(first);
});

check('the same key for something else is a conflict ("Idempotent requests")', async ({ payments }) => {
  const once = key();
  await payments.createCustomer(LUCIA, once);

  const again = payments.createCustomer({ ...LUCIA, name: 'Otra' }, once);

  await expect(again).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('twenty calls at once with one key make one customer ("Idempotent requests")', async ({ payments, real }) => {
  const once = key();
  const calls = Array.from({ length: real ? 3 : 20 }, () => payments.createCustomer(LUCIA, once));

  const made = (await Promise.allSettled(calls)).flatMap((call) =>
    call.status === 'fulfilled' ? [call.value.id] : [],
  );

  expect(new Set(made).size).toBe(1);
});

check('a customer who was deleted says so ("Delete a customer")', async ({ payments, stripe }) => {
  const { id } = await payments.createCustomer(LUCIA, key());
  await stripe.customers.del(id);

  expect(await payments.fetch.customer(id)).toMatchObject({ id, deleted: true, email: null });
});

check('an address that is none is refused ("Error codes": email_invalid)', async ({ payments }) => {
  const attempt = payments.createCustomer({ ...LUCIA, email: 'nobody' }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.refused' });
});

for (const [token, brand, last4] of [
  ['pm_card_visa', 'visa', '4242'],
  ['pm_card_mastercard', 'mastercard', '4444'],
  ['pm_card_amex', 'amex', '8431'],
] as const)
  check(`a ${brand} card is listed as such ("Test card numbers")`, async (far) => {
    const { customer, card } = await customerWithCard(far, { card: token });
    const expected = brand === 'amex' ? expect.stringMatching(/^\d{4}$/) : last4;

    expect(await far.payments.listCards(customer)).toEqual([
      expect.objectContaining({ id: card, customer, brand, last4: expected, isDefault: false }),
    ]);
  });

check('a card is good until the end of its month', async (far) => {
  const { card } = await customerWithCard(far);

  const { expiresMonth, expiresYear, expiresAt } = await far.payments.fetch.card(card);

  expect(expiresAt).toEqual(new Date(Date.UTC(expiresYear, expiresMonth, 1)));
});

check('a default card is said at the card and at the customer', async (far) => {
  const { customer, card } = await customerWithCard(far);

  const chosen = await far.payments.setDefaultCard(customer, card, key());

  expect(chosen).toMatchObject({ id: card, isDefault: true });
  expect(await far.payments.fetch.customer(customer)).toMatchObject({ defaultCard: card });
});

check('another default card takes the place of the first', async (far) => {
  const { customer, card } = await customerWithCard(far);
  const other = await far.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
  await far.payments.setDefaultCard(customer, card, key());

  await far.payments.setDefaultCard(customer, other.id, key());

  const cards = await far.payments.listCards(customer);
  expect(Object.fromEntries(cards.map(({ id, isDefault }) => [id, isDefault]))).toEqual({
    [card]: false,
    [other.id]: true,
  });
});

check('cards are listed newest first ("Pagination")', async (far) => {
  const { customer, card } = await customerWithCard(far);
  if (far.real) await new Promise((resolve) => setTimeout(resolve, 1500));
  const other = await far.stripe.paymentMethods.attach('pm_card_mastercard', { customer });

  expect((await far.payments.listCards(customer)).map(({ id }) => id)).toEqual([other.id, card]);
});

check(
  'a removed card is no longer listed, and belongs to nobody ("Detach a PaymentMethod from a Customer")',
  async (far) => {
    const { customer, card } = await customerWithCard(far);

    await far.payments.removeCard(card, key());

    expect(await far.payments.listCards(customer)).toEqual([]);
    expect(await far.payments.fetch.card(card)).toMatchObject({ customer: null });
  },
);

check('with the default card the default goes ("Detach a PaymentMethod from a Customer")', async (far) => {
  const { customer, card } = await customerWithCard(far);
  await far.payments.setDefaultCard(customer, card, key());

  await far.payments.removeCard(card, key());

  expect(await far.payments.fetch.customer(customer)).toMatchObject({ defaultCard: null });
});

check('a removal that is tried again with its key is the same removal ("Idempotent requests")', async (far) => {
  const { card } = await customerWithCard(far);
  const once = key();
  await far.payments.removeCard(card, once);

  await expect(far.payments.removeCard(card, once)).resolves.toBeUndefined();
});

check('an unknown card is not found', async ({ payments }) => {
  await expect(payments.fetch.card('pm_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check(`another customer's card can't be the default ("Error codes": resource_missing)`, async (far) => {
  const [{ customer }, { card }] = [await customerWithCard(far), await customerWithCard(far)];

  const attempt = far.payments.setDefaultCard(customer, card, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a customer without cards has an empty list', async ({ payments }) => {
  const { id } = await payments.createCustomer(LUCIA, key());

  expect(await payments.listCards(id)).toEqual([]);
});
