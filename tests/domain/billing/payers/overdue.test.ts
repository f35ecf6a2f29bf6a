import { and, asc, eq, inArray } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { overdueStep } from '~/server/domain/billing/base/rules';
import { remindAllOverdue, remindOrEnd } from '~/server/domain/billing/payers/overdue';
import {
  findOverdue,
  finishOverdueCard,
  overdueToken,
  startOverdueCard,
} from '~/server/domain/billing/payers/overdue-links';
import { findMyReceipt, listMyReceipts } from '~/server/domain/billing/payers/receipts';
import { remindOverdue } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const RENEWAL_FAILS = '4000000000000044';
const { runtime, ctx, ctxOf, visitorCtx, make, tom, paidPodcast, fetch, clock, settle, buy, pass, payments } =
  await shop();
const { db } = runtime;
const TOPICS = ['payment_failed', 'payment_reminder', 'access_ended', 'subscription_unpaid'];

const rowOf = async (userId: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
const emailsTo = async (userId: number) => {
  const isOurs = and(eq(outbox.userId, userId), inArray(outbox.topic, TOPICS));
  return db.select().from(outbox).where(isOurs).orderBy(asc(outbox.createdAt));
};

async function overdueSubscriber() {
  const { id } = await make.person();
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, id));
  await buy(showItem(paidPodcast, { userId: id }), RENEWAL_FAILS);
  await settle();
  const { periodEnd } = await rowOf(id);
  return { id, due: periodEnd };
}

/** Runs the scheduled job twice at the same time. */
async function remind(): Promise<void> {
  await Promise.all([remindAllOverdue(ctx), remindAllOverdue(ctx)]);
  await runJobs(runtime, remindOverdue.name, (payload, of) => remindOrEnd(of, payload));
  await settle();
}

test('which step is due', () => {
  const since = new Date('2027-01-01T00:00:00Z');
  const step = (days: number, reminderSent: number | null) =>
    overdueStep({ pastDueSince: since, reminderSent }, later(since, DAYS(days)));

  expect(overdueStep({ pastDueSince: null, reminderSent: null }, since)).toBeNull();
  expect(step(0, null)).toEqual({ end: false, day: 0 });
  expect(step(2.9, 0)).toBeNull();
  expect(step(3, 0)).toEqual({ end: false, day: 3 });
  // after a week without a worker, only the last reminder is sent
  expect(step(8, null)).toEqual({ end: false, day: 7 });
  expect(step(12, 7)).toEqual({ end: false, day: 12 });
  expect(step(13.9, 12)).toBeNull();
  expect(step(14, 12)).toEqual({ end: true });
});

test('emails on days 0, 3, 7 and 12, each once; access for 7 days; the end on day 14', async () => {
  const { id, due } = await overdueSubscriber();
  const topics: string[] = [];
  for (const day of [0, 1, 3, 4, 7, 8, 12, 13]) {
    await pass(later(due, DAYS(day) + MINUTES(90)));
    await remind();
    topics.push(`${day}: ${(await emailsTo(id)).map(({ topic }) => topic).join(' ')}`);
  }
  expect(topics).toEqual([
    '0: payment_failed',
    '1: payment_failed',
    '3: payment_failed payment_reminder',
    '4: payment_failed payment_reminder',
    '7: payment_failed payment_reminder access_ended',
    '8: payment_failed payment_reminder access_ended',
    '12: payment_failed payment_reminder access_ended access_ended',
    '13: payment_failed payment_reminder access_ended access_ended',
  ]);
  const { pastDueSince } = await rowOf(id);
  const [grant] = await db.select().from(grants).where(eq(grants.userId, id));
  expect(grant!.endsAt).toEqual(later(pastDueSince!, DAYS(7)));

  await pass(later(pastDueSince!, DAYS(14)));
  await remind();
  await remind();
  expect(await rowOf(id)).toMatchObject({ endReason: 'unpaid', endedAt: expect.any(Date) });
  expect((await emailsTo(id)).map(({ topic }) => topic).slice(4)).toEqual(['subscription_unpaid']);
});

test('the link of the email takes another card without a log-in, pays at once, and works for nothing else', async () => {
  const { id, due } = await overdueSubscriber();
  await pass(later(due, DAYS(3) + MINUTES(90)));
  await remind();
  const [email] = (await emailsTo(id)).slice(-1);
  const token = decodeURIComponent(/token=([^"&\s]+)/.exec(email!.html)![1]!);
  const visitor = visitorCtx();
  expect(token).toBe(overdueToken(ctx, await rowOf(id)));
  expect(await findOverdue(visitor, { token })).toMatchObject({ name: paidPodcast.name, isPaid: false });
  await expect(findOverdue(visitor, { token: `${token}x` })).rejects.toMatchObject({
    code: 'billing.overdue_link_invalid',
  });

  const { url } = await startOverdueCard(visitor, { token });
  await payByForms(fetch, url, { number: '5555555555554444', email: 'oyente@mail.example', proven: true });
  const isCard = and(eq(checkouts.userId, id), eq(checkouts.purpose, 'card'));
  const [checkout] = await db.select().from(checkouts).where(isCard);
  const other = { token: overdueToken(ctx, { id: 987_654 }), checkout: checkout!.id };
  await expect(finishOverdueCard(visitor, other)).rejects.toMatchObject({ code: 'billing.overdue_link_ended' });
  const paid = await db.$count(sales, eq(sales.userId, id));
  await finishOverdueCard(visitor, { token, checkout: checkout!.id });
  await finishOverdueCard(visitor, { token, checkout: checkout!.id });
  await settle();

  expect(await findOverdue(visitor, { token })).toMatchObject({ isPaid: true });
  expect(await rowOf(id)).toMatchObject({ status: 'active', pastDueSince: null, reminderSent: null });
  expect(await db.$count(sales, eq(sales.userId, id))).toBe(paid + 1);
  const [grant] = await db.select().from(grants).where(eq(grants.userId, id));
  expect(grant!.endsAt! > later(clock.now, DAYS(20))).toBe(true);
});

test('a receipt has the charge, the discount and the refunds, and is only for its buyer', async () => {
  const person = await make.person();
  await buy(showItem(paidPodcast, { userId: person.id }));
  await settle();
  const own = ctxOf({ id: person.id, creatorId: null });
  const { items, total } = await listMyReceipts(own, { page: 1 });
  const [sale] = await db.select().from(sales).where(eq(sales.userId, person.id));
  const part = { amount: { minor: 100, currency: 'eur' as const }, reference: {} };
  await payments.refund(sale!.paymentId, part, `receipt/${sale!.id}`);
  await settle();

  expect({ total, items }).toMatchObject({ total: 1, items: [{ number: expect.stringMatching(/^A-\d{6}$/) }] });
  expect(await findMyReceipt(own, { id: sale!.id })).toMatchObject({
    priceMinor: paidPodcast.priceMinor,
    discountMinor: 0,
    refundedMinor: 100,
    refunds: [{ amountMinor: 100 }],
    buyer: { name: expect.any(String) },
    card: { last4: '4242' },
  });
  expect(await db.$count(refunds, eq(refunds.saleId, sale!.id))).toBe(1);
  const stranger = ctxOf({ id: tom.id, creatorId: null });
  await expect(findMyReceipt(stranger, { id: sale!.id })).rejects.toMatchObject({ kind: 'not_found' });
  expect((await listMyReceipts(stranger, { page: 1 })).total).toBe(0);
});
