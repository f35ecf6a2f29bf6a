import { and, eq, inArray, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { endRefunds, refunds, sales, subscriptions } from '~/db/schema/billing';
import { coupons } from '~/db/schema/coupons';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { DAYS, HOURS, later } from '~/server/base/time';
import {
  callOffFreeConversion,
  completeFreeConversion,
  startFreeConversion,
} from '~/server/domain/access/free-conversion';
import type { CheckoutItem } from '~/server/domain/billing/checkout/checkouts';
import { endWithRefund, recoverEndRefunds } from '~/server/domain/billing/subscriptions/ending-refunds';
import { cancelSubscription, renewSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { pauseSubscription } from '~/server/domain/billing/subscriptions/pause-subscription';
import * as showEndings from '~/server/domain/billing/subscriptions/show-endings';
import { refundEnd, syncShowSubscriptions } from '~/server/queue/jobs/billing';
import { completeConversion } from '~/server/queue/jobs/products';
import { systemCtx } from '~/server/runtime/runtime';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../../../support/shop';
import { shownRefunds } from '../../../support/unused-payments';

const { runtime, ctx, ctxOf, make, lucia, clock, settle, buy, pass, payments } = await shop();
const { db } = runtime;
const owner = ctxOf({ ...lucia });
const REFUND_FAILS = '4000000000005126';
const FAILS_AT_RENEWAL = '4000000000000044';

async function work(): Promise<void> {
  await runJobs(runtime, syncShowSubscriptions.name, (payload, of) => showEndings.syncShowSubscriptions(of, payload));
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
  await runJobs(runtime, completeConversion.name, (payload, of) => completeFreeConversion(of, payload));
  await settle();
}

/** Makes a paid show after it has retired the free shows of earlier tests, which would use up the plan. */
async function paidShow() {
  await db.update(products).set({ retiredAt: clock.now }).where(isNull(products.priceMinor));
  return make.product(lucia, { name: 'De pago', priceMinor: 1000, annualPriceMinor: 9000 });
}
type Show = Awaited<ReturnType<typeof paidShow>>;
const ref = (show: Show) => ({ id: show.id, kind: 'podcast' as const });
type Order = { number?: string; terms?: Parameters<typeof showItem>[2]; coupon?: CheckoutItem['coupon'] };

async function subscriber(show: Show, { number = GOOD_CARD, terms = {}, coupon }: Order = {}) {
  const { id } = await make.person();
  await buy({ ...showItem(show, { userId: id }, terms), ...(coupon && { coupon }) }, number);
  await settle();
  return id;
}
async function subscriptionOf(userId: number) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return row!;
}
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
/** The refunds to a buyer, according to the provider. */
async function booksOf(userId: number): Promise<number> {
  const lists = await Promise.all((await salesOf(userId)).map(({ paymentId }) => payments.listRefunds(paymentId)));
  return lists
    .flat()
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount.minor, 0);
}
const ourBooksOf = async (userId: number) =>
  (await salesOf(userId)).reduce((sum, { refundedMinor }) => sum + refundedMinor, 0);
async function emailsOf(userId: number) {
  const rows = await db.select().from(outbox).where(eq(outbox.userId, userId)).orderBy(outbox.createdAt);
  return rows.map(({ topic }) => topic).filter((topic) => topic.startsWith('subscription_'));
}
const refund = (show: Show) => startFreeConversion(owner, { ...ref(show), how: 'refund' });
const isFree = async (show: Show) =>
  (await db.$count(products, and(eq(products.id, show.id), inArray(products.priceMinor, [1000])))) === 0;

test('each subscriber gets the unused part of their payments back, and the show is free', async () => {
  const show = await paidShow();
  const couponCode = 'REGALO';
  await lucia.api.coupons.create({
    ...{ productId: show.id, couponCode, discountType: 'percentage', discount: '100', duration: 'lifetime' },
  });
  const [coupon] = await db.select().from(coupons).where(eq(coupons.code, couponCode));
  await payments.createCoupon({ id: 'all', off: { percent: 100 }, length: 'forever' }, 'all');
  const overdue = await subscriber(show, { number: FAILS_AT_RENEWAL });
  const paused = await subscriber(show);
  await pauseSubscription(owner, { id: (await subscriptionOf(paused)).id, months: 3 });
  await pass(later((await subscriptionOf(overdue)).periodEnd, HOURS(2)));
  const monthly = await subscriber(show);
  const yearly = await subscriber(show, { terms: { every: 'year', priceMinor: 9000 } });
  const trial = await subscriber(show, { terms: { trialDays: 30 } });
  const free = await subscriber(show, {
    coupon: { id: coupon!.id, totalMinor: 0, providerIdOn: async () => 'all' },
  });
  const leaving = await subscriber(show);
  const partly = await subscriber(show);
  await cancelSubscription(ctxOf({ id: leaving, creatorId: null }), { id: (await subscriptionOf(leaving)).id });
  const [sale] = await salesOf(partly);
  await payments.refund(sale!.paymentId, { amount: { minor: 900, currency: 'eur' }, reference: {} }, 'by-hand');
  const guest = await make.person();
  const gift = { userId: guest.id, productId: show.id, source: 'gift' as const, startsAt: clock.now, renews: false };
  await db.insert(grants).values({ ...gift, endsAt: later(clock.now, DAYS(300)) });
  await pass(later(clock.now, DAYS(15)));

  const ofShow = eq(sales.productId, show.id);
  await db.update(sales).set({ vatMinor: 100 }).where(ofShow);
  const estimate = await shownRefunds(runtime, owner, ref(show));
  await db.update(sales).set({ vatMinor: 0 }).where(ofShow);
  await refund(show);
  await work();

  const all = { overdue, paused, monthly, yearly, trial, free, leaving, partly };
  const back = Object.fromEntries(
    await Promise.all(Object.entries(all).map(async ([name, id]) => [name, await booksOf(id)] as const)),
  );
  const month =
    (await subscriptionOf(monthly)).periodEnd.getTime() - (await subscriptionOf(monthly)).periodStart.getTime();
  const half = Math.round(1000 * (1 - DAYS(15) / month));
  expect(back).toMatchObject({ overdue: 0, paused: 0, trial: 0, free: 0, partly: 100 + 900 });
  expect(Math.abs(back.monthly! - half)).toBeLessThan(3);
  expect(back.leaving).toBe(back.monthly);
  expect(Math.abs(back.yearly! - Math.round((9000 * 350) / 365))).toBeLessThan(3);
  for (const id of Object.values(all)) {
    expect(await ourBooksOf(id)).toBe(await booksOf(id));
    expect(await subscriptionOf(id)).toMatchObject({ endReason: 'refunded', endedAt: expect.any(Date) });
    expect(await payments.fetch.subscription((await subscriptionOf(id)).providerId)).toMatchObject({
      status: 'canceled',
    });
  }
  const total = Object.values(back).reduce((sum, minor) => sum + minor, 0) - 900;
  expect(estimate.subscriptions).toBe(4);
  expect(estimate.totals[0]!.refund.minor - total).toBeLessThan(10);
  expect(estimate.totals[0]!.refund.minor).toBeGreaterThanOrEqual(total);
  const { refund: whole, share, commission, vat } = estimate.totals[0]!;
  expect(share.minor + commission.minor + vat.minor).toBe(whole.minor);
  // half of it for each of two months, 350 of 365 days of it, and a tenth after a refund of 9.00 € of 10.00 €
  expect(Math.abs(vat.minor - (50 + 50 + 96 + 10))).toBeLessThan(4);
  expect(await emailsOf(monthly)).toEqual(['subscription_refunded']);
  expect(await emailsOf(trial)).toEqual(['subscription_ended_free']);
  expect(await isFree(show)).toBe(true);
  const [kept] = await db.select().from(grants).where(eq(grants.userId, guest.id));
  expect(kept!.endsAt! > clock.now).toBe(true);
});

type Call = 'previewEnd' | 'cancel' | 'refund';
/** Makes the next call of a kind fail, before it reaches the provider or after the provider has acted. */
function failOnce(call: Call, when: 'before' | 'after', isForgotten: boolean): void {
  runtime.ports.payments = {
    ...payments,
    on: () => runtime.ports.payments,
    [call]: async (...input: unknown[]) => {
      runtime.ports.payments = payments;
      // to a provider that has forgotten the key, a repeated call looks like one with another key
      const sent = isForgotten ? [...input.slice(0, -1), 'another'] : input;
      if (when === 'after') await (payments[call] as (...all: unknown[]) => Promise<unknown>)(...sent);
      throw new Error('killed');
    },
  } as PaymentsPort;
}

test.each<[Call, 'before' | 'after', number]>([
  ['previewEnd', 'before', HOURS(1)],
  ['cancel', 'before', HOURS(3)],
  ['cancel', 'after', HOURS(3)],
  ['refund', 'before', HOURS(3)],
  ['refund', 'after', HOURS(3)],
  // the provider has forgotten the idempotency key
  ['refund', 'after', DAYS(3)],
  // a renewal in between outdates the stored amount
  ['cancel', 'before', DAYS(20)],
])('killed %s %s it, and repeated after %i ms: refunded once', async (call, when, pause) => {
  const show = await paidShow();
  const userId = await subscriber(show);
  const { id, periodEnd } = await subscriptionOf(userId);
  await pass(later(periodEnd, -DAYS(15)));
  await refund(show);
  await runJobs(runtime, syncShowSubscriptions.name, (payload, of) => showEndings.syncShowSubscriptions(of, payload));
  await runJobs(runtime, refundEnd.name, async () => {});
  failOnce(call, when, pause === DAYS(3));
  await expect(endWithRefund(systemCtx(runtime, 'test'), { subscriptionId: id })).rejects.toThrow('killed');
  const stored = await db.$count(endRefunds, eq(endRefunds.subscriptionId, id));
  expect(stored).toBe(call === 'previewEnd' ? 0 : 1);

  await pass(later(clock.now, pause));
  await recoverEndRefunds(ctx);
  await work();
  await endWithRefund(systemCtx(runtime, 'test'), { subscriptionId: id });

  const paid = await salesOf(userId);
  const [part] = await db.select().from(endRefunds).where(eq(endRefunds.subscriptionId, id));
  expect(part).toMatchObject({ status: 'sent', paymentId: paid.at(-1)!.paymentId });
  expect(await booksOf(userId)).toBe(part!.amountMinor);
  expect(await ourBooksOf(userId)).toBe(part!.amountMinor);
  expect(await emailsOf(userId)).toEqual(['subscription_refunded']);
  expect(await isFree(show)).toBe(true);
  expect(paid).toHaveLength(pause > DAYS(15) ? 2 : 1);
});

test('a refund that fails is repeated twice, and then the creator is told', async () => {
  const show = await paidShow();
  const userId = await subscriber(show, { number: REFUND_FAILS });
  await pass(later(clock.now, DAYS(1)));
  await refund(show);
  await work();
  const state = async () => {
    const [part] = await db
      .select()
      .from(endRefunds)
      .where(eq(endRefunds.paymentId, (await salesOf(userId))[0]!.paymentId));
    return [part!.status, part!.attempt];
  };
  const seen: unknown[] = [];
  for (const days of [1, 2, 1, 4, 1]) {
    await pass(later(clock.now, DAYS(days)));
    seen.push(await state());
    await recoverEndRefunds(ctx);
    await work();
  }
  expect(seen.at(-1)).toEqual(['failed', 3]);
  const [sale] = await salesOf(userId);
  expect(await db.$count(refunds, eq(refunds.saleId, sale!.id))).toBe(3);
  expect(sale!.refundedMinor).toBe(0);
  const told = await db.select().from(outbox).where(eq(outbox.topic, 'refund_failed')).orderBy(outbox.createdAt);
  expect(told).toHaveLength(1);
  expect(told[0]!.userId).toBe(lucia.id);
  expect(await isFree(show)).toBe(true);
});

test('refunds can’t be called off, and a show that waits can change to them', async () => {
  const show = await paidShow();
  const userId = await subscriber(show);
  const person = ctxOf({ id: userId, creatorId: null });
  const { id } = await subscriptionOf(userId);
  await startFreeConversion(owner, { ...ref(show), how: 'at_period_end' });
  await work();
  await refund(show);
  await refund(show);
  await startFreeConversion(owner, { ...ref(show), how: 'at_period_end' });
  await runJobs(runtime, syncShowSubscriptions.name, (payload, of) => showEndings.syncShowSubscriptions(of, payload));

  await expect(callOffFreeConversion(owner, ref(show))).rejects.toMatchObject({
    code: 'product.refunding_subscribers',
  });
  await expect(cancelSubscription(person, { id })).rejects.toMatchObject({ code: 'billing.subscription_ended' });
  await expect(renewSubscription(person, { id })).rejects.toMatchObject({ code: 'billing.subscription_ended' });
  await showEndings.endSubscriptionsOf(ctx, { userId });
  expect(await subscriptionOf(userId)).toMatchObject({ endReason: 'refunded' });
  await work();
  expect(await booksOf(userId)).toBe((await salesOf(userId))[0]!.amountMinor);
  expect(await isFree(show)).toBe(true);
});

test('many subscribers are marked and told a part at a time, each once, also after a kill', async () => {
  const show = await paidShow();
  const people = Array.from({ length: 450 }, (_, i) => i);
  const user = { name: 'Oyente', currency: 'eur' as const };
  const rows = await db
    .insert(users)
    .values(people.map((i) => ({ ...user, email: `oyente${i}@mail.example`, termsAcceptedAt: clock.now })))
    .returning({ id: users.id });
  const term = { periodStart: clock.now, periodEnd: later(clock.now, DAYS(30)), startedAt: clock.now };
  await db.insert(subscriptions).values(
    rows.map(({ id }) => ({
      ...{
        userId: id,
        productId: show.id,
        creatorId: lucia.creatorId,
        purpose: 'show' as const,
        status: 'active' as const,
      },
      ...{ providerId: `sub_${id}`, customerId: `cus_${id}`, priceMinor: 1000, currency: 'eur' as const },
      ...{ every: 'month' as const, syncedAt: clock.now, ...term },
    })),
  );
  await db.update(products).set({ freeConversion: 'at_period_end' }).where(eq(products.id, show.id));
  const sync = (payload: { productId: number; after?: number }) => showEndings.syncShowSubscriptions(ctx, payload);
  await sync({ productId: show.id });
  const marked = () =>
    db.$count(
      subscriptions,
      and(eq(subscriptions.productId, show.id), eq(subscriptions.endReason, 'show_becomes_free')),
    );
  expect(await marked()).toBe(200);
  // the queue repeats a job whose process died after its transaction
  await sync({ productId: show.id });
  while ((await runJobs(runtime, syncShowSubscriptions.name, sync)) > 0);

  expect(await marked()).toBe(450);
  const told = and(
    eq(outbox.topic, 'subscription_becomes_free'),
    inArray(
      outbox.userId,
      rows.map(({ id }) => id),
    ),
  );
  expect(await db.$count(outbox, told)).toBe(450);
});
