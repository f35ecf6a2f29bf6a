import { chromium } from '@playwright/test';
import { type FormInput, payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { stripeClient } from '~/server/adapters/payments/client';
import { stripePayments } from '~/server/adapters/payments/stripe';
import type { RemoteStripe } from './remote-stripe';

const WAIT = 30_000;

/** `url`: the address of a sandbox instead of Stripe's. */
export type RemoteAccount = { secretKey: string; url?: string };

/** Stripe's test mode. @throws for other keys: the suites create and delete customers, payments and endpoints */
export function openRemote({ secretKey, url }: RemoteAccount): RemoteStripe {
  if (!/^[sr]k_test_\w/.test(secretKey))
    throw new Error('STRIPE_TEST_KEY must be a key of test mode: sk_test_… or rk_test_…');
  const settings = { secretKey, webhookSecrets: [], production: false, ...(url && { fetch: sendTo(url) }) };
  return {
    payments: stripePayments(settings),
    stripe: stripeClient(settings),
    real: true,
    capture: async () => url && fetch(new URL('/_control/timing', url), { method: 'POST', body: 'captured=true' }),
    pay: url ? (page, input) => payByForms(fetch, page, input) : payInBrowser,
  };
}

/** Sends the calls of Stripe's API to another address. */
const sendTo =
  (url: string): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(String(input));
    return fetch(new URL(pathname + search, url), init);
  };

/** Submits Stripe's hosted page. */
async function payInBrowser(url: string, { number, email, proven, country }: FormInput): Promise<void> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ locale: 'en-GB' });
    await page.route('https://altavoz.example/**', (route) => route.fulfill({ body: 'back' }));
    await page.goto(url);
    if (email && (await page.locator('#email').isEditable())) await page.locator('#email').fill(email);
    if ((await page.locator('#cardNumber').count()) > 0) {
      await page.locator('#cardNumber').fill(number);
      await page.locator('#cardExpiry').fill('12 / 40');
      await page.locator('#cardCvc').fill('123');
      await page.locator('#billingName').fill('Oyente');
      if (country) await page.locator('#billingCountry').selectOption(country);
    }
    await page.locator('.SubmitButton').click();
    if (proven !== undefined) {
      const bank = page
        .frameLocator('iframe[src*="three-ds-2-challenge"], iframe[name^="stripe-challenge-frame"]')
        .first();
      await bank.locator(proven ? '#test-source-authorize-3ds' : '#test-source-fail-3ds').click({ timeout: WAIT });
    }
    await page.waitForURL((now) => now.hostname.endsWith('altavoz.example'), { timeout: WAIT }).catch(() => {});
  } finally {
    await browser.close();
  }
}
