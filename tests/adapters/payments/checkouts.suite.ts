import { expect } from 'vitest';
import type { Money } from '~/server/base/money';
import { collectChecks, eur, key, type RemoteStripe, visit } from './remote-stripe';

const VISA = '4242424242424242';
const DECLINED = '4000000000000002';
const AUTHENTICATES = '4000002760003184';
/** Needs authentication once, if it is set up for later payments then. */
const AUTHENTICATES_ONCE = '4000002500003155';
const guest = { email: 'oyente@example.com' };
const purchase = { ...visit, buyer: guest, name: 'Audiolibro', price: eur(1200) };

const couponFor = (remote: RemoteStripe, off: { percent: number } | Money) =>
  remote.payments.createCoupon({ id: `c-${key()}`, off, length: 'once' }, key());

/** A customer without a test clock: hosted pages use real time. */
async function registeredCustomer({ payments }: RemoteStripe): Promise<string> {
  return (await payments.createCustomer({ ...guest, name: 'Oyente', language: 'en', reference: {} }, key())).id;
}

export const checkoutChecks = collectChecks();
const { check } = checkoutChecks;

check('a purchase opens a page with its price', async ({ payments }) => {
  const checkout = await payments.startPurchase(purchase, key());

  expect(checkout).toMatchObject({
    kind: 'purchase',
    status: 'open',
    settled: false,
    total: eur(1200),
    discount: eur(0),
  });
  expect(checkout.url).toMatch(/^https?:\/\//);
  expect(checkout.reference).toEqual(visit.reference);
});

check('a page stays open for one day at most ("Create a Checkout Session": expires_at)', async (remote) => {
  const { created } = await remote.stripe.customers.create({});

  const { expiresAt } = await remote.payments.startPurchase(purchase, key());

  expect(expiresAt.getTime() / 1000 - created).toBeLessThanOrEqual(86_400 + 60);
});

check('a page closes 30 minutes from now at the earliest ("Create a Checkout Session": expires_at)', async (remote) => {
  const { created } = await remote.stripe.customers.create({});
  const minutes = (count: number) => new Date((created + count * 60) * 1000);

  const { expiresAt } = await remote.payments.startPurchase({ ...purchase, expiresAt: minutes(35) }, key());
  const tooSoon = remote.payments.startPurchase({ ...purchase, expiresAt: minutes(25) }, key());

  expect(expiresAt).toEqual(minutes(35));
  await expect(tooSoon).rejects.toMatchObject({ code: 'payments.rejected' });
});

check('a guest is identified by email, a customer by id', async (remote) => {
  const customer = await registeredCustomer(remote);

  const asGuest = await remote.payments.startPurchase(purchase, key());
  const asCustomer = await remote.payments.startPurchase({ ...purchase, buyer: { customer } }, key());

  expect(asGuest).toMatchObject({ email: guest.email, customer: null });
  expect(asCustomer).toMatchObject({ customer });
});

check('the same key opens one page ("Idempotent requests")', async ({ payments }) => {
  const once = key();

  const [first, second] = [await payments.startPurchase(purchase, once), await payments.startPurchase(purchase, once)];

  expect(second).toEqual(first);
});

check('an opened page can be fetched unchanged', async ({ payments }) => {
  const checkout = await payments.startPurchase(purchase, key());

  const again = await payments.fetch.checkout(checkout.id);

  // the fragment is for the script of that page
  const bare = (address: string | null) => address?.replace(/#.*/, '');
  expect({ ...again, url: bare(again.url) }).toEqual({ ...checkout, url: bare(checkout.url) });
});

for (const [what, off, total] of [
  ['a quarter', { percent: 25 }, 900],
  ['a flat amount', eur(250), 950],
  ['everything', { percent: 100 }, 0],
  ['a third, to the cent', { percent: 33.33 }, 800],
] as const)
  check(`a coupon takes ${what} off a purchase ("Coupons and promotion codes")`, async (remote) => {
    const { id } = await couponFor(remote, off);

    const checkout = await remote.payments.startPurchase({ ...purchase, coupon: id }, key());

    expect(checkout).toMatchObject({ total: eur(total), discount: eur(1200 - total) });
  });

check('an unknown coupon opens no page ("Error codes": resource_missing)', async ({ payments }) => {
  const attempt = payments.startPurchase({ ...purchase, coupon: 'nothing' }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a subscription page shows the amount of the first payment', async (remote) => {
  const customer = await registeredCustomer(remote);

  const checkout = await remote.payments.startSubscription(
    { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' },
    key(),
  );

  expect(checkout).toMatchObject({ kind: 'subscription', total: eur(499), subscription: null });
});

check('a page with a trial charges nothing today ("Configure free trials")', async (remote) => {
  const customer = await registeredCustomer(remote);

  const checkout = await remote.payments.startSubscription(
    { ...visit, customer, name: 'Ruido', price: eur(4990), every: 'year', trialDays: 14 },
    key(),
  );

  expect(checkout.total).toEqual(eur(0));
});

check(
  'a one-time donation is a purchase, a monthly one is a subscription ("Create a Checkout Session": submit_type)',
  async (remote) => {
    const customer = await registeredCustomer(remote);
    const terms = { ...visit, buyer: { customer }, name: 'Donativo', amount: eur(500) };

    const once = await remote.payments.startDonation({ ...terms, every: null }, key());
    const monthly = await remote.payments.startDonation({ ...terms, every: 'month' }, key());

    expect([once.kind, monthly.kind]).toEqual(['purchase', 'subscription']);
    expect([once.total, monthly.total]).toEqual([eur(500), eur(500)]);
  },
);

check('a card setup page has no price ("Create a Checkout Session": mode)', async (remote) => {
  const customer = await registeredCustomer(remote);

  const checkout = await remote.payments.startCardSetup({ ...visit, customer }, key());

  expect(checkout).toMatchObject({ kind: 'setup', customer, total: null, card: null, settled: false });
});

check('an expired page has no URL ("Expire a Checkout Session")', async ({ payments }) => {
  const { id } = await payments.startPurchase(purchase, key());

  const over = await payments.expireCheckout(id, key());

  expect(over).toMatchObject({ status: 'expired', url: null, settled: false });
});

check('an unknown checkout is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.checkout('cs_test_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('paying completes a purchase, and the payment has its reference', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());

  await remote.pay(url!, { number: VISA, email: guest.email });

  const checkout = await remote.payments.fetch.checkout(id);
  expect(checkout).toMatchObject({ status: 'complete', settled: true, email: guest.email });
  expect(await remote.payments.fetch.payment(checkout.payment!)).toMatchObject({
    status: 'succeeded',
    amount: eur(1200),
    reference: visit.reference,
  });
});

check('a declined card leaves the page open for another card ("How Checkout works")', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());

  await remote.pay(url!, { number: DECLINED, email: guest.email });
  const between = await remote.payments.fetch.checkout(id);
  await remote.pay(url!, { number: VISA, email: guest.email });

  expect(between).toMatchObject({ status: 'open', settled: false });
  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ status: 'complete', settled: true });
});

check('a payment succeeds after authentication ("Test card numbers": 3D Secure)', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());

  await remote.pay(url!, { number: AUTHENTICATES, email: guest.email, proven: true });

  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ settled: true });
});

check('a payment stays open after a failed authentication ("Test card numbers": 3D Secure)', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());

  await remote.pay(url!, { number: AUTHENTICATES, email: guest.email, proven: false });

  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ status: 'open', settled: false });
});

check('an order of zero completes without a payment ("No-cost orders")', async (remote) => {
  const { id: coupon } = await couponFor(remote, { percent: 100 });
  const { id, url } = await remote.payments.startPurchase({ ...purchase, coupon }, key());

  await remote.pay(url!, { number: VISA, email: guest.email });

  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ settled: true, payment: null });
});

check('a card from a setup page belongs to the customer', async (remote) => {
  const customer = await registeredCustomer(remote);
  const { id, url } = await remote.payments.startCardSetup({ ...visit, customer }, key());

  await remote.pay(url!, { number: VISA });

  const { card } = await remote.payments.fetch.checkout(id);
  expect((await remote.payments.listCards(customer)).map((listed) => listed.id)).toEqual([card]);
});

check('a purchase saves no card unless the buyer agrees ("Save payment details during payment")', async (remote) => {
  const customer = await registeredCustomer(remote);
  const [plain, saving] = [
    await remote.payments.startPurchase({ ...purchase, buyer: { customer } }, key()),
    await remote.payments.startPurchase({ ...purchase, buyer: { customer }, savesCard: true }, key()),
  ];

  await remote.pay(plain.url!, { number: VISA });
  const before = await remote.payments.listCards(customer);
  await remote.pay(saving.url!, { number: VISA });

  const cards = await remote.payments.listCards(customer);
  expect(before).toEqual([]);
  expect(cards).toMatchObject([{ customer, last4: '4242' }]);
  const { allow_redisplay } = await remote.stripe.paymentMethods.retrieve(cards[0]!.id);
  expect(allow_redisplay).toBe('limited');
});

check(
  'a card that a purchase has saved can be charged later ("Save payment details during payment")',
  async (remote) => {
    const customer = await registeredCustomer(remote);
    const { url } = await remote.payments.startPurchase({ ...purchase, buyer: { customer }, savesCard: true }, key());
    await remote.pay(url!, { number: AUTHENTICATES_ONCE, proven: true });
    const [card] = await remote.payments.listCards(customer);

    const charge = { customer, card: card!.id, amount: eur(500), name: 'Plan', reference: {} };

    expect(await remote.payments.charge(charge, key())).toMatchObject({ status: 'succeeded', amount: eur(500) });
  },
);

check(
  'a guest who saves a card becomes a customer ("Create a Checkout Session": customer_creation)',
  async (remote) => {
    const { id, url } = await remote.payments.startPurchase({ ...purchase, savesCard: true }, key());

    await remote.pay(url!, { number: VISA, email: guest.email });

    const { customer } = await remote.payments.fetch.checkout(id);
    expect(await remote.payments.listCards(customer!)).toMatchObject([{ customer, last4: '4242' }]);
  },
);

check('pages offer all cards of their customer ("Prefilling saved cards in Checkout")', async (remote) => {
  const customer = await registeredCustomer(remote);
  const terms = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const };
  const pages = [
    await remote.payments.startPurchase({ ...purchase, buyer: { customer } }, key()),
    await remote.payments.startSubscription(terms, key()),
    await remote.payments.startDonation({ ...terms, buyer: { customer }, amount: eur(500), every: null }, key()),
  ];

  for (const { id } of pages) {
    const { saved_payment_method_options: options } = await remote.stripe.checkout.sessions.retrieve(id);
    expect(options?.allow_redisplay_filters).toEqual(['always', 'limited', 'unspecified']);
  }
});

check('a subscription starts with its first payment', async (remote) => {
  const customer = await registeredCustomer(remote);
  const terms = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const };
  const { id, url } = await remote.payments.startSubscription(terms, key());

  await remote.pay(url!, { number: VISA });

  const { subscription, settled } = await remote.payments.fetch.checkout(id);
  expect(settled).toBe(true);
  expect(await remote.payments.fetch.subscription(subscription!)).toMatchObject({
    customer,
    status: 'active',
    price: eur(499),
    every: 'month',
    reference: visit.reference,
  });
});

check('a trial starts without a payment', async (remote) => {
  const customer = await registeredCustomer(remote);
  const terms = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const, trialDays: 14 };
  const { id, url } = await remote.payments.startSubscription(terms, key());

  await remote.pay(url!, { number: VISA });

  const { subscription, settled } = await remote.payments.fetch.checkout(id);
  expect(settled).toBe(true);
  expect(await remote.payments.fetch.subscription(subscription!)).toMatchObject({ status: 'trialing' });
});

check('a declined card starts no subscription ("How Checkout works")', async (remote) => {
  const customer = await registeredCustomer(remote);
  const terms = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const };
  const { id, url } = await remote.payments.startSubscription(terms, key());

  await remote.pay(url!, { number: DECLINED });

  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ status: 'open', subscription: null });
});

check('a paid page cannot be expired ("Expire a Checkout Session")', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());
  await remote.pay(url!, { number: VISA, email: guest.email });

  await expect(remote.payments.expireCheckout(id, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a used-up coupon opens no page', async (remote) => {
  const { id } = await remote.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 100 }, length: 'once', maxRedemptions: 1 },
    key(),
  );
  const { url } = await remote.payments.startPurchase({ ...purchase, coupon: id }, key());
  await remote.pay(url!, { number: VISA, email: guest.email });

  const attempt = remote.payments.startPurchase({ ...purchase, coupon: id }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.coupon_not_redeemable' });
});
