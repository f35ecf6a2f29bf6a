import { and, eq, inArray, isNull } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { paymentEvents } from '~/db/schema/checkouts';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { DAYS, HOURS, later } from '~/server/base/time';
import type { Turns, Urgency } from '~/server/base/turns';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { catchUp } from '~/server/domain/billing/provider-sync/catch-up';
import { handleEvent } from '~/server/domain/billing/provider-sync/events';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { createTurns } from '~/server/flow/paced-turns';
import { sharedPace, stepsFor } from '~/server/flow/shared-pace';
import { handlePaymentEvent } from '~/server/queue/jobs/billing';
import { importSubscribers } from '~/server/queue/jobs/moving';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';
import { deepTimes, isDeep } from '../support/deep';
import { movingShop } from '../support/moving-shop';
import { runJobs } from '../support/run-jobs';
import { ADDRESSES, GOOD_CARD, showItem } from '../support/shop';

/** MORNING=1000 plays a thousand, which take far longer. */
const RENEWALS = Number(process.env.MORNING ?? (isDeep ? 40 * deepTimes : 3));
const IMPORTED = isDeep ? 10 * deepTimes : 2;
/** Calls per second with a test key. */
const LIMIT = 25;

const stage = await movingShop();
const { make, runtime, client, clock, sandbox, stripe, settle } = stage;
const { db } = runtime;

/** The order in which calls asked for their turns, and got them. */
const order: { urgency: Urgency; passedBy: number }[] = [];
let backgroundCalls = 0;

/** The turns of one process. */
function processTurns(): Turns {
  const pace = sharedPace(client, { name: 'stripe', ...stepsFor(LIMIT - 1) });
  const turns = createTurns(pace, { waiting: 500 });
  return {
    async take(urgency, patienceMs) {
      const before = backgroundCalls;
      const hasTurn = await turns.take(urgency, patienceMs);
      order.push({ urgency, passedBy: backgroundCalls - before });
      if (urgency === 'background') backgroundCalls += 1;
      return hasTurn;
    },
  };
}

/** The statuses of all answers of Stripe. */
const statuses: number[] = [];
function openProcess(): { web: Runtime; worker: Runtime } {
  const payments = stripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecrets: [],
    production: false,
    turns: processTurns(),
    async fetch(input, init) {
      const answer = await stage.fetch(input, init);
      statuses.push(answer.status);
      return answer;
    },
  });
  const withPort = (port: typeof payments): Runtime => ({ ...runtime, ports: { ...runtime.ports, payments: port } });
  return { web: withPort(payments), worker: withPort(payments.inBackground()) };
}

/** Runs the jobs of a queue until none are left; the queue repeats those that found no turn. */
async function workOff(worker: Runtime, name: string, work: Parameters<typeof runJobs>[2]): Promise<void> {
  for (let isDone = false; !isDone; )
    isDone = (await runJobs(worker, name, (payload, ctx) => repeated(() => work(payload, ctx)))) === 0;
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== 'payments.rate_limited') throw error;
    }
  }
}

async function subscribe(show: Parameters<typeof showItem>[0]): Promise<number> {
  const { id } = await make.person();
  await stage.buy(showItem(show, { userId: id }));
  return id;
}

async function startImport() {
  const mover = await stage.newCreator();
  const customers: string[] = [];
  const lines: string[] = [];
  for (let number = 0; number < IMPORTED; number += 1) {
    const email = `moved${number}@mail.example`;
    const customer = await stage.customerIn(email);
    customers.push(customer);
    const renewsAt = later(clock.now, DAYS(40)).toISOString();
    lines.push([email, 'Ana', customer, '', '4.20', 'eur', 'month', renewsAt, ''].join(','));
  }
  await stage.copied(mover.creator.creatorId, customers);
  const id = await stage.upload(mover, lines);
  return { customers, id, confirm: () => mover.creator.api.subscriberImports.confirm({ id, stopped: true }) };
}

test(`${RENEWALS} renewals, catch-up, an import and the reconciliation within Stripe’s limit: all arrive once, and a buyer passes them`, async () => {
  const show = await make.product(stage.lucia, { name: 'Mareas', priceMinor: 500 });
  const listeners: number[] = [];
  for (let number = 0; number < RENEWALS; number += 1) listeners.push(await subscribe(show));
  await settle();
  clock.now = later(clock.now, DAYS(20));
  const { id: importId, customers, confirm } = await startImport();
  clock.now = later(clock.now, DAYS(12));
  await sandbox.tick();
  await confirm();
  const buyer = await make.person();
  // some webhooks never arrive: only the catch-up brings them
  await sandbox.injectFaults({ lose: Math.ceil(RENEWALS / 3), duplicates: 1 });
  await sandbox.deliver();
  const [first, second] = [openProcess(), openProcess()];
  const handle = (worker: Runtime) =>
    workOff(worker, handlePaymentEvent.name, (payload: { eventId: string }, ctx) => handleEvent(ctx, payload));
  sandbox.setLimits({ perSecond: LIMIT });
  const ofSandbox = systemCtx(second.worker, 'test');

  const jobs = [
    handle(first.worker),
    handle(second.worker),
    repeated(() => catchUp(ofSandbox)),
    repeated(() => reconcileBooks(ofSandbox)),
    workOff(second.worker, importSubscribers.name, (payload: never, ctx) => runSubscriberImport(ctx, payload)),
  ];
  // by the limit, a call for each renewal takes a while
  await expect.poll(() => backgroundCalls, { timeout: 300_000 }).toBeGreaterThan(RENEWALS);
  const page = await openCheckout(systemCtx(first.web, 'test'), {
    ...showItem(show, { userId: buyer.id }),
    paths: ADDRESSES,
  });
  await payByForms(stage.fetch, page.url, { number: GOOD_CARD, email: buyer.email, proven: true });
  const [session] = (await sessionsOf(page.id)).map(({ id }) => id);
  await syncCheckout(systemCtx(first.web, 'test'), session!);
  const waitingAtPurchase = await db.$count(paymentEvents, isNull(paymentEvents.handledAt));
  await Promise.all(jobs);
  await handle(first.worker);
  sandbox.setLimits({ perSecond: null });
  await sandbox.injectFaults({ lose: 0, duplicates: 0 });
  await settle();

  // the buyer has been served among the jobs: each of their calls let at most the call pass that had its turn already
  const buyersCalls = order.filter(({ urgency }) => urgency === 'waited_for');
  expect(waitingAtPurchase).toBeGreaterThan(0);
  expect(buyersCalls.length).toBeGreaterThan(2);
  expect(Math.max(...buyersCalls.map(({ passedBy }) => passedBy))).toBeLessThanOrEqual(2);
  expect(await db.$count(sales, eq(sales.userId, buyer.id))).toBe(1);
  // each renewal once, and each event handled
  const paid = await db
    .select({ userId: sales.userId, payment: sales.paymentId })
    .from(sales)
    .where(inArray(sales.userId, listeners))
    .orderBy(sales.id);
  expect(paid).toHaveLength(2 * RENEWALS);
  expect(new Set(paid.map(({ payment }) => payment)).size).toBe(2 * RENEWALS);
  expect(await db.$count(paymentEvents, isNull(paymentEvents.handledAt))).toBe(0);
  expect(await stage.statusOf(importId)).toBe('done');
  const imported = and(inArray(subscriptions.customerId, customers), isNull(subscriptions.endedAt));
  expect(await db.$count(subscriptions, imported)).toBe(IMPORTED);
  for (const customer of customers) expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1);
  // the answers that were rejected are few, and the ledger is right to the cent
  expect(statuses.filter((status) => status === 429).length).toBeLessThan(statuses.length / 4);
  clock.now = later(clock.now, HOURS(26));
  await settle();
  expect(await reconcileBooks(stage.ctx)).toMatchObject({ differences: 0 });
});

const sessionsOf = async (checkout: string) =>
  (await stripe.checkout.sessions.list({ limit: 100 })).data.filter(({ metadata }) => metadata?.checkout === checkout);
