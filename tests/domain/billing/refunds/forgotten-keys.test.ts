import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { paymentsConflict, unreachable } from '~/server/adapters/payments/errors';
import { pick } from '~/server/base/fields';
import { HOURS, later } from '~/server/base/time';
import type { CheckoutRow } from '~/server/domain/billing/base/queries';
import { takeBack } from '~/server/domain/billing/base/take-back-payment';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { ADDRESSES, shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, make, ctx, ctxOf, lucia, clock, buy, settle, stripe, fetch } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { name: 'Serie', kind: 'audio_series', priceMinor: 1500 });
const owner = ctxOf({ ...lucia });
const REFUND_FAILS = '4000000000005126';
const CONFIRMED_EACH_TIME = '4000002760003184';

async function sold(number?: string) {
  const { id } = await make.person();
  await buy(showItem(series, { userId: id }), number);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, id));
  return { sale: sale!, input: { id: series.id, kind: 'audio_series' as const, saleId: sale!.id, refundedMinor: 0 } };
}

/** The provider does the next refund, but neither its answer nor its event arrives. */
async function loseRefund(input: Parameters<typeof refundSale>[1]): Promise<void> {
  const { payments } = owner.ports;
  const { refund, on } = payments;
  const lossy: typeof payments = {
    ...payments,
    on: () => lossy,
    async refund(...call) {
      await refund(...call);
      throw unreachable();
    },
    listRefunds: async () => [],
  };
  await expect(refundSale({ ...owner, ports: { ...owner.ports, payments: lossy } }, input)).rejects.toMatchObject({
    code: 'payments.unreachable',
  });
  expect(payments.on).toBe(on);
}

const refundsOf = async (payment: string) =>
  (await stripe.refunds.list({ payment_intent: payment })).data.map(({ amount }) => amount);

test('a refund whose answer was lost is not repeated a day later, when its key is forgotten', async () => {
  const { sale, input } = await sold();
  await loseRefund({ ...input, amount: 500 });

  clock.now = later(clock.now, HOURS(25));
  await refundSale(owner, { ...input, amount: 500 });

  expect(await refundsOf(sale.paymentId)).toEqual([500]);
  const [row] = await db.select().from(sales).where(eq(sales.id, sale.id));
  expect(row!.refundedMinor).toBe(500);
});

test('another amount from the page of before shows that a refund has happened', async () => {
  const { sale, input } = await sold();
  await loseRefund({ ...input, amount: 500 });

  clock.now = later(clock.now, HOURS(25));
  const other = refundSale(owner, { ...input, amount: 700 });

  await expect(other).rejects.toMatchObject({ code: 'buyer.refund_changed' });
  expect(await refundsOf(sale.paymentId)).toEqual([500]);
});

test('a refund that has failed at the bank can be given again on the same day', async () => {
  const { sale, input } = await sold(REFUND_FAILS);
  await refundSale(owner, { ...input, amount: 500 });
  clock.now = later(clock.now, HOURS(1));
  await settle();
  await syncRefunds(ctx, sale.paymentId);

  await refundSale(owner, { ...input, amount: 500 });

  expect(await refundsOf(sale.paymentId)).toEqual([500, 500]);
});

test('a refused payment is returned once, also a day later', async () => {
  const { sale } = await sold();
  const { paymentId: payment } = sale;
  const refused = { id: randomUUID(), account: null } as CheckoutRow;
  await takeBack(ctx, refused, { payment });

  clock.now = later(clock.now, HOURS(25));
  await takeBack(ctx, refused, { payment });

  expect(await refundsOf(payment)).toEqual([1500]);
});

test('a refused payment that can’t be returned for want of money is not taken for one that was', async () => {
  const { sale } = await sold();
  const { paymentId: payment } = sale;
  const refused = { id: randomUUID(), account: null } as CheckoutRow;
  const { payments } = ctx.ports;
  const poor: typeof payments = { ...payments, on: () => poor, refund: () => Promise.reject(paymentsConflict()) };
  const failing = takeBack({ ...ctx, ports: { ...ctx.ports, payments: poor } }, refused, { payment });

  await expect(failing).rejects.toMatchObject({ code: 'payments.conflict' });
  await takeBack(ctx, refused, { payment });

  expect(await refundsOf(payment)).toEqual([1500]);
});

test('a change of a plan that was paid on its own is not repeated after a later change', async () => {
  const owner = await make.creator();
  const { dueMinor } = await owner.api.plans.preview({ plan: 'BASIC' });
  const { url } = await owner.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: CONFIRMED_EACH_TIME, proven: true });
  await settle();
  const change = async (plan: 'BASIC' | 'PRO') => {
    const shown = await owner.api.plans.preview({ plan });
    return owner.api.plans.change({ plan, ...pick(shown, ['dueMinor', 'creditMinor', 'at']) });
  };
  const { url: page } = await change('PRO');
  await payByForms(fetch, page!, { number: CONFIRMED_EACH_TIME, proven: true });
  await settle();
  const isPaid = eq(checkouts.url, page!);
  const [applied] = await db.select().from(checkouts).where(isPaid);
  // as if it had been killed before it stored that the change is applied
  const { planChange } = applied!.terms;
  const terms = { ...applied!.terms, planChange: { ...planChange!, isApplied: false } };
  await db.update(checkouts).set({ terms }).where(isPaid);
  clock.now = later(clock.now, HOURS(1));
  await change('BASIC');

  clock.now = later(clock.now, HOURS(25));
  await syncCheckout(ctx, applied!.providerId!);
  await settle();

  const isPlan = and(eq(subscriptions.creatorId, owner.creatorId), eq(subscriptions.purpose, 'plan'));
  const rows = await db
    .select({ plan: subscriptions.plan })
    .from(subscriptions)
    .where(isPlan)
    .orderBy(subscriptions.id);
  expect(rows).toEqual([{ plan: 'BASIC' }]);
});

test('a purchase goes on after a changed name or language, although the first attempt was not finished', async () => {
  const person = await make.person();
  await buy(showItem(await make.product(lucia, { priceMinor: 500 }), { userId: person.id }));
  await settle();
  const dollars = [600, 700].map((priceMinor) =>
    make.product(lucia, { name: `${priceMinor}`, priceMinor, currency: 'usd' }),
  );
  const [first, second] = await Promise.all(dollars);
  const inDollars = (show: typeof series) => showItem(show, { userId: person.id }, { currency: 'usd' });
  await openCheckout(ctx, { ...inDollars(first!), paths: ADDRESSES });

  await person.api.accounts.update({ name: 'Otro nombre', language: 'es' });

  expect(await openCheckout(ctx, { ...inDollars(second!), paths: ADDRESSES })).toMatchObject({
    url: expect.stringContaining('http'),
  });
});
