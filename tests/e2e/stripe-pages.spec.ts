import { type APIRequestContext, expect, type Page, test } from '@playwright/test';

const BASE = '/_sandbox/stripe';
const VISA = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 9995';
const ASKS_BANK = '4000 0027 6000 3184';

/** Browsers know names below localhost; the resolver of a bare machine may not. */
let api = '';
test.beforeEach(({ baseURL }) => {
  api = String(baseURL).replace('//altavoz.localhost', '//127.0.0.1');
});

/** Speaks to the sandbox over HTTP as anything else than the app does. */
async function ask(request: APIRequestContext, path: string, form?: Record<string, string>) {
  const headers = { authorization: 'Bearer sk_test_journey' };
  const answer = form
    ? await request.post(`${api}${BASE}/v1/${path}`, { headers, form })
    : await request.get(`${api}${BASE}/v1/${path}`, { headers });
  const body = await answer.json();
  expect(answer.ok(), JSON.stringify(body)).toBe(true);
  return body;
}

const back = (baseURL: string | undefined) => `${baseURL}${BASE}/invoices/none?`;

async function purchase(request: APIRequestContext, baseURL: string | undefined, over: Record<string, string> = {}) {
  return ask(request, 'checkout/sessions', {
    mode: 'payment',
    success_url: `${back(baseURL)}done={CHECKOUT_SESSION_ID}`,
    cancel_url: `${back(baseURL)}canceled`,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '1200',
    'line_items[0][price_data][product_data][name]': 'Audiolibro',
    locale: 'en',
    ...over,
  });
}

/** The same page on the host that the test speaks to. */
const here = (url: string) => new URL(url).pathname + new URL(url).search;

async function fillIn(page: Page, number: string, email = 'oyente@example.com'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Card number').fill(number);
}

for (const javaScriptEnabled of [true, false])
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test('a purchase is paid, and leads on to where the product said', async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(here(url));
      await expect(page.getByRole('note')).toHaveText('Sandbox: no real money moves here.');
      await fillIn(page, VISA);
      await page.getByRole('button', { name: 'Pay €12.00' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
      expect(await ask(request, `checkout/sessions/${id}`)).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
      });
    });

    test('a refused card says why, and another one pays', async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(here(url));
      await fillIn(page, DECLINED);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await expect(page.getByRole('alert')).toHaveText('Your card has insufficient funds.');
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: /^Pay/ }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('the bank asks, and is answered no and then yes', async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(here(url));
      await fillIn(page, ASKS_BANK);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await expect(page.getByRole('alert')).toHaveText(/could not confirm/);
      await fillIn(page, ASKS_BANK);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await expect(page.getByText('€12.00')).toBeVisible();
      await page.getByRole('button', { name: 'Complete authentication' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('a card is picked, in Spanish', async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL, { locale: 'es' });

      await page.goto(here(url));
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      await page.getByLabel('Correo electrónico').fill('oyente@example.com');
      await page.getByLabel('Una tarjeta de prueba').selectOption(VISA);
      if (javaScriptEnabled) await expect(page.getByLabel('Número de tarjeta')).toHaveValue(VISA);
      await page.getByRole('button', { name: 'Pagar 12,00 €' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('a card is kept for later, and pays a subscription with a trial', async ({ page, request, baseURL }) => {
      const { id: customer } = await ask(request, 'customers', { email: 'oyente@example.com' });
      const common = { customer, success_url: `${back(baseURL)}done`, locale: 'en' };
      const setup = await ask(request, 'checkout/sessions', { ...common, mode: 'setup', currency: 'eur' });
      const subscription = await ask(request, 'checkout/sessions', {
        ...common,
        mode: 'subscription',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': '499',
        'line_items[0][price_data][recurring][interval]': 'month',
        'line_items[0][price_data][product_data][name]': 'Ruido',
        'subscription_data[trial_period_days]': '14',
      });

      await page.goto(here(setup.url));
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: 'Save card' }).click();
      await expect(page).toHaveURL(/done/);
      await page.goto(here(subscription.url));
      await expect(page.getByText('Free for 14 days, then €4.99 a month')).toBeVisible();
      await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked();
      await page.getByRole('button', { name: 'Start trial €0.00' }).click();
      await expect(page).toHaveURL(/done/);

      const { data } = await ask(request, `subscriptions?customer=${customer}`);
      expect(data).toMatchObject([{ status: 'trialing' }]);
    });

    test('a code lessens the price before it is paid', async ({ page, request, baseURL }) => {
      const code = `HALF${Date.now()}`;
      const { id: coupon } = await ask(request, 'coupons', { percent_off: '50', duration: 'once' });
      await ask(request, 'promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon, code });
      const { id, url } = await purchase(request, baseURL, { allow_promotion_codes: 'true' });

      await page.goto(here(url));
      await page.getByLabel('Email').fill('oyente@example.com');
      await page.getByLabel('Promotion code').fill(code.toLowerCase());
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByRole('button', { name: 'Pay €6.00' })).toBeVisible();
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: 'Pay €6.00' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
      expect(await ask(request, `checkout/sessions/${id}`)).toMatchObject({ amount_total: 600 });
    });

    test('a receipt and an invoice can be read, and the invoice as PDF', async ({ page, request }) => {
      const { id: customer } = await ask(request, 'customers', { email: 'oyente@example.com' });
      const { id: card } = await ask(request, 'payment_methods/pm_card_visa/attach', { customer });
      const { latest_invoice: invoice } = await ask(request, 'subscriptions', {
        customer,
        default_payment_method: card,
        'items[0][price_data][currency]': 'eur',
        'items[0][price_data][unit_amount]': '499',
        'items[0][price_data][recurring][interval]': 'month',
        'items[0][price_data][product]': (await ask(request, 'products', { name: 'Ruido' })).id,
        'expand[]': 'latest_invoice',
      });
      const { data } = await ask(request, `charges?customer=${customer}`);

      await page.goto(here(invoice.hosted_invoice_url));
      await expect(page.getByText('1 × Ruido')).toBeVisible();
      await page.goto(here(data[0].receipt_url));
      await expect(page.getByText('visa ···· 4242')).toBeVisible();

      const pdf = await request.get(`${api}${here(invoice.invoice_pdf)}`);
      expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
    });
  });

test('a form is sent once, however often the button is pressed', async ({ page, request, baseURL }) => {
  const { id, url } = await purchase(request, baseURL);

  await page.goto(here(url));
  await fillIn(page, VISA);
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await expect(page).toHaveURL(new RegExp(`done=${id}`));

  const { payment_intent } = await ask(request, `checkout/sessions/${id}`);
  const { data } = await ask(request, `charges?payment_intent=${payment_intent}`);
  expect(data).toHaveLength(1);
});

test('a page that is over or unknown says so', async ({ page, request, baseURL }) => {
  const { id, url } = await purchase(request, baseURL);
  await ask(request, `checkout/sessions/${id}/expire`, {});

  const over = await page.goto(here(url));
  expect(over?.status()).toBe(410);
  await expect(page.getByRole('heading')).toHaveText('The time for this payment has run out.');
  const unknown = await page.goto(`${BASE}/pay/cs_test_none`);
  expect(unknown?.status()).toBe(404);
});
