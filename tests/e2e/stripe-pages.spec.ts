import { type APIRequestContext, expect, type Page, test } from '@playwright/test';

const BASE = '/_sandbox/stripe';
const VISA = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 9995';
const AUTHENTICATES = '4000 0027 6000 3184';

/** Browsers resolve names below localhost; the machine's resolver may not. */
let api = '';
test.beforeEach(({ baseURL }) => {
  api = String(baseURL).replace('//altavoz.localhost', '//127.0.0.1');
});

/** Calls the sandbox's API over HTTP, like an external program. */
async function callApi(request: APIRequestContext, path: string, form?: Record<string, string>) {
  const headers = { authorization: 'Bearer sk_test_journey' };
  const answer = form
    ? await request.post(`${api}${BASE}/v1/${path}`, { headers, form })
    : await request.get(`${api}${BASE}/v1/${path}`, { headers });
  const body = await answer.json();
  expect(answer.ok(), JSON.stringify(body)).toBe(true);
  return body;
}

const returnUrl = (baseURL: string | undefined) => `${baseURL}${BASE}/invoices/none?`;

async function purchase(
  request: APIRequestContext,
  baseURL: string | undefined,
  overrides: Record<string, string> = {},
) {
  return callApi(request, 'checkout/sessions', {
    mode: 'payment',
    success_url: `${returnUrl(baseURL)}done={CHECKOUT_SESSION_ID}`,
    cancel_url: `${returnUrl(baseURL)}canceled`,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '1200',
    'line_items[0][price_data][product_data][name]': 'Audiolibro',
    locale: 'en',
    ...overrides,
  });
}

/** The path of a page, which the test opens on the host under test. */
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

async function fillCard(page: Page, number: string, email = 'oyente@example.com'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Card number').fill(number);
}

// the same forms with and without JavaScript; `npm test` sends them with JavaScript only
for (const javaScriptEnabled of [true, false])
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, {
    tag: javaScriptEnabled ? [] : '@deep',
  }, () => {
    test.use({ javaScriptEnabled });

    test('a purchase is paid and redirects to the success URL', async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(pathOf(url));
      await expect(page.getByRole('note')).toHaveText('Sandbox: no real money moves here.');
      await fillCard(page, VISA);
      await page.getByRole('button', { name: 'Pay €12.00' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
      expect(await callApi(request, `checkout/sessions/${id}`)).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
      });
    });

    test('authentication fails first and then succeeds', { tag: '@deep' }, async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(pathOf(url));
      await fillCard(page, AUTHENTICATES);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await expect(page.getByRole('alert')).toHaveText(/could not confirm/);
      await fillCard(page, AUTHENTICATES);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await expect(page.getByText('€12.00')).toBeVisible();
      await page.getByRole('button', { name: 'Complete authentication' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('a test card is selected on the Spanish page', { tag: '@deep' }, async ({ page, request, baseURL }) => {
      const { id, url } = await purchase(request, baseURL, { locale: 'es' });

      await page.goto(pathOf(url));
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      await page.getByLabel('Correo electrónico').fill('oyente@example.com');
      await page.getByLabel('Tarjeta de prueba').selectOption(VISA);
      if (javaScriptEnabled) await expect(page.getByLabel('Número de tarjeta')).toHaveValue(VISA);
      await page.getByRole('button', { name: 'Pagar 12,00 €' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('a promotion code reduces the price before paying', { tag: '@deep' }, async ({ page, request, baseURL }) => {
      const code = `HALF${Date.now()}`;
      const { id: coupon } = await callApi(request, 'coupons', { percent_off: '50', duration: 'once' });
      await callApi(request, 'promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon, code });
      const { id, url } = await purchase(request, baseURL, { allow_promotion_codes: 'true' });

      await page.goto(pathOf(url));
      await page.getByLabel('Email').fill('oyente@example.com');
      await page.getByLabel('Promotion code').fill(code.toLowerCase());
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByRole('button', { name: 'Pay €6.00' })).toBeVisible();
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: 'Pay €6.00' }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
      expect(await callApi(request, `checkout/sessions/${id}`)).toMatchObject({ amount_total: 600 });
    });

    test('a declined card shows the reason, and another one pays', { tag: '@deep' }, async ({
      page,
      request,
      baseURL,
    }) => {
      const { id, url } = await purchase(request, baseURL);

      await page.goto(pathOf(url));
      await fillCard(page, DECLINED);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await expect(page.getByRole('alert')).toHaveText('Your card has insufficient funds.');
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: /^Pay/ }).click();

      await expect(page).toHaveURL(new RegExp(`done=${id}`));
    });

    test('a saved card pays for a subscription with a trial', { tag: '@deep' }, async ({ page, request, baseURL }) => {
      const { id: customer } = await callApi(request, 'customers', { email: 'oyente@example.com' });
      const common = { customer, success_url: `${returnUrl(baseURL)}done`, locale: 'en' };
      const setup = await callApi(request, 'checkout/sessions', { ...common, mode: 'setup', currency: 'eur' });
      const subscription = await callApi(request, 'checkout/sessions', {
        ...common,
        mode: 'subscription',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': '499',
        'line_items[0][price_data][recurring][interval]': 'month',
        'line_items[0][price_data][product_data][name]': 'Ruido',
        'subscription_data[trial_period_days]': '14',
      });

      await page.goto(pathOf(setup.url));
      await page.getByLabel('Card number').fill(VISA);
      await page.getByRole('button', { name: 'Save card' }).click();
      await expect(page).toHaveURL(/done/);
      await page.goto(pathOf(subscription.url));
      await expect(page.getByText('Free for 14 days, then €4.99 a month')).toBeVisible();
      await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked();
      await page.getByRole('button', { name: 'Start trial €0.00' }).click();
      await expect(page).toHaveURL(/done/);

      const { data } = await callApi(request, `subscriptions?customer=${customer}`);
      expect(data).toMatchObject([{ status: 'trialing' }]);
    });
  });

test('a receipt and an invoice are shown, and the invoice as a PDF', { tag: '@deep' }, async ({ page, request }) => {
  const { id: customer } = await callApi(request, 'customers', { email: 'oyente@example.com' });
  const { id: card } = await callApi(request, 'payment_methods/pm_card_visa/attach', { customer });
  const { latest_invoice: invoice } = await callApi(request, 'subscriptions', {
    customer,
    default_payment_method: card,
    'items[0][price_data][currency]': 'eur',
    'items[0][price_data][unit_amount]': '499',
    'items[0][price_data][recurring][interval]': 'month',
    'items[0][price_data][product]': (await callApi(request, 'products', { name: 'Ruido' })).id,
    'expand[]': 'latest_invoice',
  });
  const { data } = await callApi(request, `charges?customer=${customer}`);

  await page.goto(pathOf(invoice.hosted_invoice_url));
  await expect(page.getByText('1 × Ruido')).toBeVisible();
  await page.goto(pathOf(data[0].receipt_url));
  await expect(page.getByText('visa ···· 4242')).toBeVisible();

  const pdf = await request.get(`${api}${pathOf(invoice.invoice_pdf)}`);
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a double click submits the form once', { tag: '@deep' }, async ({ page, request, baseURL }) => {
  const { id, url } = await purchase(request, baseURL);

  await page.goto(pathOf(url));
  await fillCard(page, VISA);
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await expect(page).toHaveURL(new RegExp(`done=${id}`));

  const { payment_intent } = await callApi(request, `checkout/sessions/${id}`);
  const { data } = await callApi(request, `charges?payment_intent=${payment_intent}`);
  expect(data).toHaveLength(1);
});

test('expired and unknown pages say so', { tag: '@deep' }, async ({ page, request, baseURL }) => {
  const { id, url } = await purchase(request, baseURL);
  await callApi(request, `checkout/sessions/${id}/expire`, {});

  const expired = await page.goto(pathOf(url));
  expect(expired?.status()).toBe(410);
  await expect(page.getByRole('heading')).toHaveText('This payment page has expired.');
  const unknown = await page.goto(`${BASE}/pay/cs_test_none`);
  expect(unknown?.status()).toBe(404);
});
