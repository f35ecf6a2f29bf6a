import { eq, gt, isNull, or, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { beforeAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { billingDetails } from '~/db/schema/accounts';
import { disputes, refunds, sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { coupons } from '~/db/schema/coupons';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { products } from '~/db/schema/products';
import { reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { accessOf } from '~/server/domain/billing/base/rules';
import { balancesOf } from '~/server/domain/payouts/queries';
import { systemCtx } from '~/server/runtime/runtime';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { killedShop } from '../support/killed-shop';
import type { Person } from '../support/make';
import { GOOD_CARD } from '../support/shop';
import type { Answer } from '../support/shop-child';
import { seededRandom } from '../support/simulated-year';
import { type PlanStep, yearEvents } from '../support/year-events';

const COUNT = isDeep ? 16 * deepTimes : 5;
/** With fewer people, hardly any dispute is won, hardly any payout reversed, and a year can have only two payouts. */
const EVERYTHING_HAPPENS = 200;
const WEEKS = isDeep ? 52 : 7;
const KILLS = isDeep ? 6 * deepTimes : 2;
const REDEMPTIONS = isDeep ? 6 * deepTimes : 2;
/** Cards whose banks want each payment confirmed, open an inquiry, report fraud, or open a dispute. */
const [CONFIRMS_EACH, INQUIRES, REPORTS_FRAUD, DISPUTES] = [
  ...['4000002760003184', '4000000000001976', '4000000000005423', '4000000000000259'],
] as const;
const RENEWAL_FAILS = '4000000000000044';
/** The first people have one each, so an everyday year has all of the first five. */
const CARDS = [
  ...[GOOD_CARD, CONFIRMS_EACH, INQUIRES, REPORTS_FRAUD, DISPUTES],
  ...[RENEWAL_FAILS, '4000002500003155', GOOD_CARD, GOOD_CARD],
];
/** What the creator does with the plan in which week. Nobody new can buy without a plan, so it ends in the second half. */
const PLAN_STEPS: Record<number, PlanStep> = isDeep
  ? {
      ...{ 0: 'start PRO', 2: 'change PLUS', 9: 'change BASIC', 15: 'change PRO', 28: 'cancel' },
      ...{ 35: 'start PLUS', 38: 'change BASIC', 41: 'cancel', 48: 'start BASIC' },
    }
  : { 0: 'start PRO', 1: 'change PLUS', 2: 'change BASIC', 3: 'cancel', 6: 'start PRO' };
const IBAN = 'ES9121000418450200051332';

const random = seededRandom(deepSeed());
const shop = await killedShop({ callsPerSecond: 25 });
const { runtime, make, lucia, paidPodcast, stripe, clock, call, buy, settle, killNext, kills } = shop;
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const unexpected: string[] = [];
const actions: Record<string, number> = {};
const people: Person[] = [];
const events = yearEvents({ shop, random, maybeKilled, note });
const { objects } = events;

beforeAll(async () => {
  const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
  await db.update(products).set({ annualPriceMinor: 5000 }).where(eq(products.id, paidPodcast.id));
  const half = { couponCode: 'MITAD', discountType: 'percentage', discount: '50', duration: 'repeating' } as const;
  await lucia.api.coupons.create({ productId: paidPodcast.id, ...half, months: 2, redemptions: REDEMPTIONS });
  await db.insert(billingDetails).values({ userId: lucia.id, iban: IBAN });
  const start = clock.now;
  for (let week = 0; week < WEEKS; week += 1) {
    await events.changeConditions();
    const step = PLAN_STEPS[week];
    // charges of the week before are older than a plan that starts
    clock.now = later(clock.now, MINUTES(1));
    if (step) await events.changePlan(lucia, step);
    const joining = week < WEEKS / 2 ? Math.ceil((2 * COUNT) / WEEKS) : 0;
    for (let i = 0; i < joining && people.length < COUNT; i += 1) await join(series);
    clock.now = later(start, DAYS(7 * (week + 1)));
    await maybeKilled(() => settle({ schedules: true, captures: false }));
    if (week % 2 === 1) await events.payOut(lucia);
    await events.decideDisputes();
    await events.answerWarnings();
    await events.confirmRenewals();
    for (const person of people) if (random.next() < 0.1) await act(person);
  }
  await events.restoreConditions();
  for (let day = 0; day < 2; day += 1) {
    clock.now = later(clock.now, DAYS(1));
    await settle({ schedules: true });
  }
  stripe.sandbox.setLimits({ perSecond: null });
}, 1_800_000);

/** Kills the process at random moments, as often as the test's title says. */
async function maybeKilled<T>(work: () => Promise<T>): Promise<T> {
  if (kills() < KILLS && random.next() < (1.5 * KILLS) / (COUNT + WEEKS)) killNext(random.below(60));
  return work();
}

async function join(series: { id: number }) {
  const person = await make.person();
  people.push(person);
  const isGuest = random.next() < 0.3;
  const isFirst = people.length === 1;
  const isSeries = !isFirst && random.next() < 0.2;
  const trialDays = random.next() < 0.2 ? 7 + random.below(14) : 0;
  await db.update(products).set({ trialDays }).where(eq(products.id, paidPodcast.id));
  const yearly = random.next() < 0.2 && { interval: 'year' as const };
  const coupon = (isFirst || random.next() < 0.3) && { coupon: 'mitad' };
  const input = {
    ...(isSeries ? { product: series.id } : { product: paidPodcast.id, ...yearly, ...coupon }),
    ...{ adult: true, terms: true, email: person.email },
  };
  const order = { userId: isGuest ? null : person.id, browserHash: `hash ${person.id}` };
  let { result, error } = await maybeKilled(() => buy({ ...order, input }));
  // the coupon is used up
  if (error === 'coupon.invalid') ({ result, error } = await buy({ ...order, input: { ...input, coupon: undefined } }));
  if (error) return void unexpected.push(error);
  const { url } = result as { url: string };
  const country = random.pick(['ES', 'FR', 'FI', 'US', '']);
  await payByForms(stripe.fetch, url, {
    number: CARDS[people.length - 1] ?? random.pick(CARDS),
    proven: random.next() < 0.9,
    country,
  });
  actions.buy = (actions.buy ?? 0) + 1;
  await maybeKilled(() => settle({ captures: false }));
}

const EVENTS = ['startPlan', 'changePlan', 'cancelPlan', 'refundWarned', 'confirm', 'inquiry: losing_evidence'];
const ACTIONS = ['cancel', 'renew', 'yearly', 'removeCard', 'refund'] as const;

/** Actions of a subscriber on the subscriptions page, or of the creator on the list of subscribers. */
async function act(person: Person): Promise<void> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, person.id));
  if (!row) return;
  const action = random.pick(ACTIONS);
  note(action, (await maybeKilled(() => run(action, person, row))).error);
  await maybeKilled(() => settle({ captures: false }));
}

/** Counts actions. An action that is not due, or already done, is not an error. */
function note(action: string, error?: string): void {
  actions[action] = (actions[action] ?? 0) + (error ? 0 : 1);
  if (error?.startsWith('unexpected')) unexpected.push(`${action}: ${error}`);
}

async function run(action: (typeof ACTIONS)[number], { token }: Person, { id }: { id: number }): Promise<Answer> {
  if (action === 'cancel') return call(token, 'subscriptions.cancel', { id, reason: 'Demasiado caro' });
  if (action === 'renew') return call(token, 'subscriptions.renew', { id });
  if (action === 'yearly') return changeToYearly(token, id);
  if (action === 'removeCard') return removeCard(token);
  const [sale] = await db.select().from(sales).where(eq(sales.subscriptionId, id)).limit(1);
  if (!sale) return { number: 0, error: 'no sale' };
  await stripe.payments
    .refund(sale.paymentId, { amount: { minor: 100, currency: 'eur' }, reference: {} }, `refund/${sale.id}`)
    .catch(() => {});
  return { number: 0 };
}

async function changeToYearly(token: string, id: number): Promise<Answer> {
  const { result, error } = await call(token, 'subscriptions.yearlyPreview', { id });
  if (error) return { number: 0, error };
  const { at, due, yearly } = result as { at: string; due: { minor: number }; yearly: { minor: number } };
  const shown = { id, at, dueMinor: due.minor, yearlyMinor: yearly.minor };
  return call(token, 'subscriptions.changeToYearly', shown);
}

async function removeCard(token: string): Promise<Answer> {
  const { result } = await call(token, 'cards.mine', undefined);
  const [card] = (result ?? []) as { id: string }[];
  return card ? call(token, 'cards.remove', { id: card.id }) : { number: 0, error: 'no card' };
}

test('the process was killed as often as promised, and nothing failed unexpectedly', () => {
  expect(unexpected).toEqual([]);
  expect(kills()).toBeGreaterThanOrEqual(Math.floor(KILLS / 2));
  expect(actions.buy).toBe(COUNT);
  if (!isDeep) return;
  console.table({ people: COUNT, weeks: WEEKS, kills: kills(), ...actions });
  if (COUNT < EVERYTHING_HAPPENS) return;
  // every kind of action was tried, and succeeded at least once
  const all = [...ACTIONS, 'payout', 'pay', 'reverse', 'winning_evidence', 'losing_evidence', ...EVENTS];
  expect(all.filter((action) => !actions[action])).toEqual([]);
});

test('every charge of the provider is one sale of the same amount, and there are no other sales', async () => {
  const charges = (await objects<Stripe.Charge>('charge')).filter(({ paid }) => paid);
  const rows = await db.select().from(sales).orderBy(sales.id);
  const own = rows.map(({ paymentId, amountMinor, refundedMinor }) => [paymentId, amountMinor, refundedMinor]);
  const theirs = charges.map(({ payment_intent, amount, amount_refunded }) => [
    payment_intent,
    amount,
    amount_refunded,
  ]);

  expect(own.toSorted()).toEqual(theirs.toSorted());
  expect(rows.map(({ receiptNumber }) => receiptNumber).toSorted((a, b) => a - b)).toEqual(rows.map((_, i) => i + 1));
  if (isDeep) console.table({ 'our sales': totalsOf(own), 'charges of the provider': totalsOf(theirs) });
});

/** All amounts are in cents. */
function totalsOf(payments: unknown[][]) {
  const sum = (column: number) => payments.reduce((total, payment) => total + Number(payment[column]), 0);
  return { payments: payments.length, gross: sum(1), refunded: sum(2) };
}

const sumsBy = async (column: typeof ledgerLines.account | typeof ledgerEntries.kind) => {
  const rows = await db
    .select({ name: column, minor: sql<number>`sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(column === ledgerEntries.kind ? eq(ledgerLines.account, 'provider_balance') : undefined)
    .groupBy(column)
    .orderBy(column);
  return Object.fromEntries(rows.map(({ name, minor }) => [name, minor]));
};

test('the ledger matches the provider’s books to the cent, and every night found them equal', async () => {
  const { available, pending } = await stripe.payments.balance();
  const theirs = [...available, ...pending].reduce((sum, { minor }) => sum + minor, 0);
  const accounts = await sumsBy(ledgerLines.account);

  expect(accounts.provider_balance).toBe(theirs);
  expect(Object.values(accounts).reduce((sum, minor) => sum + minor, 0)).toBe(0);
  expect(
    await db
      .select()
      .from(reconciliationDifferences)
      .where(isNull(reconciliationDifferences.resolvedAt))
      .orderBy(reconciliationDifferences.key),
  ).toEqual([]);
  const runs = await db.$count(reconciliations);
  expect(runs).toBeGreaterThanOrEqual(WEEKS);
  if (!isDeep) return;
  console.table({ 'balance at the provider': { ledger: accounts.provider_balance, provider: theirs } });
  console.table(await sumsBy(ledgerEntries.kind));
  console.table(accounts);
  console.table({ comparisons: runs, differences: await db.$count(reconciliationDifferences) });
});

test('the creator’s earnings were paid out once, or are owed', async () => {
  const rows = await db.select().from(payouts).orderBy(payouts.id);
  const sent = rows.filter(({ status }) => status !== 'reversed');
  const months = sent.map(({ month }) => month);
  const [balance] = await balancesOf(ctx, lucia.creatorId);
  const shares = sql<number>`-sum(${ledgerLines.amountMinor})`.mapWith(Number);
  const [earned] = await db
    .select({ minor: shares })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(sql`${ledgerLines.account} = 'creator_payable' and ${ledgerEntries.kind} not like 'payout%'`);
  const paid = sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

  expect(new Set(months).size).toBe(months.length);
  expect(paid + balance!.availableMinor + balance!.pendingMinor).toBe(earned!.minor);
  expect(rows.filter(({ amountMinor }) => amountMinor <= 5000)).toEqual([]);
  if (!isDeep) return;
  expect(sent.length).toBeGreaterThan(COUNT < EVERYTHING_HAPPENS ? 0 : 2);
  const { availableMinor, pendingMinor } = balance!;
  console.table({
    payouts: sent.length,
    reversed: rows.length - sent.length,
    earned: earned!.minor,
    paid,
    availableMinor,
    pendingMinor,
  });
});

test('each payout was covered by money that was available at the provider', async () => {
  const transactions = await objects<Stripe.BalanceTransaction>('balance_transaction');
  const charges = await objects<Stripe.Charge>('charge');
  const daysById = new Map(transactions.map(({ id, available_on }) => [id, available_on * 1000]));
  const dayOf = new Map(
    charges.map(({ payment_intent, balance_transaction }) => [
      payment_intent,
      daysById.get(String(balance_transaction)),
    ]),
  );
  const lines = await db
    .select({ entry: ledgerEntries, paymentId: sales.paymentId, minor: ledgerLines.amountMinor })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .leftJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .where(eq(ledgerLines.account, 'creator_payable'))
    .orderBy(ledgerEntries.id, ledgerLines.id);
  const requests = lines.filter(({ entry }) => entry.kind === 'payout');

  const left = requests.map(({ entry: { id, at } }) =>
    lines
      .filter(({ entry }) => entry.id <= id)
      .filter(({ paymentId }) => paymentId === null || dayOf.get(paymentId)! <= at.getTime())
      .reduce((sum, { minor }) => sum - minor, 0),
  );

  expect(requests).toHaveLength(await db.$count(payouts));
  expect(left.filter((minor) => minor < 0)).toEqual([]);
});

test('the commission of each sale is that of the plan at the moment of the charge', async () => {
  const rows = await db.select().from(sales).where(eq(sales.purpose, 'show')).orderBy(sales.id);
  const bought = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.purpose, 'plan'))
    .orderBy(subscriptions.id);
  const ids = new Set(bought.map(({ providerId }) => providerId));
  const plans = (await objects<Stripe.Subscription>('subscription')).filter(({ id }) => ids.has(id));
  const hasPlan = (at: number) =>
    plans.some(({ start_date, ended_at }) => start_date <= at && (ended_at === null || ended_at > at));

  const expected = rows.map(({ id, amountMinor, vatMinor, paidAt }) => {
    const isFree = !hasPlan(Math.floor(paidAt.getTime() / 1000));
    const commission = Math.floor((amountMinor * (isFree ? 10 : 3) + 50) / 100) + 30;
    return { id, isFree, commissionMinor: Math.min(commission, amountMinor - vatMinor) };
  });

  expect(rows.map(({ id, commissionMinor }) => ({ id, commissionMinor }))).toEqual(
    expected.map(({ id, commissionMinor }) => ({ id, commissionMinor })),
  );
  expect(new Set(expected.map(({ isFree }) => isFree)).size).toBe(2);
});

test('nothing was charged or refunded twice', async () => {
  const links = await objects<Stripe.InvoicePayment>('invoice_payment');
  const back = await objects<Stripe.Refund>('refund');
  const paid = links.filter(({ status }) => status === 'paid').map(({ invoice }) => invoice);
  const own = await db.select().from(refunds).orderBy(refunds.providerId);
  const reported = await db.select().from(sales).where(gt(sales.refundedMinor, sales.amountMinor)).orderBy(sales.id);

  expect(new Set(paid).size).toBe(paid.length);
  expect(own.map(({ providerId, amountMinor }) => [providerId, amountMinor]).toSorted()).toEqual(
    back.map(({ id, amount }) => [id, amount]).toSorted(),
  );
  expect(reported).toEqual([]);
});

test('the coupon was used as often as payments had it, and not more often than allowed', async () => {
  const [coupon] = await db.select().from(coupons).where(eq(coupons.code, 'MITAD'));
  const used = await db.select().from(checkouts).where(eq(checkouts.couponId, coupon!.id)).orderBy(checkouts.createdAt);

  expect(coupon!.taken).toBe(used.filter(({ status, refusedFor }) => status === 'settled' && !refusedFor).length);
  expect(coupon!.taken).toBeLessThanOrEqual(REDEMPTIONS);
});

test('every subscription is stored in the provider’s state', async () => {
  const rows = await db.select().from(subscriptions).orderBy(subscriptions.id);
  const theirs = await Promise.all(rows.map(({ providerId }) => stripe.payments.fetch.subscription(providerId)));
  const facts = (one: { status: string; periodEnd: Date; endsAt: Date | null; endedAt: Date | null }) => ({
    status: one.status,
    periodEnd: one.periodEnd,
    endsAt: one.endsAt,
    endedAt: one.endedAt,
  });

  expect(rows.map(facts)).toEqual(theirs.map(facts));
  const running = (await objects<Stripe.Subscription>('subscription')).filter(
    ({ status }) => status !== 'incomplete' && status !== 'incomplete_expired',
  );
  expect(new Set(rows.map(({ providerId }) => providerId))).toEqual(new Set(running.map(({ id }) => id)));
});

test('all buyers have the access that they have paid for, and no one else has any', async () => {
  const [rows, given, settled] = await Promise.all([
    db.select().from(subscriptions).orderBy(subscriptions.id),
    db.select().from(grants).orderBy(grants.id),
    db.select().from(checkouts).orderBy(checkouts.createdAt),
  ]);
  // a failed renewal can have ended access before the subscription
  const stateOf = (row: (typeof rows)[number]) => {
    const endsAt = accessOf(row)?.endsAt;
    return endsAt && endsAt <= clock.now ? 'over' : endsAt;
  };
  const paid = rows
    .filter(({ purpose, endReason }) => purpose === 'show' && endReason !== 'duplicate')
    .map((row) => [row.userId, row.productId, stateOf(row)]);
  const taken = await db
    .select({ checkoutId: sales.checkoutId })
    .from(sales)
    .leftJoin(disputes, eq(disputes.saleId, sales.id))
    .where(or(eq(disputes.status, 'lost'), eq(sales.refundedMinor, sales.amountMinor)))
    .orderBy(sales.id);
  const lost = new Set(taken.map(({ checkoutId }) => checkoutId));
  const bought = settled
    .filter(({ status, refusedFor, terms }) => status === 'settled' && !refusedFor && terms.every === null)
    .map(({ id, userId, productId }) => [userId, productId, lost.has(id) ? 'over' : null]);
  const known = new Set(people.map(({ id }) => id));
  const own = given.filter(({ userId }) => known.has(userId));

  const access = own.map(({ userId, productId, endsAt }) => {
    const isEnded = endsAt !== null && endsAt <= clock.now;
    return [userId, productId, isEnded ? 'over' : endsAt];
  });

  expect(access.toSorted()).toEqual([...paid, ...bought].toSorted());
});
