import { expect } from 'vitest';
import type { Money } from '~/server/money';
import { collectChecks, eur, key, type RemoteStripe, visit } from './remote-stripe';

const VISA = '4242424242424242';
const DECLINED = '4000000000000002';
const ASKS_BANK = '4000002760003184';
const guest = { email: 'oyente@example.com' };
const purchase = { ...visit, buyer: guest, name: 'Audiolibro', price: eur(1200) };

const couponFor = (far: RemoteStripe, off: { percent: number } | Money) =>
  far.payments.createCoupon({ id: `c-${key()}`, off, length: 'once' }, key());

/** On no test clock: hosted pages go by the day's time. */
async function member({ payments }: RemoteStripe): Promise<string> {
  return (await payments.createCustomer({ ...guest, name: 'Oyente', language: 'en', reference: {} }, key())).id;
}

export const checkoutChecks = collectChecks();
const { check } = checkoutChecks;

check('a purchase opens a page with the price', async ({ payments }) => {
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

check('a page is open for a day at most ("Create a Checkout Session": expires_at)', async (far) => {
  const { created } = await far.stripe.customers.create({});

  const { expiresAt } = await far.payments.startPurchase(purchase, key());

  expect(expiresAt.getTime() / 1000 - created).toBeLessThanOrEqual(86_400 + 60);
});

check('a guest is known by the address, a customer by the id', async (far) => {
  const customer = await member(far);

  const asGuest = await far.payments.startPurchase(purchase, key());
  const asCustomer = await far.payments.startPurchase({ ...purchase, buyer: { customer } }, key());

  expect(asGuest).toMatchObject({ email: guest.email, customer: null });
  expect(asCustomer).toMatchObject({ customer });
});

check('the same key opens one page ("Idempotent requests")', async ({ payments }) => {
  const once = key();

  const [first, second] = [await payments.startPurchase(purchase, once), await payments.startPurchase(purchase, once)];

  expect(second).toEqual(first);
});

check('a page is found again as it was opened', async ({ payments }) => {
  const checkout = await payments.startPurchase(purchase, key());

  const again = await payments.fetch.checkout(checkout.id);

  // what stands behind the # is for the page's own script
  const bare = (address: string | null) => address?.replace(/#.*/, '');
  expect({ ...again, url: bare(again.url) }).toEqual({ ...checkout, url: bare(checkout.url) });
});

for (const [said, off, total] of [
  ['a quarter', { percent: 25 }, 900],
  ['a flat amount', eur(250), 950],
  ['all', { percent: 100 }, 0],
  ['a third, to the cent', { percent: 33.33 }, 800],
] as const)
  check(`a coupon takes ${said} off a purchase ("Coupons and promotion codes")`, async (far) => {
    const { id } = await couponFor(far, off);

    const checkout = await far.payments.startPurchase({ ...purchase, coupon: id }, key());

    expect(checkout).toMatchObject({ total: eur(total), discount: eur(1200 - total) });
  });

check('a coupon that is not there opens no page ("Error codes": resource_missing)', async ({ payments }) => {
  const attempt = payments.startPurchase({ ...purchase, coupon: 'nothing' }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a subscription page shows the first payment', async (far) => {
  const customer = await member(far);

  const checkout = await far.payments.startSubscription(
    { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' },
    key(),
  );

  expect(checkout).toMatchObject({ kind: 'subscription', total: eur(499), subscription: null });
});

check('a page with a trial asks for nothing today ("Configure free trials")', async (far) => {
  const customer = await member(far);

  const checkout = await far.payments.startSubscription(
    { ...visit, customer, name: 'Ruido', price: eur(4990), every: 'year', trialDays: 14 },
    key(),
  );

  expect(checkout.total).toEqual(eur(0));
});

check(
  'a donation is a purchase, a monthly one a subscription ("Create a Checkout Session": submit_type)',
  async (far) => {
    const customer = await member(far);
    const said = { ...visit, buyer: { customer }, name: 'Donativo', amount: eur(500) };

    const once = await far.payments.startDonation({ ...said, every: null }, key());
    const monthly = await far.payments.startDonation({ ...said, every: 'month' }, key());

    expect([once.kind, monthly.kind]).toEqual(['purchase', 'subscription']);
    expect([once.total, monthly.total]).toEqual([eur(500), eur(500)]);
  },
);

check('a page for a card has no price ("Create a Checkout Session": mode)', async (far) => {
  const customer = await member(far);

  const checkout = await far.payments.startCardSetup({ ...visit, customer }, key());

  expect(checkout).toMatchObject({ kind: 'setup', customer, total: null, card: null, settled: false });
});

check('a page that is taken back is expired and leads nowhere ("Expire a Checkout Session")', async ({ payments }) => {
  const { id } = await payments.startPurchase(purchase, key());

  const over = await payments.expireCheckout(id, key());

  expect(over).toMatchObject({ status: 'expired', url: null, settled: false });
});

check('an unknown page is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.checkout('cs_test_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('paying settles a purchase, and the payment knows its order', async (far) => {
  const { id, url } = await far.payments.startPurchase(purchase, key());

  await far.pay(url!, { number: VISA, email: guest.email });

  const checkout = await far.payments.fetch.checkout(id);
  expect(checkout).toMatchObject({ status: 'complete', settled: true, email: guest.email });
  expect(await far.payments.fetch.payment(checkout.payment!)).toMatchObject({
    status: 'succeeded',
    amount: eur(1200),
    reference: visit.reference,
  });
});

check('a refused card leaves the page open, for another card ("How Checkout works")', async (far) => {
  const { id, url } = await far.payments.startPurchase(purchase, key());

  await far.pay(url!, { number: DECLINED, email: guest.email });
  const between = await far.payments.fetch.checkout(id);
  await far.pay(url!, { number: VISA, email: guest.email });

  expect(between).toMatchObject({ status: 'open', settled: false });
  expect(await far.payments.fetch.checkout(id)).toMatchObject({ status: 'complete', settled: true });
});

check('a payment that the bank asked about is paid when proven ("Test card numbers": 3D Secure)', async (far) => {
  const { id, url } = await far.payments.startPurchase(purchase, key());

  await far.pay(url!, { number: ASKS_BANK, email: guest.email, proven: true });

  expect(await far.payments.fetch.checkout(id)).toMatchObject({ settled: true });
});

check('a payment that the bank asked about is open when not proven ("Test card numbers": 3D Secure)', async (far) => {
  const { id, url } = await far.payments.startPurchase(purchase, key());

  await far.pay(url!, { number: ASKS_BANK, email: guest.email, proven: false });

  expect(await far.payments.fetch.checkout(id)).toMatchObject({ status: 'open', settled: false });
});

check('nothing to pay is settled without a payment ("No-cost orders")', async (far) => {
  const { id: coupon } = await couponFor(far, { percent: 100 });
  const { id, url } = await far.payments.startPurchase({ ...purchase, coupon }, key());

  await far.pay(url!, { number: VISA, email: guest.email });

  expect(await far.payments.fetch.checkout(id)).toMatchObject({ settled: true, payment: null });
});

check('a card that was left is the customer’s', async (far) => {
  const customer = await member(far);
  const { id, url } = await far.payments.startCardSetup({ ...visit, customer }, key());

  await far.pay(url!, { number: VISA });

  const { card } = await far.payments.fetch.checkout(id);
  expect((await far.payments.listCards(customer)).map((listed) => listed.id)).toEqual([card]);
});

check('a subscription begins with its first payment', async (far) => {
  const customer = await member(far);
  const said = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const };
  const { id, url } = await far.payments.startSubscription(said, key());

  await far.pay(url!, { number: VISA });

  const { subscription, settled } = await far.payments.fetch.checkout(id);
  expect(settled).toBe(true);
  expect(await far.payments.fetch.subscription(subscription!)).toMatchObject({
    customer,
    status: 'active',
    price: eur(499),
    every: 'month',
    reference: visit.reference,
  });
});

check('a trial begins without a payment', async (far) => {
  const customer = await member(far);
  const said = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const, trialDays: 14 };
  const { id, url } = await far.payments.startSubscription(said, key());

  await far.pay(url!, { number: VISA });

  const { subscription, settled } = await far.payments.fetch.checkout(id);
  expect(settled).toBe(true);
  expect(await far.payments.fetch.subscription(subscription!)).toMatchObject({ status: 'trialing' });
});

check('a refused card begins no subscription ("How Checkout works")', async (far) => {
  const customer = await member(far);
  const said = { ...visit, customer, name: 'Ruido', price: eur(499), every: 'month' as const };
  const { id, url } = await far.payments.startSubscription(said, key());

  await far.pay(url!, { number: DECLINED });

  expect(await far.payments.fetch.checkout(id)).toMatchObject({ status: 'open', subscription: null });
});

check('a page that was paid can’t be taken back ("Expire a Checkout Session")', async (far) => {
  const { id, url } = await far.payments.startPurchase(purchase, key());
  await far.pay(url!, { number: VISA, email: guest.email });

  await expect(far.payments.expireCheckout(id, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a coupon that is used up opens no page', async (far) => {
  const { id } = await far.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 100 }, length: 'once', maxRedemptions: 1 },
    key(),
  );
  const { url } = await far.payments.startPurchase({ ...purchase, coupon: id }, key());
  await far.pay(url!, { number: VISA, email: guest.email });

  const attempt = far.payments.startPurchase({ ...purchase, coupon: id }, key());

  await expect(attempt).rejects.toMatchObject({ code: 'payments.coupon_not_redeemable' });
});
