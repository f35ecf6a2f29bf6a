import { expect } from 'vitest';
import { collectChecks, customerWithCard, eur, key, type RemoteStripe, visit } from './remote-stripe';

const VISA = '4242424242424242';
const SPANISH = '4000007240000007';
const guest = { email: 'oyente@example.com' };
const seller = { label: 'Vendido por', name: 'Lucía Ñandú & Compañía' };
const purchase = { ...visit, buyer: guest, name: 'Audiolibro', price: eur(1200) };
const terms = { amount: eur(700), name: 'Ruido de fondo', reference: { order: '18' } };

const paymentsOf = async ({ payments }: RemoteStripe, customer: string) =>
  (await payments.listPayments({ customer, limit: 10 })).filter(({ status }) => status === 'succeeded');

export const saleChecks = collectChecks();
const { check } = saleChecks;

check('a saved card is charged once, without the customer ("Save and reuse": off_session)', async (remote) => {
  const { payments, stripe } = remote;
  const { customer, card } = await customerWithCard(remote);

  const payment = await payments.charge({ customer, card, ...terms, seller }, key());

  expect(payment).toMatchObject({
    status: 'succeeded',
    amount: eur(700),
    customer,
    card,
    reference: terms.reference,
    invoice: null,
    subscription: null,
    failure: null,
  });
  expect(payment.receiptUrl).toMatch(/^https?:/);
  expect(await stripe.paymentIntents.retrieve(payment.id)).toMatchObject({
    description: 'Ruido de fondo · Vendido por Lucía Ñandú & Compañía',
    statement_descriptor_suffix: 'LUCIA NAND',
    allowed_payment_method_types: ['card'],
  });
});

check('the same key charges once ("Idempotent requests")', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();

  const [first, second] = [
    await remote.payments.charge({ customer, card, ...terms }, once),
    await remote.payments.charge({ customer, card, ...terms }, once),
  ];

  expect(second).toEqual(first);
  expect(await paymentsOf(remote, customer)).toHaveLength(1);
});

check('a declined charge has its reason, and repeating its key repeats it ("Idempotent requests")', async (remote) => {
  const { customer, card } = await customerWithCard(remote, { card: 'pm_card_chargeCustomerFail' });
  const once = key();

  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(remote.payments.charge({ customer, card, ...terms }, once)).rejects.toMatchObject({
      code: 'payments.card_declined',
      params: { reason: 'declined' },
    });

  expect(await paymentsOf(remote, customer)).toEqual([]);
});

check('a card that needs authentication is not charged ("Test card numbers": 3D Secure)', async (remote) => {
  const { customer, card } = await customerWithCard(remote, { card: 'pm_card_authenticationRequired' });

  await expect(remote.payments.charge({ customer, card, ...terms }, key())).rejects.toMatchObject({
    code: 'payments.authentication_required',
    kind: 'conflict',
  });
  expect(await paymentsOf(remote, customer)).toEqual([]);
});

check('a card of another customer, or a removed one, is not charged', async (remote) => {
  const { payments } = remote;
  const [one, two] = [await customerWithCard(remote), await customerWithCard(remote)];
  await payments.removeCard(two.card, key());

  for (const { customer, card } of [
    { customer: two.customer, card: one.card },
    { customer: two.customer, card: two.card },
    { customer: two.customer, card: 'pm_nothing' },
  ])
    await expect(payments.charge({ customer, card, ...terms }, key())).rejects.toMatchObject({
      code: 'payments.not_found',
    });
});

check('a purchase names its seller, and creates an invoice that is paid ("Post-payment invoices")', async (remote) => {
  const { payments, stripe } = remote;
  const { id: coupon } = await payments.createCoupon({ id: `c-${key()}`, off: eur(200), length: 'once' }, key());
  const opened = await payments.startPurchase({ ...purchase, coupon, seller, invoice: true }, key());

  await remote.pay(opened.url!, { number: VISA, email: guest.email });

  const checkout = await payments.fetch.checkout(opened.id);
  const payment = await payments.fetch.payment(checkout.payment!);
  expect(checkout).toMatchObject({ settled: true, invoice: expect.stringMatching(/^in_/), customer: payment.customer });
  expect(payment).toMatchObject({ invoice: checkout.invoice, subscription: null, amount: eur(1000) });
  expect(await payments.fetch.invoice(checkout.invoice!)).toMatchObject({
    status: 'paid',
    reason: 'other',
    subscription: null,
    payment: payment.id,
    subtotal: eur(1200),
    discount: eur(200),
    total: eur(1000),
    paid: eur(1000),
    number: expect.any(String),
    pageUrl: expect.stringMatching(/^https?:/),
  });
  expect(await stripe.invoices.retrieve(checkout.invoice!)).toMatchObject({
    description: 'Audiolibro',
    custom_fields: [{ name: 'Vendido por', value: 'Lucía Ñandú & Compañía' }],
    metadata: purchase.reference,
  });
  expect(await stripe.paymentIntents.retrieve(payment.id)).toMatchObject({
    description: 'Audiolibro · Vendido por Lucía Ñandú & Compañía',
    statement_descriptor_suffix: 'LUCIA NAND',
  });
});

check('without an invoice, a purchase has none', async (remote) => {
  const { id, url } = await remote.payments.startPurchase(purchase, key());

  await remote.pay(url!, { number: VISA, email: guest.email });

  expect(await remote.payments.fetch.checkout(id)).toMatchObject({ settled: true, invoice: null });
});

check('a purchase of zero has an invoice without a payment ("No-cost orders")', async (remote) => {
  const { payments } = remote;
  const { id: coupon } = await payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 100 }, length: 'once' },
    key(),
  );
  const { id, url } = await payments.startPurchase({ ...purchase, coupon, invoice: true }, key());

  await remote.pay(url!, { number: VISA, email: guest.email });

  const { invoice } = await payments.fetch.checkout(id);
  expect(await payments.fetch.invoice(invoice!)).toMatchObject({ status: 'paid', total: eur(0), payment: null });
});

check('invoices of a subscription name its seller ("Update a subscription": invoice_settings)', async (remote) => {
  const { payments, stripe } = remote;
  const { customer, card } = await customerWithCard(remote);
  const subscription = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };
  const fields = async () => {
    const [invoice] = await payments.listInvoices(customer, 1);
    return (await stripe.invoices.retrieve(invoice!.id)).custom_fields;
  };

  const { id } = await payments.subscribe({ customer, card, ...subscription, seller }, key());
  const first = await fields();
  await payments.setSeller(id, { label: 'Sold by', name: 'Ana' }, key());
  await payments.setTrialEnd(id, new Date('2026-03-20T10:00:00Z'), key());
  await payments.setTrialEnd(id, 'now', key());

  expect(first).toEqual([{ name: 'Vendido por', value: 'Lucía Ñandú & Compañía' }]);
  expect(await fields()).toEqual([{ name: 'Sold by', value: 'Ana' }]);
  expect((await stripe.subscriptions.retrieve(id)).description).toBe('Ruido · Vendido por Lucía Ñandú & Compañía');
});

check('the page of a subscription and of a donation names the seller', async (remote) => {
  const { payments, stripe } = remote;
  const { id: customer } = await payments.createCustomer({ ...guest, name: 'O', language: 'es', reference: {} }, key());
  const price = eur(499);
  const page = { ...visit, name: 'Ruido', seller };

  const opened = [
    await payments.startSubscription({ ...page, customer, price, every: 'month' }, key()),
    await payments.startDonation({ ...page, buyer: { customer }, amount: price, every: 'month' }, key()),
    await payments.startDonation({ ...page, buyer: { customer }, amount: price, every: null }, key()),
  ];

  for (const { id } of opened) {
    const expand = ['line_items.data.price.product'];
    const { line_items: items } = await stripe.checkout.sessions.retrieve(id, { expand });
    expect(items!.data[0]!.price!.product).toMatchObject({
      name: 'Ruido',
      description: 'Vendido por Lucía Ñandú & Compañía',
    });
  }
});

check('a page closes at its deadline ("Create a Checkout Session": expires_at)', async (remote) => {
  const { created } = await remote.stripe.customers.create({});
  const expiresAt = new Date((created + 3600) * 1000);

  const checkout = await remote.payments.startPurchase({ ...purchase, expiresAt }, key());

  expect(checkout.expiresAt).toEqual(expiresAt);
  expect((await remote.stripe.checkout.sessions.retrieve(checkout.id)).expires_at).toBe(created + 3600);
});

for (const [what, after] of [
  ['less than 30 minutes', 1700],
  ['more than a day', 90_000],
] as const)
  check(`a deadline of ${what} opens no page ("Create a Checkout Session": expires_at)`, async (remote) => {
    const { created } = await remote.stripe.customers.create({});
    const expiresAt = new Date((created + after) * 1000);

    await expect(remote.payments.startPurchase({ ...purchase, expiresAt }, key())).rejects.toMatchObject({
      code: 'payments.rejected',
    });
  });

check(
  'the countries of the buyer’s address and of the card are known ("billing_address_collection")',
  async (remote) => {
    const { payments, stripe } = remote;
    const opened = await payments.startPurchase(purchase, key());

    await remote.pay(opened.url!, { number: SPANISH, email: guest.email, country: 'DE' });

    const { payment, country } = await payments.fetch.checkout(opened.id);
    expect([opened.country, country]).toEqual([null, 'DE']);
    expect(await payments.fetch.payment(payment!)).toMatchObject({ country: 'DE', cardCountry: 'ES' });
    expect(await stripe.checkout.sessions.retrieve(opened.id)).toMatchObject({ billing_address_collection: 'auto' });
  },
);

check('a card has the country where it was issued ("Test card numbers": international)', async (remote) => {
  const { card } = await customerWithCard(remote, { card: 'pm_card_es' });

  expect(await remote.payments.fetch.card(card)).toMatchObject({ country: 'ES' });
});
