import { and, eq, sql } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, earlier, later, MINUTES } from '~/server/base/time';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import type { BuyablePlan } from '~/server/limits/plans';
import { reportCheckout as reportJob } from '~/server/queue/jobs/billing';
import type { Creator } from '../../../support/make';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop } from '../../../support/shop';
import '../../../support/matchers';

const FAILS_AT_RENEWAL = '4000000000000044';
const DECLINED_LATER = '4000000000000341';
const CONFIRMED_EACH_TIME = '4000002760003184';
const { runtime, make, payments, fetch, clock, settle, pass, ctx } = await shop();
const { db } = runtime;

const start = async (owner: Creator, plan: BuyablePlan, payWith: 'page' | 'saved_card' = 'page') => {
  const { dueMinor } = await owner.api.plans.preview({ plan });
  return owner.api.plans.start({ plan, dueMinor, payWith });
};
/** A creator whose plan was paid on the payment page. */
async function subscriber(plan: BuyablePlan, number = GOOD_CARD): Promise<Creator> {
  const owner = await make.creator();
  const { url } = await start(owner, plan);
  await payByForms(fetch, url!, { number, proven: true });
  await settle();
  return owner;
}
const change = async (owner: Creator, plan: BuyablePlan) => {
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan });
  return owner.api.plans.change({ plan, dueMinor, creditMinor, at });
};
/** Stores a card and pays the plan with it from now on. */
async function useCard(owner: Creator, number: string): Promise<void> {
  const [{ customerId, providerId } = {} as never] = await subscriptionsOf(owner);
  const page = {
    successUrl: 'http://a.example/',
    cancelUrl: 'http://a.example/',
    language: 'en',
    reference: {},
  } as const;
  const { url } = await payments.startCardSetup({ ...page, customer: customerId }, `${number}/${owner.id}`);
  await payByForms(fetch, url!, { number, proven: true });
  const card = (await payments.listCards(customerId)).find(({ last4 }) => number.endsWith(last4))!;
  await payments.setSubscriptionCard(providerId, card.id, `${number}/${owner.id}/use`);
}
const planOf = async ({ creatorId }: Creator) =>
  (await db.select().from(creatorPlans).where(eq(creatorPlans.creatorId, creatorId)))[0]?.plan;
const subscriptionsOf = ({ creatorId }: Creator) => {
  const own = and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.purpose, 'plan'));
  return db.select().from(subscriptions).where(own).orderBy(subscriptions.id);
};
const paidBy = async ({ creatorId }: Creator) => {
  const own = and(eq(sales.creatorId, creatorId), eq(sales.purpose, 'plan'));
  return (await db.select().from(sales).where(own).orderBy(sales.id)).map(({ amountMinor }) => amountMinor);
};

test('a plan that is paid on the payment page counts at once, and the trial ends', async () => {
  const owner = await make.creator();
  expect(await owner.api.plans.overview()).toMatchObject({
    plan: 'PRO',
    trial: { isRunning: true, daysLeft: 14 },
    currency: 'eur',
    offered: ['BASIC', 'PRO', 'PLUS'],
    subscription: null,
  });

  const { url, checkout } = await start(owner, 'BASIC');
  expect(await owner.api.plans.checkout({ id: checkout! })).toMatchObject({ status: 'open' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  // before the provider's event
  const settled = await owner.api.plans.checkout({ id: checkout! });

  expect(settled).toEqual({ status: 'settled', plan: 'BASIC', isRefused: false });
  expect(await owner.api.plans.overview()).toMatchObject({
    plan: 'BASIC',
    trial: { isRunning: false, daysLeft: 0 },
    offered: ['PRO', 'PLUS'],
    subscription: { plan: 'BASIC', priceMinor: 900, endsAt: null, isOverdue: false, card: { last4: '4242' } },
    savedCard: { last4: '4242', isExpired: false },
  });
  await settle();
  expect(await paidBy(owner)).toEqual([900]);
  expect(await owner.api.plans.invoices()).toMatchObject([{ amountMinor: 900, name: 'Altavoz Basic' }]);
});

test('an upgrade charges the shown amount, and the next payment is the shown one', async () => {
  const owner = await subscriber('BASIC');
  const began = clock.now;
  await pass(later(began, DAYS(10)));
  const preview = await owner.api.plans.preview({ plan: 'PRO' });
  expect(preview).toMatchObject({ move: 'upgrade', from: 'BASIC', creditMinor: 0, nextMinor: 1900, losses: [] });
  expect(preview.dueMinor).toBeGreaterThan(0);
  expect(preview.dueMinor).toBeLessThan(1000);

  // confirmed some minutes later, with the amounts of the moment that was shown
  clock.now = later(clock.now, MINUTES(5));
  const { dueMinor, creditMinor, at } = preview;
  await owner.api.plans.change({ plan: 'PRO', dueMinor, creditMinor, at });

  expect(await planOf(owner)).toBe('PRO');
  await settle();
  expect(await paidBy(owner)).toEqual([900, dueMinor]);
  await pass(later(preview.nextAt, DAYS(1)));
  expect(await paidBy(owner)).toEqual([900, dueMinor, preview.nextMinor]);
});

test('a downgrade gives credit for the unused time, which reduces the next payments as shown', async () => {
  const owner = await subscriber('PLUS');
  await pass(later(clock.now, DAYS(10)));
  const preview = await owner.api.plans.preview({ plan: 'BASIC' });
  expect(preview).toMatchObject({ move: 'downgrade', dueMinor: 0 });
  expect(preview.creditMinor).toBeGreaterThan(2000);
  expect(preview.nextMinor).toBe(0);
  const { dueMinor, creditMinor, at } = preview;

  await owner.api.plans.change({ plan: 'BASIC', dueMinor, creditMinor, at });

  expect(await planOf(owner)).toBe('BASIC');
  expect(await owner.api.plans.preview({ plan: 'PRO' })).toMatchObject({ dueMinor: 0, move: 'upgrade' });
  await pass(later(preview.nextAt, DAYS(1)));
  expect(await paidBy(owner)).toEqual([4900]);
});

test('a downgrade below the present usage is allowed, and states what stops', async () => {
  const owner = await subscriber('PRO');
  for (const priceMinor of [null, null, 500, 500, 500, 500]) await make.product(owner, { priceMinor });

  const { losses } = await owner.api.plans.preview({ plan: 'BASIC' });
  await change(owner, 'BASIC');

  expect(losses).toEqual([
    { type: 'feature', feature: 'transcription' },
    { type: 'limit', limit: 'freeProducts', used: 2, allowed: 1 },
    { type: 'limit', limit: 'paidProducts', used: 4, allowed: 3 },
  ]);
  expect(await planOf(owner)).toBe('BASIC');
  await expect(owner.api.products.create(await make.productInput(owner))).toFailWith('plan.max_free_products');
});

test('amounts that differ from the shown ones change nothing', async () => {
  const owner = await subscriber('BASIC');
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan: 'PRO' });
  const confirm = (over: object) => owner.api.plans.change({ plan: 'PRO', dueMinor, creditMinor, at, ...over });

  await expect(confirm({ dueMinor: dueMinor - 1 })).toFailWith('billing.amount_changed');
  await expect(confirm({ creditMinor: 1 })).toFailWith('billing.amount_changed');
  await expect(confirm({ at: later(clock.now, DAYS(20)) })).toFailWith('billing.amount_changed');
  await expect(confirm({ at: earlier(clock.now, DAYS(1)) })).toFailWith('billing.amount_changed');
  clock.now = later(clock.now, MINUTES(31));
  await expect(confirm({})).toFailWith('billing.amount_changed');
  const other = await make.creator();
  await expect(other.api.plans.start({ plan: 'BASIC', dueMinor: 1, payWith: 'page' })).toFailWith(
    'billing.amount_changed',
  );

  expect(await planOf(owner)).toBe('BASIC');
  expect(await paidBy(owner)).toEqual([900]);
});

test('the second of two tabs that confirm different plans is refused', async () => {
  const owner = await subscriber('BASIC');
  const [pro, plus] = [await owner.api.plans.preview({ plan: 'PRO' }), await owner.api.plans.preview({ plan: 'PLUS' })];
  const confirm = ({ plan, dueMinor, creditMinor, at }: typeof pro) =>
    owner.api.plans.change({ plan, dueMinor, creditMinor, at });

  await confirm(pro);
  await expect(confirm(plus)).toFailWith('billing.amount_changed');
  await confirm(pro);

  await settle();
  expect(await planOf(owner)).toBe('PRO');
  expect(await paidBy(owner)).toEqual([900, pro.dueMinor]);
});

test('a double click changes the plan and charges once', async () => {
  const owner = await subscriber('BASIC');
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan: 'PLUS' });
  const confirm = () => owner.api.plans.change({ plan: 'PLUS', dueMinor, creditMinor, at });

  const outcomes = await Promise.allSettled([confirm(), confirm(), confirm()]);

  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  // a late click finds the plan changed already
  const refusals = ['billing.change_running', 'billing.plan_not_offered'];
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(refusals).toContain(outcome.reason.cause?.code ?? outcome.reason.code);
  await settle();
  expect(await paidBy(owner)).toEqual([900, dueMinor]);
});

test('a double click on subscribe gives one subscription, by the payment page and by the saved card', async () => {
  const owner = await make.creator();
  const pages = await Promise.all([start(owner, 'BASIC'), start(owner, 'BASIC')]);
  expect(pages[0]).toEqual(pages[1]);
  await payByForms(fetch, pages[0]!.url!, { number: GOOD_CARD, proven: true });
  await settle();
  await owner.api.plans.cancel({});
  await pass(later(clock.now, DAYS(32)));
  expect(await planOf(owner)).toBe('FREE');

  const outcomes = await Promise.allSettled([1, 2, 3].map(() => start(owner, 'PRO', 'saved_card')));
  await settle();

  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  const rows = await subscriptionsOf(owner);
  expect(rows.map(({ plan, endedAt }) => [plan, endedAt === null])).toEqual([
    ['BASIC', false],
    ['PRO', true],
  ]);
  expect(await paidBy(owner)).toEqual([900, 1900]);
});

test('two plans that are paid in two tabs: the second one is refunded', async () => {
  const owner = await make.creator();
  const first = await start(owner, 'BASIC');
  await payByForms(fetch, first.url!, { number: GOOD_CARD, proven: true });
  // no event has arrived yet
  const second = await start(owner, 'PRO');
  await payByForms(fetch, second.url!, { number: GOOD_CARD, proven: true });
  await settle();

  const running = (await subscriptionsOf(owner)).filter(({ endedAt }) => endedAt === null);
  expect(running).toHaveLength(1);
  expect(await planOf(owner)).toBe(running[0]!.plan);
  const rows = await db.select().from(sales).where(eq(sales.creatorId, owner.creatorId)).orderBy(sales.id);
  expect(rows.filter(({ amountMinor, refundedMinor }) => amountMinor !== refundedMinor)).toHaveLength(1);
});

test('a saved card is charged without a payment page, and one that the bank wants to confirm opens it', async () => {
  for (const [number, opensPage] of [
    [GOOD_CARD, false],
    [CONFIRMED_EACH_TIME, true],
  ] as const) {
    const owner = await subscriber('BASIC', number);
    await owner.api.plans.cancel({ reason: 'Un descanso' });
    await pass(later(clock.now, DAYS(32)));

    const { url, checkout } = await start(owner, 'PLUS', 'saved_card');

    expect(url !== null).toBe(opensPage);
    if (url) await payByForms(fetch, url, { number, proven: true });
    expect(await owner.api.plans.checkout({ id: checkout! })).toMatchObject({ status: 'settled', plan: 'PLUS' });
    expect(await planOf(owner)).toBe('PLUS');
  }
});

test('an upgrade that the bank wants to confirm is paid on the payment page, for exactly the shown amount', async () => {
  const owner = await subscriber('BASIC', CONFIRMED_EACH_TIME);
  clock.now = later(clock.now, DAYS(10));
  const shown = await owner.api.plans.preview({ plan: 'PRO' });
  const closed = await change(owner, 'PRO');
  const { url } = await change(owner, 'PRO');
  expect(await planOf(owner)).toBe('BASIC');
  await payByForms(fetch, closed.url!, { number: CONFIRMED_EACH_TIME, proven: true });

  await payByForms(fetch, url!, { number: CONFIRMED_EACH_TIME, proven: true });
  await settle();

  expect(await planOf(owner)).toBe('PRO');
  expect(await paidBy(owner)).toEqual([900, shown.dueMinor]);
  const [running] = await subscriptionsOf(owner);
  expect(running).toMatchObject({ plan: 'PRO', priceMinor: 1900, periodEnd: shown.nextAt });
  await change(owner, 'BASIC');
  await db.execute(sql`delete from sandbox_stripe.requests`); // as the provider does after a day
  const [opened] = await db.select().from(checkouts).where(eq(checkouts.url, url!));
  await syncCheckout(ctx, opened!.providerId!);
  expect(await planOf(owner)).toBe('BASIC');
});

test('a confirmed payment for a plan that was cancelled meanwhile is refunded, with an email', async () => {
  const owner = await subscriber('BASIC', CONFIRMED_EACH_TIME);
  const { url } = await change(owner, 'PRO');
  await payByForms(fetch, url!, { number: CONFIRMED_EACH_TIME, proven: true });
  await owner.api.plans.cancel({});
  await settle();
  while ((await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload))) > 0);

  expect(await planOf(owner)).toBe('BASIC');
  const rows = await db.select().from(sales).where(eq(sales.creatorId, owner.creatorId)).orderBy(sales.id);
  expect(rows.at(-1)).toMatchObject({ refundedMinor: rows.at(-1)!.amountMinor });
  const own = and(eq(outbox.to, owner.email), eq(outbox.topic, 'second_plan_refunded'));
  expect(await db.$count(outbox, own)).toBe(1);
});

test('a changed plan is recognised by its reference, whatever it costs', async () => {
  const owner = await subscriber('BASIC');
  const [row] = await subscriptionsOf(owner);
  const terms = { price: { minor: 900, currency: 'eur' }, every: 'month', at: clock.now } as const;
  await payments.changeSubscription(row!.providerId, { ...terms, reference: { plan: 'PLUS' } }, 'same price');
  await settle();
  expect(await planOf(owner)).toBe('PLUS');
});

test('a declined card leaves the plan as it is, and another attempt is possible', async () => {
  const owner = await subscriber('BASIC');
  await useCard(owner, DECLINED_LATER);
  await expect(change(owner, 'PRO')).toFailWith('payments.card_declined');
  expect(await planOf(owner)).toBe('BASIC');
  expect(await paidBy(owner)).toEqual([900]);

  await useCard(owner, GOOD_CARD);
  await change(owner, 'PRO');

  expect(await planOf(owner)).toBe('PRO');
});

test('a cancelled plan counts until the end of its month, can be renewed, and then leads to FREE', async () => {
  const owner = await subscriber('PRO');
  const [{ periodEnd } = {} as never] = await subscriptionsOf(owner);
  expect(await owner.api.plans.previewEnd()).toMatchObject({ endsAt: periodEnd });

  expect(await owner.api.plans.cancel({ reason: ' Demasiado caro ' })).toEqual({ endsAt: periodEnd });
  await owner.api.plans.cancel({ reason: 'Otra vez' });
  expect((await owner.api.plans.overview()).subscription).toMatchObject({ endsAt: periodEnd });
  await expect(change(owner, 'PLUS')).toFailWith('billing.plan_ending');
  await owner.api.plans.renew();
  await owner.api.plans.renew();
  expect((await owner.api.plans.overview()).subscription).toMatchObject({ endsAt: null });
  await owner.api.plans.cancel({});
  await pass(later(periodEnd, DAYS(1)));

  expect(await planOf(owner)).toBe('FREE');
  expect(await subscriptionsOf(owner)).toMatchObject([{ endReason: 'subscriber', endedAt: periodEnd }]);
  await expect(owner.api.plans.renew()).toFailWith('billing.no_plan');
  expect(await owner.api.plans.overview()).toMatchObject({ plan: 'FREE', trial: { isRunning: false } });
});

test('a failed payment of the plan must be paid before the plan is changed', async () => {
  const owner = await subscriber('BASIC', FAILS_AT_RENEWAL);
  await pass(later(clock.now, DAYS(32)));

  expect((await owner.api.plans.overview()).subscription).toMatchObject({ isOverdue: true });
  await expect(owner.api.plans.preview({ plan: 'PRO' })).toFailWith('billing.payment_overdue');
});

test('the currency follows the account', async () => {
  const owner = await make.creator({ country: 'US' });

  expect(await owner.api.plans.preview({ plan: 'PRO' })).toMatchObject({ currency: 'usd', dueMinor: 1900 });
  const { url } = await start(owner, 'PRO');
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  await settle();

  expect(await subscriptionsOf(owner)).toMatchObject([{ currency: 'usd', priceMinor: 1900 }]);
});

test('the old plan is kept and can’t be bought, and leads to PLUS only', async () => {
  const owner = await make.creator();
  await db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'OLD_PRO_PLAN', since: clock.now });

  expect(await owner.api.plans.overview()).toMatchObject({ plan: 'OLD_PRO_PLAN', offered: ['PLUS'] });
  await expect(owner.api.plans.preview({ plan: 'OLD_PRO_PLAN' as never })).toFailWith('common.invalid');
  await expect(owner.api.plans.preview({ plan: 'BASIC' })).toFailWith('billing.plan_not_offered');
  await expect(owner.api.plans.start({ plan: 'PRO', dueMinor: 1900, payWith: 'page' })).toFailWith(
    'billing.plan_not_offered',
  );
});

test('a claim of a process that died ends after two minutes', async () => {
  const owner = await subscriber('BASIC');
  const terms = { name: 'x', priceMinor: 1900, currency: 'eur', every: 'month', plan: 'PRO' } as const;
  const claim = { id: crypto.randomUUID(), purpose: 'plan', userId: owner.id, creatorId: owner.creatorId } as const;
  const times = { expiresAt: later(clock.now, MINUTES(2)), createdAt: clock.now, updatedAt: clock.now };
  await db.insert(checkouts).values({ ...claim, ...times, terms, language: 'en' });

  await expect(change(owner, 'PRO')).toFailWith('billing.change_running');
  clock.now = times.expiresAt;
  await change(owner, 'PRO');

  expect(await planOf(owner)).toBe('PRO');
});

test('a lost response of the provider charges once', async () => {
  const owner = await subscriber('BASIC');
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan: 'PRO' });
  const confirm = () => owner.api.plans.change({ plan: 'PRO', dueMinor, creditMinor, at });
  const { changeSubscription } = runtime.ports.payments;
  runtime.ports.payments.changeSubscription = async (...given) => {
    await changeSubscription(...given);
    runtime.ports.payments.changeSubscription = changeSubscription;
    throw new Error('the connection broke');
  };

  await expect(confirm()).rejects.toThrow();
  await confirm();

  await settle();
  expect(await paidBy(owner)).toEqual([900, dueMinor]);
  expect(await planOf(owner)).toBe('PRO');
});
