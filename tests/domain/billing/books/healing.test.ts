import { isNull } from 'drizzle-orm';
import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { providerEntries, reconciliationDifferences } from '~/db/schema/reconciliation';
import { paymentsConflict } from '~/server/adapters/payments/errors';
import { DAYS, HOURS, later } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, payments, stripe, fetch, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const openKeys = async () => {
  const rows = await db
    .select({ key: reconciliationDifferences.key })
    .from(reconciliationDifferences)
    .where(isNull(reconciliationDifferences.resolvedAt))
    .orderBy(reconciliationDifferences.key);
  return rows.map(({ key }) => key);
};

test('a transfer to a connected account is a difference by its id until it is reversed', async () => {
  await buy(showItem(series, { userId: (await make.person()).id }));
  await settle();
  const [sale] = await db.select().from(sales);
  const destination = await onboardAccount({ stripe, fetch });
  const share = { amount: 900, currency: 'eur', destination, source_transaction: sale!.chargeId! };
  const { id } = await stripe.transfers.create(share);
  await pass(later(clock.now, HOURS(26)));

  await reconcileBooks(ctx);
  expect(await openKeys()).toEqual([`transfer/${id}`]);
  for (const amount of [400, 500]) await stripe.transfers.createReversal(id, { amount });
  await pass(later(clock.now, HOURS(26)));
  await reconcileBooks(ctx);

  expect(await openKeys()).toEqual([]);
});

test('the provider is asked about a limited number of differences in a run, and in a day', async () => {
  const at = later(clock.now, -DAYS(10));
  const invented = Array.from({ length: 700 }, (_, i) => ({
    ...{ id: `txn_invented${i}/fee`, kind: 'charge' as const, key: `fee/pi_invented${i}`, amountMinor: -1 },
    ...{ currency: 'eur', at },
  }));
  await db.insert(providerEntries).values(invented);
  let asked = 0;
  const payment = async () => {
    asked += 1;
    throw paymentsConflict();
  };
  const counted = { ...payments, fetch: { ...payments.fetch, payment } };
  const run = async () => {
    asked = 0;
    await reconcileBooks({ ...ctx, ports: { ...ctx.ports, payments: counted } });
    return asked;
  };

  expect([await run(), await run(), await run()]).toEqual([200, 200, 0]);
  clock.now = later(clock.now, HOURS(25));
  expect(await run()).toBe(200);
});
