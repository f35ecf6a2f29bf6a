import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import type { Currency } from '~/server/money';

/** What the suite runs against: the sandbox, or Stripe's own test mode. */
export type FarEnd = {
  payments: PaymentsPort;
  stripe: Stripe;
  /** Fills a hosted page in. @param number of a test card @param proven what the bank is answered, if it asks */
  pay(url: string, said: { number: string; email?: string; proven?: boolean; code?: string }): Promise<void>;
  /** Whether it is Stripe itself: then things take time, and the account's own settings decide some. */
  real: boolean;
};

export type Behaves = (sentence: string, run: (far: FarEnd) => Promise<void>) => void;

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

/** A customer with a card on a test clock of their own. */
export async function cast({ stripe }: FarEnd, { from = '2026-01-31T10:00:00Z', card = 'pm_card_visa' } = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: seconds(at(from)) });
  const customer = await stripe.customers.create({ email: 'oyente@example.com', name: 'Oyente', test_clock: clock.id });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return { clock: clock.id, customer: customer.id, card: method.id, begin: at(from) };
}

/** A listener subscribed for 4.99 € a month, or as said. */
export async function subscriber(
  far: FarEnd,
  over: Partial<Parameters<PaymentsPort['subscribe']>[0]> & { from?: string } = {},
) {
  const { from, ...said } = over;
  const who = await cast(far, { from });
  const { customer, card } = who;
  const terms = { name: 'Ruido de fondo', price: eur(499), every: 'month' as const, reference: { product: '9' } };
  const subscription = await far.payments.subscribe({ customer, card, ...terms, ...said }, key());
  return { ...who, subscription };
}

/** Lets time pass for a clock's customers, until it stands there. */
export async function advance({ stripe }: FarEnd, clock: string, to: string | Date): Promise<void> {
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: seconds(new Date(to)) });
  for (let tries = 0; tries < 240; tries += 1) {
    const { status } = await stripe.testHelpers.testClocks.retrieve(clock);
    if (status === 'ready') return;
    await sleep(500);
  }
  throw new Error('the test clock did not arrive');
}

/** A payment by card, without a page. */
export async function charged({ stripe }: FarEnd, minor = 1000, card = 'pm_card_visa') {
  return stripe.paymentIntents.create({
    amount: minor,
    currency: 'eur',
    payment_method: card,
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
}

export const invoicesOf = async ({ payments }: FarEnd, customer: string) =>
  (await payments.listInvoices(customer, 50)).reverse();
