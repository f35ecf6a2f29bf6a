import { chromium } from '@playwright/test';
import { test } from 'vitest';
import { stripeClient } from '~/server/adapters/payments/client';
import { stripePayments } from '~/server/adapters/payments/stripe';
import type { FormInput } from '../../support/stripe-pages';
import { runSuite } from './run-suite';

/**
 * Set: the suite runs against Stripe's own test mode, too. The account behind it settles in EUR or USD, has signed up
 * for Connect, has the SDK's API version as its own (that of the events that it lists), and keeps the dashboard's
 * settings for retries and Radar as they come. No other test clocks: an account has room for 100.
 */
const secretKey = process.env.STRIPE_TEST_KEY;
const WAIT = 30_000;

/** Fills Stripe's hosted page in. */
async function payInBrowser(url: string, { number, email, proven }: FormInput): Promise<void> {
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

if (secretKey) {
  const settings = { secretKey, webhookSecrets: [], production: false };
  runSuite('Stripe test mode', {
    payments: stripePayments(settings),
    stripe: stripeClient(settings),
    real: true,
    pay: payInBrowser,
  });
} else test.skip('Stripe test mode: STRIPE_TEST_KEY is not set', () => {});
