import { eq, inArray, isNull, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { beforeAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { billingDetails } from '~/db/schema/accounts';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { coupons } from '~/db/schema/coupons';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { DAYS, later } from '~/server/base/time';
import { accessOf } from '~/server/domain/billing/base/rules';
import { balancesOf } from '~/server/domain/payouts/queries';
import { systemCtx } from '~/server/runtime/runtime';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { killedShop } from '../support/killed-shop';
import type { Person } from '../support/make';
import { GOOD_CARD } from '../support/shop';
import type { Answer } from '../support/shop-child';
import { seededRandom } from '../support/simulated-year';

const COUNT = isDeep ? 40 * deepTimes : 5;
/** With fewer people, hardly any dispute is won, and hardly any payout reversed. */
const EVERYTHING_HAPPENS = 200;
const WEEKS = isDeep ? 52 : 7;
const KILLS = isDeep ? 10 * deepTimes : 2;
const REDEMPTIONS = isDeep ? 6 * deepTimes : 2;
const RENEWAL_FAILS = '4000000000000044';
const CARDS = [GOOD_CARD, GOOD_CARD, GOOD_CARD, '4000002500003155', RENEWAL_FAILS, '4000000000000259'];
const IBAN = 'ES9121000418450200051332';

const random = seededRandom(deepSeed());
const shop = await killedShop();
const { runtime, make, lucia, paidPodcast, stripe, clock, call, buy, operate, settle, killNext, kills } = shop;
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const unexpected: string[] = [];
const actions: Record<string, number> = {};
const people: Person[] = [];

beforeAll(async () => {
  const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
  await db.update(products).set({ annualPriceMinor: 5000 }).where(eq(products.id, paidPodcast.id));
  await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PLUS' });
  const half = { couponCode: 'MITAD', discountType: 'percentage', discount: '50', duration: 'repeating' } as const;
  await lucia.api.coupons.create({ productId: paidPodcast.id, ...half, months: 2, redemptions: REDEMPTIONS });
  await db.insert(billingDetails).values({ userId: lucia.id, iban: IBAN });
  const start = clock.now;
  for (let week = 0; week < WEEKS; week += 1) {
    const joining = week < WEEKS / 2 ? Math.ceil((2 * COUNT) / WEEKS) : 0;
    for (let i = 0; i < joining && people.length < COUNT; i += 1) await join(series);
    clock.now = later(start, DAYS(7 * (week + 1)));
    await maybeKilled(() => settle({ schedules: true }));
    if (week % 2 === 1) await payOut();
    await decideDisputes();
    for (const person of people) if (random.next() < 0.1) await act(person);
  }
  clock.now = later(clock.now, DAYS(1));
  await settle({ schedules: true });
  clock.now = later(clock.now, DAYS(1));
  await settle({ schedules: true });
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
  await payByForms(stripe.fetch, url, { number: random.pick(CARDS), proven: random.next() < 0.9, country });
  actions.buy = (actions.buy ?? 0) + 1;
  await maybeKilled(() => settle());
}

const ACTIONS = ['cancel', 'renew', 'yearly', 'removeCard', 'refund'] as const;

/** Actions of a subscriber on the subscriptions page, or of the creator on the list of subscribers. */
async function act(person: Person): Promise<void> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, person.id));
  if (!row) return;
  const action = random.pick(ACTIONS);
  note(action, (await maybeKilled(() => run(action, person, row))).error);
  await maybeKilled(() => settle());
}

/** The creator requests a payout. The operator pays it, declines it, or has the bank return it. */
async function payOut(): Promise<void> {
  const { error } = await maybeKilled(() => call(lucia.token, 'payouts.request', { currency: 'eur' }));
  note('payout', error);
  const open = await db
    .select()
    .from(payouts)
    .where(inArray(payouts.status, ['requested', 'approved']))
    .orderBy(payouts.id);
  for (const { publicId } of open) {
    const steps = random.next() < 0.2 ? (['approve', 'pay', 'reverse'] as const) : (['approve', 'pay'] as const);
    for (const step of steps) note(step, (await maybeKilled(() => operate(publicId, step))).error);
  }
}

/** The bank decides open disputes. */
async function decideDisputes(): Promise<void> {
  for (const { id, status } of await objects<Stripe.Dispute>('dispute')) {
    if (status !== 'needs_response' || random.next() < 0.5) continue;
    const evidence = random.next() < 0.4 ? 'winning_evidence' : 'losing_evidence';
    await stripe.payments.answerDispute(id, evidence, `answer/${id}`);
    note(evidence);
    await maybeKilled(() => settle());
  }
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

async function objects<T>(kind: string): Promise<T[]> {
  const rows = await stripe.client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where kind = ${kind} order by number`;
  return rows.map(({ text }) => JSON.parse(text) as T);
}

test('the process was killed as often as promised, and nothing failed unexpectedly', () => {
  expect(unexpected).toEqual([]);
  expect(kills()).toBeGreaterThanOrEqual(Math.floor(KILLS / 2));
  expect(actions.buy).toBe(COUNT);
  if (!isDeep) return;
  console.table({ people: COUNT, weeks: WEEKS, kills: kills(), ...actions });
  if (COUNT < EVERYTHING_HAPPENS) return;
  // every kind of action was tried, and succeeded at least once
  const all = [...ACTIONS, 'payout', 'pay', 'reverse', 'winning_evidence', 'losing_evidence'];
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
  expect(sent.length).toBeGreaterThan(5);
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
    .from(disputes)
    .innerJoin(sales, eq(sales.id, disputes.saleId))
    .where(eq(disputes.status, 'lost'))
    .orderBy(disputes.providerId);
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
