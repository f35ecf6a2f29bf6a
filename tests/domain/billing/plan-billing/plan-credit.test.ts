import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { DAYS, HOURS, later } from '~/server/base/time';
import { returnPlanCredit } from '~/server/domain/billing/plan-billing/refund-credit';
import { endWithRefund, recoverEndRefunds } from '~/server/domain/billing/subscriptions/ending-refunds';
import type { BuyablePlan } from '~/server/limits/plans';
import { refundEnd, refundPlanCredit } from '~/server/queue/jobs/billing';
import type { Creator } from '../../../support/make';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, ctx, make, payments, fetch, clock, settle, pass, pauseAt } = await shop();
const { db } = runtime;
const REFUND_FAILS = '4000000000005126';

async function start(owner: Creator, plan: BuyablePlan, number = GOOD_CARD): Promise<void> {
  const { dueMinor } = await owner.api.plans.preview({ plan });
  const { url } = await owner.api.plans.start({ plan, dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number, proven: true });
  await settle();
}

/** A creator whose change from PLUS to BASIC has left a credit of several months, and who has cancelled. */
async function leaving(card = GOOD_CARD) {
  const owner = await make.creator();
  await start(owner, 'PLUS', card);
  await pass(later(clock.now, DAYS(3)));
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan: 'BASIC' });
  await owner.api.plans.change({ plan: 'BASIC', dueMinor, creditMinor, at });
  const { endsAt } = await owner.api.plans.cancel({ reason: '' });
  const isPlan = and(eq(subscriptions.creatorId, owner.creatorId), eq(subscriptions.purpose, 'plan'));
  const [row] = await db.select().from(subscriptions).where(isPlan);
  return { owner, endsAt, creditMinor, row: row! };
}

const run = async () => {
  const many = await runJobs(runtime, refundPlanCredit.name, (payload, of) => returnPlanCredit(of, payload));
  await settle();
  return many;
};
const creditOf = async (customer: string) => (await payments.fetch.customer(customer)).credit?.minor;
const refundedTo = async ({ creatorId }: Creator) => {
  const of = await db
    .select({ amountMinor: refunds.amountMinor })
    .from(refunds)
    .innerJoin(sales, eq(sales.id, refunds.saleId))
    .where(eq(sales.creatorId, creatorId))
    .orderBy(refunds.providerId);
  return of.map(({ amountMinor }) => amountMinor);
};

test('the plan page shows a credit, and the end of the plan returns it to the card, once', async () => {
  const { owner, endsAt, creditMinor, row } = await leaving();
  const shown = await owner.api.plans.credit();
  await pass(later(endsAt, DAYS(1)));

  await run();
  await returnPlanCredit(ctx, { subscriptionId: row.id });
  await settle();

  expect(creditMinor).toBeGreaterThan(3000);
  expect(shown).toEqual({ minor: creditMinor, currency: 'eur' });
  expect(await refundedTo(owner)).toEqual([creditMinor]);
  expect(await creditOf(row.customerId)).toBe(0);
  expect(await owner.api.plans.credit()).toBeNull();
  const isTold = and(eq(outbox.userId, owner.id), eq(outbox.topic, 'plan_credit_refunded'));
  expect(await db.$count(outbox, isTold)).toBe(1);
});

/** A return of credit that is killed once the provider has stored the new amount. */
async function killedReturn(subscriptionId: number): Promise<void> {
  const setCredit = ctx.ports.payments.setCredit;
  ctx.ports.payments.setCredit = async (...call) => {
    await setCredit(...call);
    throw new Error('killed');
  };
  await expect(returnPlanCredit(ctx, { subscriptionId })).rejects.toThrow('killed');
  ctx.ports.payments.setCredit = setCredit;
}

test('a job that was killed after it stored the amounts returns the same credit', async () => {
  const { owner, endsAt, creditMinor, row } = await leaving();
  await pass(later(endsAt, DAYS(1)));
  await killedReturn(row.id);

  await returnPlanCredit(ctx, { subscriptionId: row.id });
  await settle();

  expect(await refundedTo(owner)).toEqual([creditMinor]);
  expect(await creditOf(row.customerId)).toBe(0);
});

test('a return whose jobs ran out of attempts after the amounts were stored is resumed a day later', async () => {
  const { owner, endsAt, creditMinor, row } = await leaving();
  await pass(later(endsAt, DAYS(1)));
  await killedReturn(row.id);
  await runJobs(runtime, refundPlanCredit.name, async () => {});

  await pass(later(clock.now, HOURS(25)));
  await recoverEndRefunds(ctx);
  await run();

  expect(await refundedTo(owner)).toEqual([creditMinor]);
  expect(await creditOf(row.customerId)).toBe(0);
  await recoverEndRefunds(ctx);
  expect(await run()).toBe(0);
});

test('a plan that starts after a return failed has the credit, and nothing is refunded', async () => {
  const { owner, endsAt, row } = await leaving();
  await pass(later(endsAt, DAYS(1)));
  const setCredit = ctx.ports.payments.setCredit;
  ctx.ports.payments.setCredit = async () => {
    throw new Error('the provider is away');
  };
  await expect(returnPlanCredit(ctx, { subscriptionId: row.id })).rejects.toThrow('away');
  ctx.ports.payments.setCredit = setCredit;
  await start(owner, 'BASIC');
  const before = await creditOf(row.customerId);

  await run();
  await recoverEndRefunds({ ...ctx, now: () => later(clock.now, DAYS(2)) });
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
  await settle();

  expect(before).toBeGreaterThan(0);
  expect(await creditOf(row.customerId)).toBe(before);
  expect(await refundedTo(owner)).toEqual([]);
});

test('a plan that starts while the credit is returned does not spend it, too', async () => {
  const { owner, endsAt, creditMinor, row } = await leaving();
  await pass(later(endsAt, DAYS(1)));
  const pause = pauseAt('plan-credit.stored');
  const returning = returnPlanCredit(ctx, { subscriptionId: row.id });
  await pause.reachedBy(returning);

  const { dueMinor } = await owner.api.plans.preview({ plan: 'PRO' });
  const begin = owner.api.plans.start({ plan: 'PRO', dueMinor, payWith: 'saved_card' });
  await expect(begin).toFailWith('billing.change_running');
  pause.goOn();
  await returning;
  await settle();

  expect(await refundedTo(owner)).toEqual([creditMinor]);
  expect(await owner.api.plans.preview({ plan: 'PRO' })).toMatchObject({ dueMinor: 1900 });
});

test('a creator who has another plan keeps the credit', async () => {
  const { owner, endsAt, row } = await leaving();
  await pass(later(endsAt, DAYS(1)));
  await start(owner, 'BASIC');
  const before = await creditOf(row.customerId);

  await run();

  expect(before).toBeGreaterThan(0);
  expect(await creditOf(row.customerId)).toBe(before);
  expect(await refundedTo(owner)).toEqual([]);
});

test('the operator gets an email about a refund of credit that has failed three times', async () => {
  const { endsAt, row } = await leaving(REFUND_FAILS);
  await pass(later(endsAt, DAYS(1)));
  await run();

  for (const days of [1, 2, 1, 4, 1]) {
    await pass(later(clock.now, DAYS(days)));
    await recoverEndRefunds(ctx);
    await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
    await settle();
  }

  expect(await creditOf(row.customerId)).toBe(0);
  const told = await db.select().from(outbox).where(eq(outbox.topic, 'credit_failed')).orderBy(outbox.createdAt);
  expect(told).toMatchObject([{ to: ctx.settings.operator.email, subject: expect.stringContaining('€') }]);
});
