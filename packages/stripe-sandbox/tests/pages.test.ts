import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { TEST_CARDS } from '../src/wire/test-cards';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const { stripe, fetch } = await testSandbox();
const BANNER = {
  en: 'Sandbox: no real money moves here.',
  es: 'Entorno de pruebas: aquí no se mueve dinero real.',
};
const price_data = { currency: 'eur', unit_amount: 1200, product_data: { name: 'Audiolibro' } };
const openCheckout = async (over: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  (
    await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://a.example/done',
      line_items: [{ quantity: 1, price_data }],
      ...over,
    })
  ).url!;

async function pay(card: string) {
  return stripe.paymentIntents.create({ amount: 1200, currency: 'eur', payment_method: card, confirm: true });
}

async function firstInvoice() {
  const { id: customer } = await stripe.customers.create({});
  const { id: default_payment_method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const items = [
    { price_data: { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' as const }, product } },
  ];
  const params = { customer, default_payment_method, items, expand: ['latest_invoice'] };
  return (await stripe.subscriptions.create(params)).latest_invoice as Stripe.Invoice;
}

const PAGES: [string, () => Promise<string>, { en: string; es: string }][] = [
  ['a purchase', () => openCheckout(), { en: 'Pay €12.00', es: 'Pagar 12,00\u00a0€' }],
  ['a donation', () => openCheckout({ submit_type: 'donate' }), { en: 'Donate €12.00', es: 'Donar 12,00\u00a0€' }],
  [
    'a subscription with a trial',
    () =>
      openCheckout({
        mode: 'subscription',
        line_items: [{ quantity: 1, price_data: { ...price_data, recurring: { interval: 'year' } } }],
        subscription_data: { trial_period_days: 14 },
      }),
    { en: 'Free for 14 days, then €12.00 a year', es: 'Gratis durante 14 días, después 12,00\u00a0€ al año' },
  ],
  [
    'a card for later',
    async () =>
      openCheckout({
        mode: 'setup',
        currency: 'eur',
        line_items: undefined,
        customer: (await stripe.customers.create({})).id,
      }),
    { en: 'Save a card for later', es: 'Guardar una tarjeta para más adelante' },
  ],
  [
    'a 3-D Secure page',
    async () => (await pay('pm_card_authenticationRequired')).next_action!.redirect_to_url!.url!,
    { en: 'A payment of €12.00 to Example (sandbox).', es: 'Un pago de 12,00\u00a0€ a Example (sandbox).' },
  ],
  [
    'a receipt',
    async () => (await stripe.charges.retrieve(String((await pay('pm_card_visa')).latest_charge))).receipt_url!,
    { en: 'Amount paid', es: 'Importe pagado' },
  ],
  ['an invoice', async () => (await firstInvoice()).hosted_invoice_url!, { en: 'Amount due', es: 'Importe pendiente' }],
  [
    'an onboarding page',
    async () => {
      const { id: account } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
      const urls = { return_url: 'https://a.example', refresh_url: 'https://a.example' };
      return (await stripe.accountLinks.create({ account, type: 'account_onboarding', ...urls })).url;
    },
    { en: 'Tell us about yourself', es: 'Háblanos de ti' },
  ],
];

for (const language of ['en', 'es'] as const)
  test.each(PAGES)(
    `%s is shown in the visitor’s language (${language}) with the sandbox banner`,
    async (_, url, expected) => {
      const response = await fetch(await url(), { headers: { 'accept-language': `${language}-XX,${language};q=0.9` } });
      const page = await response.text();

      expect(response.status).toBe(200);
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain(BANNER[language]);
      expect(page).toContain(expected[language]);
    },
  );

test('a page uses the language of its session', async () => {
  const page = await (
    await fetch(await openCheckout({ locale: 'es' }), { headers: { 'accept-language': 'en' } })
  ).text();

  expect(page).toContain('<html lang="es">');
});

test('a page shows who sells, and asks for the country with that of its language first', async () => {
  const product_data = { name: 'Audiolibro', description: 'Vendido por Lucía' };
  const line_items = [{ quantity: 1, price_data: { ...price_data, product_data } }];

  const page = await (await fetch(await openCheckout({ locale: 'es', line_items }))).text();

  expect(page).toContain('Vendido por Lucía');
  expect(page).toContain('<option value="ES" selected>España</option>');
  expect(page).toContain('<option value="DE" >Alemania</option>');
});

test('the invoice of a purchase shows its seller, and no period', async () => {
  const custom_fields = [{ name: 'Vendido por', value: 'Lucía' }];
  const url = await openCheckout({ invoice_creation: { enabled: true, invoice_data: { custom_fields } } });
  await payByForms(fetch, url, { number: '4242424242424242', email: 'oyente@example.com' });
  const [invoice] = (await stripe.invoices.list({ limit: 1 })).data;

  const [page, pdf] = await Promise.all(
    [invoice!.hosted_invoice_url!, invoice!.invoice_pdf!].map(async (address) =>
      Buffer.from(await (await fetch(address)).arrayBuffer()),
    ),
  );

  expect(page!.toString()).toContain('<dt>Vendido por</dt><dd>Lucía</dd>');
  expect(page!.toString()).not.toContain('–');
  expect(pdf!.toString('latin1')).toContain('Vendido por: Lucía');
});

test('every test card can be selected without JavaScript', async () => {
  const page = await (await fetch(await openCheckout())).text();

  const values = [...page.matchAll(/<option value="([\d ]+)"/g)].map(([, number = '']) => number.replaceAll(' ', ''));
  expect(values).toEqual(TEST_CARDS.map(({ number }) => number));
  expect(page).toMatch(/<form method="post">/);
});

test.each(TEST_CARDS.map(({ token, number }) => [token, number]))(
  'the selected card %s behaves as documented',
  async (_, number) => {
    const url = await openCheckout();
    const { declines, authentication } = TEST_CARDS.find((card) => card.number === number)!;
    const form = { step: 'pay', picked: number, email: 'oyente@example.com', month: '12', year: '2040', cvc: '123' };

    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

    const location = response.headers.get('location') ?? '';
    if (authentication) expect(location).toContain('/authenticate/cs_test_');
    else if (declines)
      expect([response.status, await response.text()]).toEqual([402, expect.stringContaining('role="alert"')]);
    else expect(location).toBe('https://a.example/done');
  },
);

test('an invoice can be paid on its page after its card was declined', async () => {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_769_853_600 });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const subscription = await stripe.subscriptions.create({
    customer,
    default_payment_method: bad,
    items: [{ price_data: { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' }, product } }],
    expand: ['latest_invoice'],
  });
  const { hosted_invoice_url: url } = subscription.latest_invoice as Stripe.Invoice;
  const before = await (await fetch(url!)).text();
  const { id: good } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: good });

  await fetch(url!, { method: 'POST', redirect: 'manual' });
  const after = await (await fetch(url!)).text();

  expect(before).toContain('Pay this invoice');
  expect(after).not.toContain('Pay this invoice');
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
});

test.each([
  '/pay/cs_test_none',
  '/receipts/ch_none',
  '/invoices/in_none',
  '/invoices/in_none/pdf',
  '/authenticate/pi_none',
])('%s does not exist and shows a not-found page', async (path) => {
  const response = await fetch(`http://sandbox.localhost/stripe${path}`);

  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('<h1>')]);
});
