import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { HOURS, later } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, payments, stripe, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });

/** A payment that is captured later: until then, the provider shows no fee. */
async function soldBeforeCapture(show: typeof paidPodcast = series) {
  const { fetch } = payments;
  const payment = async (id: string) => ({ ...(await fetch.payment(id)), fee: null, net: null });
  const uncaptured: PaymentsPort = { ...payments, on: () => uncaptured, fetch: { ...fetch, payment } };
  const { id } = await make.person();
  runtime.ports.payments = uncaptured;
  await buy(showItem(show, { userId: id }));
  await settle();
  runtime.ports.payments = payments;
  const found = await saleOf(id);
  expect(found).toMatchObject({ providerFeeMinor: null });
  return found;
}
const saleOf = async (userId: number) => (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;

test.each(['purchase', 'subscription'])('the fee of a %s is written once the charge is captured', async (what) => {
  const sale = await soldBeforeCapture(what === 'purchase' ? series : paidPodcast);

  await stripe.charges.update(sale.chargeId!, { description: 'captured' });
  await settle();

  expect((await saleOf(sale.userId!)).providerFeeMinor).toBeGreaterThan(0);
});

test('fees whose events were lost are entered from the provider’s books, however many', async () => {
  const lost = [await soldBeforeCapture(), await soldBeforeCapture(paidPodcast)];
  await pass(later(clock.now, HOURS(26)));
  const refused = async () => Promise.reject(new Error('not asked for each payment'));
  const busy = { ...payments, fetch: { ...payments.fetch, payment: refused } };

  const { differences } = await reconcileBooks({ ...ctx, ports: { ...ctx.ports, payments: busy } });

  expect(differences).toBe(0);
  for (const { userId } of lost) expect((await saleOf(userId!)).providerFeeMinor).toBeGreaterThan(0);
});
