import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { FormInput } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, onTestFinished } from 'vitest';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import type { Currency } from '~/server/base/money';
import { DAYS } from '~/server/base/time';

/** The Stripe that a suite runs against: the sandbox or Stripe's test mode. */
export type RemoteStripe = {
  payments: PaymentsPort;
  stripe: Stripe;
  /** Submits a hosted page. @param number of a test card @param proven whether authentication succeeds, if required */
  pay(url: string, input: FormInput): Promise<void>;
  /** Completes the captures of all payments. Stripe does so itself, some seconds later ("Asynchronous capture"). */
  capture(): Promise<unknown>;
  /** Whether this is Stripe itself, which takes time, and where the account's settings decide some results. */
  real: boolean;
};

/** A behaviour of the port and its test. */
export type Check = { title: string; run(remote: RemoteStripe): Promise<void> };

/** Collects the checks of a suite, which run against the sandbox or Stripe later. */
export function collectChecks() {
  const checks: Check[] = [];
  return { checks, check: (title: string, run: Check['run']) => void checks.push({ title, run }) };
}

export const key = () => randomUUID();
export const eur = (minor: number) => ({ minor, currency: 'eur' as Currency });
export const at = (text: string) => new Date(text);
export const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
export const visit = {
  successUrl: 'https://altavoz.example/done?checkout={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://altavoz.example/back',
  language: 'en' as const,
  reference: { order: '17' },
};

/** A customer with a card on a test clock. The clock is deleted after the test: Stripe allows 100 per account. */
export async function customerWithCard(
  { stripe }: RemoteStripe,
  { from = '2026-01-31T10:00:00Z', card = 'pm_card_visa' } = {},
) {
  const { testClocks } = stripe.testHelpers;
  const { id: clock } = await testClocks.create({ frozen_time: seconds(at(from)) });
  onTestFinished(async () => void (await testClocks.del(clock)));
  const customer = await stripe.customers.create({ email: 'oyente@example.com', name: 'Oyente', test_clock: clock });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return { clock, customer: customer.id, card: method.id, start: at(from) };
}

/** A customer with a subscription, by default 4.99 € a month. */
export async function newSubscriber(
  remote: RemoteStripe,
  overrides: Partial<Parameters<PaymentsPort['subscribe']>[0]> & { from?: string } = {},
) {
  const { from, ...input } = overrides;
  const subscriber = await customerWithCard(remote, { from });
  const { customer, card } = subscriber;
  const terms = { name: 'Ruido de fondo', price: eur(499), every: 'month' as const, reference: { product: '9' } };
  const subscription = await remote.payments.subscribe({ customer, card, ...terms, ...input }, key());
  return { ...subscriber, subscription };
}

/** A clock can advance two intervals at most ("Test clocks: API and advanced usage"): less than two short months. */
const MAX_ADVANCE = DAYS(56);

/** Advances a test clock and waits until it is ready. */
export async function advanceClock({ stripe }: RemoteStripe, clock: string, to: string | Date): Promise<void> {
  const { testClocks } = stripe.testHelpers;
  const end = new Date(to).getTime();
  let { frozen_time } = await testClocks.retrieve(clock);
  while (frozen_time * 1000 < end) {
    frozen_time = seconds(new Date(Math.min(end, frozen_time * 1000 + MAX_ADVANCE)));
    await testClocks.advance(clock, { frozen_time });
    await waitUntilReady(stripe, clock);
  }
}

async function waitUntilReady({ testHelpers }: Stripe, clock: string): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    const { status } = await testHelpers.testClocks.retrieve(clock);
    if (status === 'ready') return;
    if (status === 'internal_failure') break;
    await sleep(500);
  }
  throw new Error('the test clock did not arrive');
}

/** A card payment without a checkout page. */
export async function chargeCard({ stripe }: RemoteStripe, minor = 1000, card = 'pm_card_visa') {
  return stripe.paymentIntents.create({
    amount: minor,
    currency: 'eur',
    payment_method: card,
    allowed_payment_method_types: ['card'],
    confirm: true,
    return_url: visit.successUrl,
  });
}

export const invoicesOf = async ({ payments }: RemoteStripe, customer: string) =>
  (await payments.listInvoices(customer, 50)).reverse();

/** Waits until the payment's fee is known ("Balance transactions"), and checks that fee and net add up. */
export async function paymentWithFee({ payments, capture }: RemoteStripe, id: string) {
  await capture();
  await expect.poll(async () => (await payments.fetch.payment(id)).fee, { timeout: 30_000 }).not.toBeNull();
  const payment = await payments.fetch.payment(id);
  const { amount, fee, net } = payment;
  // an account in another currency gets the converted net amount
  if (fee!.currency === amount.currency) expect(fee!.minor + net!.minor).toBe(amount.minor);
  return payment;
}
