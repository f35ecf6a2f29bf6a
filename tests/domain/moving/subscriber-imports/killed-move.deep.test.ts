import { and, eq, isNull } from 'drizzle-orm';
import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import { DAYS, HOURS, later } from '~/server/base/time';
import { claimCopiedCustomers } from '~/server/domain/moving/subscriber-imports/copied-customers';
import { runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { importSubscribers } from '~/server/queue/jobs/moving';
import { systemCtx } from '~/server/runtime/runtime';
import { killedShop } from '../../../support/killed-shop';
import { runJobs } from '../../../support/run-jobs';

const MEMBERS = 40;
const shop = await killedShop();
const { runtime, make, clock, stripe, call, settle, killNext } = shop;
const { db } = runtime;
runtime.ports.payments = stripe.payments;
const ctx = systemCtx(runtime, 'test');

/** Kills the process repeatedly, each time a little later, until the work ends without a kill. */
async function settleWithKills(first: number, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    killNext(first + ((kill * 137) % 400));
    await settle();
  }
  await settle();
}

test('an import and a move out survive SIGKILL at any moment', { timeout: 600_000 }, async () => {
  const creator = await make.creator({ name: 'Julia' });
  const show = await make.product(creator, { name: 'Ondas', priceMinor: 499, currency: 'eur' });
  const renewsAt = later(clock.now, DAYS(10));
  const lines = await Promise.all(
    Array.from({ length: MEMBERS }, async (_, n) => {
      const email = `member${n}@kill.example`;
      const { id: customer } = await stripe.stripe.customers.create({ email });
      const { id } = await stripe.stripe.paymentMethods.attach('pm_card_visa', { customer });
      await stripe.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      return { customer, line: `${email},${customer},4.99,eur,month,${renewsAt.toISOString()}` };
    }),
  );
  await claimCopiedCustomers(ctx, { creatorId: creator.creatorId, customers: lines.map(({ customer }) => customer) });
  const list = ['email,customer_id,price,currency,interval,current_period_end', ...lines.map(({ line }) => line)];
  const subscribersKey = await make.upload(creator, 'subscribers', Buffer.from(`${list.join('\n')}\n`));
  const request = { id: show.id, kind: 'podcast' as const, subscribersKey };
  const { id } = await creator.api.subscriberImports.request(request);
  while ((await runJobs(runtime, importSubscribers.name, (payload, job) => runSubscriberImport(job, payload))) > 0);

  await call(creator.token, 'subscriberImports.confirm', { id, stopped: true, welcome: true });
  await settleWithKills(40, 20);

  const imported = await creator.api.subscriberImports.latest({ id: show.id, kind: 'podcast' });
  expect(imported).toMatchObject({ status: 'done', done: MEMBERS, failed: 0 });
  expect(await db.$count(outbox, eq(outbox.topic, 'subscriber_welcome'))).toBe(MEMBERS);
  for (const { customer } of lines) {
    const { data } = await stripe.stripe.subscriptions.list({ customer, status: 'all' });
    expect(data).toHaveLength(1);
  }

  clock.now = later(clock.now, DAYS(2));
  const accountId = await onboardAccount(stripe);
  const owned = { creatorId: creator.creatorId, connectedBy: creator.id, accountId };
  const state = { status: 'active', chargesEnabled: true, payoutsEnabled: true } as const;
  await db.insert(sellerAccounts).values({ ...owned, ...state, connectedAt: clock.now, syncedAt: clock.now });
  await call(creator.token, 'subscriberMoves.start', undefined);
  await settleWithKills(40, 20);

  const { latest } = await creator.api.subscriberMoves.overview();
  expect(latest).toMatchObject({ status: 'done', counts: [{ state: 'moved', lines: MEMBERS }] });
  clock.now = later(renewsAt, HOURS(3));
  await settle();

  const rows = await db
    .select({ row: subscriptions, email: users.email })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(eq(subscriptions.productId, show.id), isNull(subscriptions.endedAt)))
    .orderBy(subscriptions.id);
  expect(rows).toHaveLength(MEMBERS);
  for (const { row } of rows) {
    expect(row).toMatchObject({ account: accountId, periodStart: renewsAt });
    const { data } = await stripe.stripe.paymentIntents.list(
      { customer: row.customerId },
      { stripeAccount: accountId },
    );
    expect(data.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  }
  const paid = await stripe.stripe.paymentIntents.list({ limit: 100 });
  expect(paid.data.filter(({ status }) => status === 'succeeded')).toHaveLength(0);
  expect(await db.$count(sales, eq(sales.productId, show.id))).toBe(MEMBERS);
  console.table({ members: MEMBERS, kills: shop.kills() });
});
