import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { activity } from '~/db/schema/team';
import { DAYS, later, monthsLater } from '~/server/base/time';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { syncSubscription } from '~/server/domain/billing/subscriptions/subscriptions';
import { endSubscription } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const stage = await shop({ buyers: true });
const { runtime, make, ctx, lucia, ada, payments, clock, buy, settle, club } = stage;
const { db } = runtime;
const series = await make.product(lucia, { name: 'Serie', kind: 'audio_series', priceMinor: 1500 });
const ref = { id: club.id, kind: 'podcast' as const };
const seriesRef = { id: series.id, kind: 'audio_series' as const };
const { buyers } = lucia.api;
const runEnds = () => runJobs(runtime, endSubscription.name, (payload, job) => endQueued(job, payload));

async function customer() {
  const person = await make.person();
  await buy(showItem(series, { userId: person.id }));
  await settle();
  return { ...person, sale: await saleOf(person) };
}
const saleOf = async ({ id }: { id: number }) => (await db.select().from(sales).where(eq(sales.userId, id)))[0]!;
const rowOf = async ({ subscription }: { subscription: number }) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, subscription)))[0]!;
const stateOf = async (userId: number) => (await buyers.get({ ...ref, userId })).buyer;

test('the list names the state of each subscriber, since when, until when and what they have paid', async () => {
  const { active, yearly, trial, overdue, cancelled, paused, refunded, gift } = stage.buyers;
  const ended = await make.person();
  await buy(showItem(club, { userId: ended.id }));
  await settle();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, ended.id));
  await payments.cancel(row!.providerId, 'now', 'test-end');
  await syncSubscription(ctx, row!.providerId);
  await buyers.invite({ ...ref, email: 'invited@mail.example' });

  const { items, total } = await buyers.list({ ...ref, pageSize: 100 });

  const states = new Map(items.map(({ userId, ...rest }) => [userId, rest]));
  const people = { trial, past_due: overdue, cancelled, paused, gift, ended };
  for (const [state, { id }] of Object.entries(people)) expect(states.get(id)).toMatchObject({ state });
  expect(items.find(({ email }) => email === 'invited@mail.example')).toMatchObject({ state: 'invited', name: null });
  const since = clock.now;
  expect(states.get(active.id)).toMatchObject({ state: 'subscribed', revenueMinor: 500, every: 'month', since });
  expect(states.get(yearly.id)).toMatchObject({ state: 'subscribed', revenueMinor: 5000, every: 'year' });
  expect(states.get(refunded.id)).toMatchObject({ state: 'subscribed', revenueMinor: 0 });
  expect(states.get(gift.id)).toMatchObject({ until: monthsLater(clock.now, 3), revenueMinor: 0 });
  expect(states.get(trial.id)).toMatchObject({ revenueMinor: 0, until: (await rowOf(trial)).trialEnd });
  expect(states.get(cancelled.id)).toMatchObject({ until: (await rowOf(cancelled)).periodEnd });
  expect(states.get(overdue.id)).toMatchObject({ until: later((await rowOf(overdue)).pastDueSince!, DAYS(7)) });
  const found = await buyers.list({ ...ref, search: trial.email });
  expect(found.items.map(({ userId }) => userId)).toEqual([trial.id]);
  expect(total).toBe(items.length);
  for (let page = 1; page <= Math.ceil(total / 4) + 1; page += 1)
    expect(await buyers.list({ ...ref, pageSize: 4, page })).toMatchObject({
      total,
      items: items.slice((page - 1) * 4, page * 4),
    });
  for (const state of new Set(items.map((item) => item.state)))
    expect((await buyers.list({ ...ref, state, pageSize: 100 })).items).toEqual(
      items.filter((item) => item.state === state),
    );
});

test('a subscriber whose bank only wants a confirmation is not shown as one whose payment has failed', async () => {
  const { overdue } = stage.buyers;
  const before = await stateOf(overdue.id);
  const isIt = eq(subscriptions.id, overdue.subscription);
  await db.update(subscriptions).set({ confirmationUrl: 'https://bank.example/confirm' }).where(isIt);

  const after = await stateOf(overdue.id);

  await db.update(subscriptions).set({ confirmationUrl: null }).where(isIt);
  expect([before, after]).toMatchObject([
    { state: 'past_due', isUnconfirmed: false },
    { state: 'past_due', isUnconfirmed: true },
  ]);
});

test('the export has each buyer once, with the ids at the payment provider', async () => {
  const { sale, id: userId } = await customer();
  await customer();

  const first = await buyers.export(seriesRef);
  const rest = await buyers.export({ ...seriesRef, after: first.at(-1)!.userId });

  expect(rest).toEqual([]);
  expect(new Set(first.map((row) => row.userId)).size).toBe(first.length);
  const payment = await payments.fetch.payment(sale.paymentId);
  expect(first.find((row) => row.userId === userId)).toMatchObject({ state: 'bought', customer: payment.customer });
});

test('the sum of what a buyer has paid may be larger than any single amount', async () => {
  const { sale, id: userId } = await customer();
  const { id, ...copy } = sale;
  const amountMinor = 2_000_000_000;
  await db.update(sales).set({ amountMinor }).where(eq(sales.id, id));
  await db.insert(sales).values({ ...copy, amountMinor, paymentId: 'pi_second', receiptNumber: 900_000 });

  const exported = await buyers.export(seriesRef);

  expect(exported.find((row) => row.userId === userId)).toMatchObject({ revenueMinor: 2 * amountMinor });
});

test('a payment is refunded in parts, never above the charge and never twice', async () => {
  const { sale } = await customer();
  const refund = { ...seriesRef, saleId: sale.id };
  const stored = async () => (await db.select().from(sales).where(eq(sales.id, sale.id)))[0]!;

  await expect(buyers.refund({ ...refund, amount: '15.01', refundedMinor: 0 })).toFailWith('buyer.refund_too_high');
  await Promise.all([1, 2].map(() => buyers.refund({ ...refund, amount: '5.00', refundedMinor: 0 })));
  expect(await stored()).toMatchObject({ refundedMinor: 500 });
  await expect(buyers.refund({ ...refund, amount: '5.00', refundedMinor: 0 })).toFailWith('buyer.refund_changed');
  await expect(buyers.refund({ ...refund, amount: '10.01', refundedMinor: 500 })).toFailWith('buyer.refund_too_high');
  expect((await buyers.get({ ...seriesRef, userId: sale.userId! })).buyer.state).toBe('bought');
  await buyers.refund({ ...refund, refundedMinor: 500 });

  expect(await stored()).toMatchObject({ refundedMinor: 1500 });
  expect(await db.select().from(refunds).where(eq(refunds.saleId, sale.id)).orderBy(refunds.providerId)).toHaveLength(
    2,
  );
  await expect(buyers.refund({ ...refund, refundedMinor: 1500 })).toFailWith('buyer.refund_too_high');
  const { buyer } = await buyers.get({ ...seriesRef, userId: sale.userId! });
  expect(buyer).toMatchObject({ state: 'ended', revenueMinor: 0 });
  const isRefund = and(eq(activity.action, 'buyer.refunded'), eq(activity.subjectId, sale.id));
  const log = await db.select().from(activity).where(isRefund).orderBy(activity.id);
  expect(log.map(({ params }) => params.amount)).toEqual(['5.00 EUR', '10.00 EUR']);
  const isTold = and(eq(outbox.topic, 'payment_refunded'), eq(outbox.userId, sale.userId!));
  const emails = await db.select({ to: outbox.to }).from(outbox).where(isTold).orderBy(outbox.createdAt);
  expect(emails).toHaveLength(2);
});

test.each(['0', '-1', 'NaN', '1e9', '0.001'])('no refund of %s', async (amount) => {
  const { id: saleId } = await saleOf(stage.buyers.yearly);

  await expect(buyers.refund({ ...ref, saleId, amount, refundedMinor: 0 })).toFailWith('field.amount_invalid');
});

test('removing ends access now and the subscription at the provider, once', async () => {
  const { id: userId, email } = stage.buyers.active;
  const row = await rowOf(stage.buyers.active);

  await buyers.remove({ ...ref, userId });
  await buyers.remove({ ...ref, userId });
  await runEnds();
  await settle();

  expect(await payments.fetch.subscription(row.providerId)).toMatchObject({ status: 'canceled' });
  expect(await stateOf(userId)).toMatchObject({ state: 'ended', revenueMinor: 500 });
  const [grant] = await db.select().from(grants).where(eq(grants.userId, userId));
  expect(grant!.endsAt!.getTime()).toBeLessThanOrEqual(clock.now.getTime());
  const [ended] = await db.select().from(subscriptions).where(eq(subscriptions.id, row.id));
  expect(ended).toMatchObject({ endReason: 'creator', endedAt: expect.any(Date) });
  const emails = (await db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt)).map(
    ({ topic }) => topic,
  );
  expect(emails.filter((topic) => topic === 'access_removed')).toHaveLength(1);
});

test('an invitation gives access, and looks the same whether the address has an account or not', async () => {
  const known = await make.person({ name: 'Nora', email: 'nora@mail.example' });

  const results = [
    await buyers.invite({ ...seriesRef, email: known.email }),
    await buyers.invite({ ...seriesRef, email: 'nobody@mail.example' }),
  ];

  expect(results[0]).toEqual(results[1]);
  const { items } = await buyers.list({ ...seriesRef, state: 'invited' });
  const shown = items.map(({ userId: _, email: __, ...rest }) => rest);
  expect(shown).toHaveLength(2);
  expect(shown[0]).toEqual(shown[1]);
  expect((await buyers.list({ ...seriesRef, search: 'nora' })).items).toHaveLength(1);
  expect((await buyers.list({ ...seriesRef, search: 'Nora ' })).items).toHaveLength(1);
  const emails = await db.select().from(outbox).where(eq(outbox.topic, 'free_access')).orderBy(outbox.createdAt);
  expect(emails.filter(({ text }) => text.includes(`/feed/${series.id}`))).toHaveLength(2);
  const [created] = await db.select().from(users).where(eq(users.email, 'nobody@mail.example'));
  expect(created).toMatchObject({ passwordHash: null, emailVerifiedAt: null });
});

test('another creator finds neither buyers nor payments, and finance reads without changing anything', async () => {
  const { id: userId } = stage.buyers.yearly;
  const refund = { ...ref, saleId: (await saleOf(stage.buyers.yearly)).id, refundedMinor: 0 };

  await expect(ada.api.buyers.list(ref)).toFailWith('product.not_found');
  await expect(ada.api.buyers.export(ref)).toFailWith('product.not_found');
  await expect(ada.api.buyers.get({ ...ref, userId })).toFailWith('product.not_found');
  await expect(ada.api.buyers.refund(refund)).toFailWith('product.not_found');
  await expect(ada.api.buyers.remove({ ...ref, userId })).toFailWith('product.not_found');
  const theirs = await make.product(ada, { name: 'Waves', kind: 'audio_series', priceMinor: 500 });
  const there = { id: theirs.id, kind: 'audio_series' as const };
  await expect(ada.api.buyers.refund({ ...refund, ...there })).toFailWith('buyer.sale_not_found');
  await expect(ada.api.buyers.get({ ...there, userId })).toFailWith('buyer.not_found');
  await expect(ada.api.buyers.remove({ ...there, userId })).toFailWith('buyer.not_found');
  await expect(buyers.refund({ ...refund, ...seriesRef })).toFailWith('buyer.sale_not_found');
});
