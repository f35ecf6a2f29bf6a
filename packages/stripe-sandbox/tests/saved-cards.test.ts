import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const { stripe, fetch } = await testSandbox();
type Terms = Partial<Stripe.Checkout.SessionCreateParams>;

const number = '4242424242424242';
const price = (recurring?: { interval: 'month' }) => ({
  quantity: 1,
  price_data: { currency: 'eur', unit_amount: 1000, product_data: { name: 'x' }, recurring },
});
const MONTHLY: Terms = { mode: 'subscription', line_items: [price({ interval: 'month' })] };
const SETUP: Terms = { mode: 'setup', currency: 'eur', line_items: undefined };
const SAVING: Terms = { payment_intent_data: { setup_future_usage: 'off_session' } };

const openPage = (customer: string, terms: Terms = {}) =>
  stripe.checkout.sessions.create({
    ...{ mode: 'payment', success_url: 'https://a.example', line_items: [price()], customer },
    ...terms,
  });
const newCustomer = async () => (await stripe.customers.create({ email: 'oyente@example.com' })).id;
const cardsOf = async (customer: string) => (await stripe.paymentMethods.list({ customer })).data;

async function savedBy(terms: Terms): Promise<{ customer: string; cards: Stripe.PaymentMethod[] }> {
  const customer = await newCustomer();
  const { url } = await openPage(customer, terms);
  await payByForms(fetch, url!, { number });
  return { customer, cards: await cardsOf(customer) };
}

/** The ids of the cards that a page offers, in their order. */
async function offeredBy({ url }: Stripe.Checkout.Session): Promise<string[]> {
  const page = await (await fetch(url!)).text();
  return [...page.matchAll(/name="saved" value="(pm_\w+)"/g)].map(([, id]) => id!);
}

test.each<[string, Terms, string[]]>([
  ['a payment saves none', {}, []],
  ['a payment that is to be repeated', SAVING, ['limited']],
  ['a subscription', MONTHLY, ['limited']],
  ['a setup', SETUP, ['always']],
])('cards of pages, %s ("Prefilling saved cards in Checkout")', async (_, terms, expected) => {
  const { cards } = await savedBy(terms);

  expect(cards.map(({ allow_redisplay }) => allow_redisplay)).toEqual(expected);
});

test('a page offers the cards that its filter allows, by default only those for every purpose', async () => {
  const { customer, cards } = await savedBy(SAVING);
  const attached = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });

  const plain = await openPage(customer);
  const limited = await openPage(customer, {
    saved_payment_method_options: { allow_redisplay_filters: ['always', 'limited'] },
  });
  const every = await openPage(customer, {
    saved_payment_method_options: { allow_redisplay_filters: ['always', 'limited', 'unspecified'] },
  });

  expect(await offeredBy(plain)).toEqual([]);
  expect(await offeredBy(limited)).toEqual([cards[0]!.id]);
  expect((await offeredBy(every)).sort()).toEqual([cards[0]!.id, attached.id].sort());
});

test('a card that the page does not offer cannot pay on it', async () => {
  const { customer, cards } = await savedBy(SAVING);
  const { id, url } = await openPage(customer);

  const body = new URLSearchParams({ step: 'pay', saved: cards[0]!.id });
  const answer = await fetch(url!, { method: 'POST', body, redirect: 'manual' });

  expect(answer.status).toBe(402);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
});

test('a subscription page offers the default card first ("Create a Checkout Session": customer)', async () => {
  const { customer, cards } = await savedBy(SETUP);
  const { url } = await openPage(customer, SETUP);
  await payByForms(fetch, url!, { number: '5555555555554444' });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: cards[0]!.id } });

  const offered = await offeredBy(await openPage(customer, MONTHLY));

  expect(offered).toHaveLength(2);
  expect(offered[0]).toBe(cards[0]!.id);
});

test('a setup page has no options for saved cards', async () => {
  const attempt = openPage(await newCustomer(), {
    ...SETUP,
    saved_payment_method_options: { allow_redisplay_filters: ['always'] },
  });

  await expect(attempt).rejects.toMatchObject({ param: 'saved_payment_method_options' });
});
