import { randomUUID } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { billingDetails, users } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { checkouts, paymentCards, paymentEvents } from '~/db/schema/checkouts';
import { DAYS, earlier, later } from '~/server/base/time';
import { type CheckoutItem, closeCheckout, openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { erasePayments } from '~/server/domain/billing/payers/erase-payments';
import { sweepPayments } from '~/server/domain/billing/payers/sweep-payments';
import { recoverPayments, syncExpiredCheckout } from '~/server/domain/billing/provider-sync/events';
import { BILLING_LIMITS } from '~/server/limits/billing';
import { ADDRESSES, shop, showItem } from '../../../support/shop';

const { runtime, ctx, clock, make, lucia, paidPodcast, buy, settle } = await shop();
const { db } = runtime;
const guest = () => ({ email: `${randomUUID()}@mail.example`, browserHash: randomUUID() });
const rowOf = async (id: string) => (await db.select().from(checkouts).where(eq(checkouts.id, id)))[0];
const open = (buyer: CheckoutItem['buyer']) => openCheckout(ctx, { ...showItem(paidPodcast, buyer), paths: ADDRESSES });
const age = (id: string, ms: number) =>
  db
    .update(checkouts)
    .set({ updatedAt: earlier(clock.now, ms) })
    .where(eq(checkouts.id, id));

test.each([
  ['closed long ago', true, BILLING_LIMITS.kept + 1, false],
  ['closed just less long ago', true, BILLING_LIMITS.kept, true],
  ['that is still open', false, BILLING_LIMITS.kept + 1, true],
])('a checkout %s, with the address of a buyer without an account', async (_, isClosed, ms, isKept) => {
  const { id } = await open(guest());
  if (isClosed) await closeCheckout(ctx, (await rowOf(id))!);
  await age(id, ms);

  await sweepPayments(ctx);

  expect((await rowOf(id)) !== undefined).toBe(isKept);
});

test('a paid checkout stays, however old', async () => {
  const id = await buy(showItem(paidPodcast, guest()));
  await settle();
  await age(id, DAYS(4000));
  await sweepPayments(ctx);
  expect(await rowOf(id)).toMatchObject({ status: 'settled' });
});

test('a payment page that the provider does not show closes after a while', async () => {
  const { id } = await open(guest());
  const set = { providerId: `cs_unknown_${id}`, expiresAt: earlier(clock.now, DAYS(1)) };
  await db.update(checkouts).set(set).where(eq(checkouts.id, id));
  await expect(syncExpiredCheckout(ctx, { checkoutId: id })).rejects.toMatchObject({ code: 'payments.not_found' });

  const expiresAt = earlier(clock.now, BILLING_LIMITS.kept + 1);
  await db.update(checkouts).set({ expiresAt }).where(eq(checkouts.id, id));
  await syncExpiredCheckout(ctx, { checkoutId: id });
  expect(await rowOf(id)).toMatchObject({ status: 'closed' });
});

test('handled events go after a while, in parts, except the last one that arrived', async () => {
  await db.delete(paymentEvents);
  const old = earlier(clock.now, BILLING_LIMITS.kept + 1);
  const event = { type: 'other', id: '', at: old } as never;
  const row = (id: string, at: Date, handledAt: Date | null) => ({ id, event, at, receivedAt: at, handledAt });
  const many = Array.from({ length: BILLING_LIMITS.sweptAtOnce + 1 }, (_, i) => row(`evt_${i}`, old, old));
  for (let i = 0; i < many.length; i += 1000) await db.insert(paymentEvents).values(many.slice(i, i + 1000));
  await db.insert(paymentEvents).values([row('evt_waits', old, null), row('evt_last', old, old)]);
  await db
    .update(paymentEvents)
    .set({ receivedAt: later(old, 2) })
    .where(eq(paymentEvents.id, 'evt_last'));

  await sweepPayments(ctx);
  expect(await db.$count(paymentEvents)).toBe(3);
  await sweepPayments(ctx);
  const left = await db.select({ id: paymentEvents.id }).from(paymentEvents).orderBy(paymentEvents.id);
  expect(left.map(({ id }) => id)).toEqual(['evt_last', 'evt_waits']);

  await db.insert(paymentEvents).values({
    ...row('evt_young', earlier(clock.now, BILLING_LIMITS.kept), clock.now),
    receivedAt: clock.now,
  });
  await sweepPayments(ctx);
  expect(await db.$count(paymentEvents, inArray(paymentEvents.id, ['evt_young', 'evt_last']))).toBe(1);
});

const donation = (buyer: CheckoutItem['buyer']): Omit<CheckoutItem, 'paths'> => ({
  purpose: 'donation',
  buyer,
  creatorId: lucia.creatorId,
  terms: {
    name: 'Lucía',
    priceMinor: 700,
    currency: 'eur',
    every: null,
    donation: { name: 'Anita', message: 'Ánimo', isAnonymous: false },
  },
});
const saleOf = async (id: string) => (await db.select().from(sales).where(eq(sales.checkoutId, id)))[0]!;

test('with an account, the names and messages of its payments go, and the amounts stay', async () => {
  const [donor, other] = [await make.person(), await make.person()];
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, donor.id));
  const byAccount = await buy(donation({ userId: donor.id }));
  const byAddress = await buy(donation({ email: donor.email, browserHash: 'a' }));
  const byOther = await buy(donation(guest()));
  const bySecond = await buy(donation({ userId: other.id }));
  await settle();

  await erasePayments(ctx, { userId: donor.id });
  await erasePayments(ctx, { userId: donor.id });

  expect(await db.$count(paymentCards, eq(paymentCards.userId, donor.id))).toBe(0);
  for (const id of [byAccount, byAddress]) {
    const [row, sale] = [await rowOf(id), await saleOf(id)];
    expect(sale).toMatchObject({ amountMinor: 700, email: null, buyer: { name: '' } });
    expect(row!.terms).toMatchObject({ priceMinor: 700, name: 'Lucía' });
    expect(row).toMatchObject({ browserHash: null });
    expect(JSON.stringify([row, sale])).not.toMatch(new RegExp(`Anita|Ánimo|${donor.email}`));
  }
  for (const id of [byOther, bySecond])
    expect((await rowOf(id))!.terms.donation).toMatchObject({ name: 'Anita', message: 'Ánimo' });
  expect((await saleOf(byOther)).buyer.name).toBe('Anita');
  expect((await saleOf(bySecond)).buyer.name).not.toBe('');
});

test.each<[string, Partial<typeof billingDetails.$inferInsert>, string]>([
  ['a tax number', { billingName: 'Ana Ruiz', taxNumber: '12345678Z' }, 'Ana Ruiz'],
  ['an address', { billingName: 'Ana Ruiz', street: 'Calle Mayor 1' }, 'Ana Ruiz'],
  ['a name only', { billingName: 'Ana Ruiz' }, ''],
])('a receipt with %s keeps the fields that the law requires', async (_, details, name) => {
  const buyer = await make.person();
  const row = { userId: buyer.id, ...details, createdAt: clock.now, updatedAt: clock.now };
  await db.insert(billingDetails).values(row);
  const id = await buy(donation({ userId: buyer.id }));
  await settle();

  await erasePayments(ctx, { userId: buyer.id });

  expect((await saleOf(id)).buyer).toMatchObject({ name, taxNumber: details.taxNumber ?? null });
});

test('an unverified address may belong to another person, so its payments stay', async () => {
  const email = `${randomUUID()}@mail.example`;
  const id = await buy(donation({ email, browserHash: 'b' }));
  await settle();
  const squatter = await make.person({ email });
  await erasePayments(ctx, { userId: squatter.id });
  expect(await saleOf(id)).toMatchObject({ email, buyer: { name: 'Anita' } });
});

test('events that always fail keep newer ones waiting for one run at most', async () => {
  await db.delete(paymentEvents);
  const { atOnce, olderThan } = BILLING_LIMITS.waitingEvents;
  const row = (id: string, age: number) => {
    const at = earlier(clock.now, olderThan + age);
    return { id, event: { type: 'other', id, at } as never, at, receivedAt: at };
  };
  await db.insert(paymentEvents).values(Array.from({ length: atOnce }, (_, i) => row(`evt_fails_${i}`, 1000 + i)));
  await db.insert(paymentEvents).values([row('evt_newer', 1), row('evt_young', -1)]);
  const retriedAt = async (id: string) =>
    (await db.select().from(paymentEvents).where(eq(paymentEvents.id, id)))[0]?.retriedAt;

  await recoverPayments(ctx);
  expect(await retriedAt('evt_newer')).toBeNull();
  await recoverPayments(ctx);
  expect(await retriedAt('evt_newer')).toEqual(clock.now);
  expect(await retriedAt('evt_young')).toBeNull();
});
