import { desc, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { planPeriods } from '~/db/schema/plans';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/base/time';
import { handleEvent, storeEvents } from '~/server/domain/billing/provider-sync/events';
import type { BuyablePlan } from '~/server/limits/plans';
import type { Creator } from '../../../support/make';
import { GOOD_CARD, shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, payments, sandbox, fetch, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const SERIES = { kind: 'audio_series', priceMinor: 1000 } as const;
const FREE = { plan: 'FREE', commissionMinor: 130 };
const BASIC = { plan: 'BASIC', commissionMinor: 60 };

/** A creator whose trial is over. */
async function seller(): Promise<Creator> {
  const owner = await make.creator();
  await pass(later(clock.now, DAYS(15)));
  return owner;
}

async function startPlan(owner: Creator, plan: BuyablePlan): Promise<void> {
  const { dueMinor } = await owner.api.plans.preview({ plan });
  const { url } = await owner.api.plans.start({ plan, dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
}

async function sell(owner: Creator): Promise<void> {
  const series = await make.product(owner, SERIES);
  await buy(showItem(series, { userId: (await make.person()).id }), GOOD_CARD);
}

const passes = (ms: number) => {
  clock.now = later(clock.now, ms);
};

/** Until `receive`, no webhook arrives. */
async function loseWebhooks() {
  const since = clock.now;
  await sandbox.injectFaults({ lose: 1000 });
  return async (order: 'first' | 'last') => {
    await sandbox.tick();
    await sandbox.deliver();
    await sandbox.injectFaults({ lose: 0 });
    const events = await payments.listEvents({ since: earlier(since, MINUTES(1)), limit: 100 });
    await storeEvents(ctx, events);
    for (const { id } of order === 'last' ? events : events.toReversed()) await handleEvent(ctx, { eventId: id });
    await settle();
  };
}

const salesOf = async (owner: Creator) => {
  const rows = await db
    .select()
    .from(sales)
    .where(eq(sales.creatorId, owner.creatorId))
    .orderBy(sales.paidAt, sales.id);
  return rows
    .filter(({ purpose }) => purpose === 'show')
    .map(({ plan, commissionMinor }) => ({ plan, commissionMinor }));
};

test.each(['first', 'last'] as const)(
  'sales before and after the beginning of a plan, all known a day later, the %s event first',
  async (order) => {
    const owner = await seller();
    const receive = await loseWebhooks();
    await sell(owner);
    passes(HOURS(1));
    await startPlan(owner, 'BASIC');
    passes(HOURS(1));
    await sell(owner);
    passes(DAYS(1));

    await receive(order);

    expect(await salesOf(owner)).toEqual([FREE, BASIC]);
  },
);

test.each(['first', 'last'] as const)(
  'sales before and after the end of a plan, all known a day later, the %s event first',
  async (order) => {
    const owner = await seller();
    await startPlan(owner, 'BASIC');
    await settle();
    const { endsAt } = await owner.api.plans.cancel({ reason: '' });
    await pass(earlier(endsAt, HOURS(2)));
    const receive = await loseWebhooks();
    await sell(owner);
    clock.now = later(endsAt, HOURS(1));
    // nobody has told us the end
    const { plan } = await owner.api.plans.overview();
    await sell(owner);
    passes(DAYS(1));

    await receive(order);

    expect(plan).toBe('FREE');
    expect(await salesOf(owner)).toEqual([BASIC, FREE]);
  },
);

test('a sale that is known in time has the plan whose own news was lost', async () => {
  const owner = await seller();
  await sandbox.injectFaults({ lose: 1000 });
  await startPlan(owner, 'BASIC');
  await sandbox.tick();
  await sandbox.deliver();
  await sandbox.injectFaults({ lose: 0 });
  passes(HOURS(1));

  await sell(owner);
  await settle();

  expect(await salesOf(owner)).toEqual([BASIC]);
});

test('an end that is called off ends nothing, and a change begins at its own time', async () => {
  const owner = await seller();
  await startPlan(owner, 'BASIC');
  await settle();
  const began = clock.now;
  await owner.api.plans.cancel({ reason: '' });
  await owner.api.plans.renew();
  await pass(later(began, DAYS(5)));
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan: 'PRO' });
  passes(MINUTES(5));
  await owner.api.plans.change({ plan: 'PRO', dueMinor, creditMinor, at });
  await pass(later(began, DAYS(40)));

  const periods = await db
    .select()
    .from(planPeriods)
    .where(eq(planPeriods.creatorId, owner.creatorId))
    .orderBy(desc(planPeriods.startsAt));
  expect(periods).toMatchObject([
    { plan: 'PRO', startsAt: at, endsAt: null },
    { plan: 'BASIC', endsAt: at },
  ]);
  expect(await owner.api.plans.overview()).toMatchObject({ plan: 'PRO' });
});
