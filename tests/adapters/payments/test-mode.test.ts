import { chromium } from '@playwright/test';
import type { FormInput } from 'stripe-sandbox/testing/pay-by-forms';
import { test } from 'vitest';
import { stripeClient } from '~/server/adapters/payments/client';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { changeChecks } from './changes.suite';
import { checkoutChecks } from './checkouts.suite';
import { customerChecks } from './customers.suite';
import { endingChecks } from './endings.suite';
import { eventChecks } from './events.suite';
import { listingChecks } from './listing.suite';
import { moneyChecks } from './money.suite';
import { renewalChecks } from './renewals.suite';
import { runSuite } from './run-suite';
import { saleChecks } from './sales.suite';
import { subscriptionChecks } from './subscriptions.suite';
import { webhookChecks } from './webhooks.suite';

/**
 * If set, the suites also run against Stripe's test mode. The account must settle in EUR or USD, be enrolled in
 * Connect, use the SDK's API version as its default (for events), and keep the dashboard's default settings for
 * retries and Radar. It must have no other test clocks: an account can have 100.
 */
const secretKey = process.env.STRIPE_TEST_KEY;
const WAIT = 30_000;

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

const SUITES = [
  customerChecks,
  checkoutChecks,
  subscriptionChecks,
  changeChecks,
  endingChecks,
  renewalChecks,
  moneyChecks,
  listingChecks,
  saleChecks,
  eventChecks,
  webhookChecks,
];

if (secretKey) {
  const settings = { secretKey, webhookSecrets: [], production: false };
  const remote = { payments: stripePayments(settings), stripe: stripeClient(settings), real: true, pay: payInBrowser };
  for (const { checks } of SUITES) runSuite('Stripe test mode', remote, checks);
} else test.skip('Stripe test mode: STRIPE_TEST_KEY is not set', () => {});
