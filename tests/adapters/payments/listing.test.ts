import { expect, test } from 'vitest';
import type { EventPage } from '~/server/adapters/payments/port';
import { testStripe } from '../../support/stripe-sandbox';
import { listingChecks } from './listing.suite';
import { eur, key } from './remote-stripe';
import { runInSandbox } from './run-suite';

await runInSandbox(listingChecks);

// its own Stripe, so that no other test adds events
const { payments, stripe, clock } = await testStripe();

/** Reads all pages that follow a position. */
async function walk(from: EventPage): Promise<string[]> {
  const page = await payments.listEvents(from);
  const last = page.at(-1);
  return last ? [...page.map(({ id }) => id), ...(await walk({ after: last.id, limit: from.limit }))] : [];
}

/** Creates events an hour after the previous ones. */
async function anHourLater(): Promise<Date> {
  clock.now = new Date(clock.now.getTime() + 3_600_000);
  const { id } = await payments.createCustomer(
    { email: 'a@example.com', name: 'A', language: 'es', reference: {} },
    key(),
  );
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
  const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };
  await payments.subscribe({ customer: id, card, ...terms }, key());
  return clock.now;
}

test('sandbox: without a cursor, pages begin at the oldest event, and end with the newest', async () => {
  const first = await anHourLater();
  const second = await anHourLater();
  const all = (await stripe.events.list({ limit: 100 })).data.map(({ id }) => id).reverse();
  const later = all.slice(all.length / 2);

  expect(all.length).toBeGreaterThan(20);
  expect(await walk({ since: new Date(0), limit: 7 })).toEqual(all);
  expect(await walk({ since: first, limit: 100 })).toEqual(all);
  expect(await walk({ since: second, limit: 7 })).toEqual(later);
  expect(await walk({ since: new Date(second.getTime() + 1000), limit: 7 })).toEqual([]);
});
