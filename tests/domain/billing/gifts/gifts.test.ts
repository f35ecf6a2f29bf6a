import { and, eq, ne } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { gifts } from '~/db/schema/gifts';
import { outbox } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { DAYS, later, monthsLater } from '~/server/base/time';
import { listMyGifts, lookupMyGift } from '~/server/domain/billing/base/gift-links';
import { giftsOnSale, giftTermsShown } from '~/server/domain/billing/base/rules';
import { buyGift as schema } from '~/server/domain/billing/base/schema';
import { settleCheckout } from '~/server/domain/billing/checkout/settle-checkout';
import { buyGift, viewGiftOffer } from '~/server/domain/billing/gifts/buy-gift';
import { eraseGifts, reportEndedGifts } from '~/server/domain/billing/gifts/endings';
import { openGift, redeemGift } from '~/server/domain/billing/gifts/redeem-gift';
import { finishCheckout } from '~/server/domain/billing/payers/finish-checkout';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { RATE_LIMITS } from '~/server/limits/http';
import { reportCheckout as reportJob } from '~/server/queue/jobs/billing';
import { transact } from '~/server/runtime/ctx';
import type { Person } from '../../../support/make';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, make, lucia, podcast, ctxOf, visitorCtx, fetch, clock, settle, buy, ctx: system } = await shop();
const { db } = runtime;
const show = await make.product(lucia, { priceMinor: 500, annualPriceMinor: 5000 });
// the clock moves beyond her trial
await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO', since: clock.now });
const series = await make.product(lucia, { kind: 'audio_series', priceMinor: 1500 });

type Show = typeof show;
const as = (person: Person | null) => (person ? ctxOf(person, { now: clock.now }) : visitorCtx({ now: clock.now }));
const shownOf = (item: Show) => giftTermsShown(giftsOnSale(item), item.currency);
const GUEST = { terms: 'on', adult: 'on' };
const order = (giver: Person | null, item: Show, over: object = {}, browser = 'browser') => {
  const months = item.kind === 'podcast' ? 3 : undefined;
  return buyGift(as(giver), schema.parse({ product: item.id, months, shown: shownOf(item), ...over }), browser);
};
const pay = (url: string, number = GOOD_CARD) => payByForms(fetch, url, { number, proven: true });

async function give(giver: Person, item: Show = show, over: object = {}) {
  await pay((await order(giver, item, over)).url);
  await settle();
  const [gift] = await listMyGifts(as(giver));
  return { ...gift!, token: new URL(gift!.url!).searchParams.get('token')! };
}
const redeem = (person: Person, token: string) => redeemGift(as(person), { token });
const grantOf = async ({ id }: Person, { id: productId }: Show) => {
  const own = and(eq(grants.userId, id), eq(grants.productId, productId), eq(grants.source, 'gift'));
  return (await db.select().from(grants).where(own))[0] ?? null;
};
const report = async () => {
  while ((await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload))) > 0);
};
const emailsTo = (to: string) =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, to), ne(outbox.topic, 'verify_email')))
    .orderBy(outbox.createdAt);
const saleOf = async (userId: number) => (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;
const refund = async (giver: Person, item: Show, amount?: string) => {
  const sale = await saleOf(giver.id);
  await lucia.api.buyers.refund({ id: item.id, kind: item.kind, saleId: sale.id, amount, refundedMinor: 0 });
};

test('a gift is paid once, redeemed once, and ends after its months with an offer to subscribe', async () => {
  const [giver, friend, other] = await Promise.all([make.person(), make.person(), make.person()]);
  const gift = await give(giver, show, { recipientEmail: friend.email, message: 'Feliz cumple 🎂' });
  await report();
  const sale = await saleOf(giver.id);
  expect(sale).toMatchObject({ purpose: 'gift', amountMinor: 1500, plan: 'PRO', every: null });
  expect(sale.commissionMinor).toBeGreaterThan(0);
  expect(await emailsTo(giver.email)).toMatchObject([{ topic: 'gift_bought' }]);
  const [sent] = await emailsTo(friend.email);
  expect(sent?.text).toContain(gift.token);
  expect(sent?.text).toContain('Feliz cumple 🎂');
  const [row] = await db.select().from(gifts).where(eq(gifts.id, gift.id));
  expect(JSON.stringify(row)).not.toContain(gift.token);

  clock.now = later(clock.now, DAYS(30));
  const answers = await Promise.allSettled([redeem(friend, gift.token), redeem(other, gift.token)]);

  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'gift.redeemed' } });
  const winner = answers[0]!.status === 'fulfilled' ? friend : other;
  expect(await grantOf(winner === friend ? other : friend, show)).toBeNull();
  expect(await grantOf(winner, show)).toMatchObject({ startsAt: clock.now, endsAt: monthsLater(clock.now, 3) });
  const { items } = await lucia.api.buyers.list({ id: show.id, kind: 'podcast' });
  expect(items.find(({ userId }) => userId === winner.id)).toMatchObject({ state: 'gift', revenueMinor: 0 });
  expect(items.find(({ userId }) => userId === giver.id)).toMatchObject({ state: 'giver', revenueMinor: 1500 });
  expect((await listMyGifts(as(giver)))[0]).toMatchObject({ state: 'redeemed', url: null });

  clock.now = monthsLater(clock.now, 3);
  await reportEndedGifts(system);
  await reportEndedGifts(system);
  expect((await emailsTo(winner.email)).filter(({ topic }) => topic === 'gift_ended')).toHaveLength(1);
});

test('repeated settlements make one gift, one sale and one email', async () => {
  const giver = await make.person();
  const { url } = await order(giver, show);
  expect((await order(giver, show)).url).toBe(url);
  await pay(url);
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.userId, giver.id));
  await Promise.all([1, 2, 3].map(() => syncCheckout(system, checkout!.providerId!)));
  await settle();
  await report();
  await reportCheckout(system, { checkoutId: checkout!.id });
  expect(await db.$count(gifts, eq(gifts.giverId, giver.id))).toBe(1);
  expect(await db.$count(sales, eq(sales.userId, giver.id))).toBe(1);
  expect(await emailsTo(giver.email)).toHaveLength(1);
});

test('after a crash between the settlement and the sale, repeated events record one of each', async () => {
  const giver = await make.person();
  await pay((await order(giver, show)).url);
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.userId, giver.id));
  await transact(system, (tx) => settleCheckout(tx, { checkoutId: checkout!.id, subscription: null }));
  expect(await db.$count(sales, eq(sales.userId, giver.id))).toBe(0);
  await settle();
  expect(await db.$count(gifts, eq(gifts.giverId, giver.id))).toBe(1);
  expect(await db.$count(sales, eq(sales.userId, giver.id))).toBe(1);
});

test('a killed answer of the provider leaves one payment page and one charge', async () => {
  const giver = await make.person();
  const port = runtime.ports.payments;
  const startPurchase: typeof port.startPurchase = async (...call) => {
    await port.startPurchase(...call);
    throw new Error('killed');
  };
  runtime.ports.payments = { ...port, startPurchase };
  await expect(order(giver, show)).rejects.toThrow('killed');
  runtime.ports.payments = port;
  await pay((await order(giver, show)).url);
  await settle();
  expect(await db.$count(checkouts, eq(checkouts.userId, giver.id))).toBe(1);
  expect(await db.$count(sales, eq(sales.userId, giver.id))).toBe(1);
});

test('links can’t be tried without end', async () => {
  const guesser = await make.person();
  const guess = () => guesser.api.gifts.open({ token: 'guess' });
  for (let i = 0; i < RATE_LIMITS.openGift.points; i += 1) await expect(guess()).toFailWith('gift.not_found');
  await expect(guess()).toFailWith('common.too_many_requests');
});

test('a guest gives, is logged in to the new account, and sees the link there; a known address is told by email', async () => {
  const known = await make.person();
  for (const [email, state] of [
    ['guest@mail.example', 'logged_in'],
    [known.email, 'hidden'],
  ] as const) {
    const { url } = await order(null, show, { ...GUEST, email }, email);
    await pay(url);
    await settle();
    await report();
    const [user] = await db.select().from(users).where(eq(users.email, email));
    const [checkout] = await db.select().from(checkouts).where(eq(checkouts.email, email));
    expect(await finishCheckout(as(null), { checkout: checkout!.id }, email)).toMatchObject({ state });
    const giver = ctxOf({ id: user!.id, creatorId: null }, { now: clock.now });
    expect(await lookupMyGift(giver, { checkout: checkout!.id })).toMatchObject({ state: 'open', months: 3 });
    expect(await lookupMyGift(as(lucia), { checkout: checkout!.id })).toBeNull();
    expect((await emailsTo(email)).map(({ topic }) => topic)).toContain('gift_bought');
  }
});

test('an audio series is given for good', async () => {
  const [giver, friend] = await Promise.all([make.person(), make.person()]);
  const { token } = await give(giver, series);
  await redeem(friend, token);
  expect(await grantOf(friend, series)).toMatchObject({ endsAt: null });
  expect(await saleOf(giver.id)).toMatchObject({ amountMinor: 1500 });
});

test.each<[string, (stage: { giver: Person; friend: Person; id: number }) => Promise<unknown>, string]>([
  ['its giver', async () => {}, 'gift.own'],
  ['the show’s creator', async () => {}, 'billing.own_show'],
  [
    'a listener who subscribes',
    async ({ friend }) => {
      await buy(showItem(show, { userId: friend.id }));
      await settle();
    },
    'gift.not_needed',
  ],
  [
    'a listener who was invited for free',
    ({ friend }) => lucia.api.buyers.invite({ id: show.id, kind: 'podcast', email: friend.email }),
    'gift.not_needed',
  ],
])('%s can’t redeem a gift, which stays valid', async (who, prepare, code) => {
  const [giver, friend, other] = await Promise.all([make.person(), make.person(), make.person()]);
  const { token, id } = await give(giver);
  await prepare({ giver, friend, id });
  const person = who === 'its giver' ? giver : who === 'the show’s creator' ? lucia : friend;
  await expect(redeem(person, token)).rejects.toMatchObject({ code });
  expect(await openGift(as(person), { token })).toMatchObject({ refusal: code });
  await redeem(other, token);
});

test.each<[string, (id: number) => Promise<unknown>, string]>([
  ['expired', (id) => db.update(gifts).set({ expiresAt: clock.now }).where(eq(gifts.id, id)), 'gift.expired'],
  ['refunded', (id) => db.update(gifts).set({ cancelledAt: clock.now }).where(eq(gifts.id, id)), 'gift.refunded'],
])('a link that is %s opens nothing, and says why', async (_, change, code) => {
  const [giver, friend] = await Promise.all([make.person(), make.person()]);
  const { token, id } = await give(giver);
  await change(id);
  await expect(openGift(as(friend), { token })).rejects.toMatchObject({ code });
  await expect(redeem(friend, token)).rejects.toMatchObject({ code });
  expect(await grantOf(friend, show)).toBeNull();
});

test('a guessed or changed token redeems no gift', async () => {
  const [giver, friend] = await Promise.all([make.person(), make.person()]);
  const { token } = await give(giver);
  for (const guess of ['', 'unknown', `${token}x`, token.slice(0, -1), token.toUpperCase()])
    await expect(redeem(friend, guess)).rejects.toMatchObject({ code: 'gift.not_found' });
  await expect(friend.api.gifts.redeem({ token: 'x'.repeat(101) })).rejects.toThrow();
  expect(await listMyGifts(as(friend))).toEqual([]);
});

test('a second gift extends the first, and a refund takes back its own months only', async () => {
  const [one, two, friend] = await Promise.all([make.person(), make.person(), make.person()]);
  const [first, second] = [await give(one), await give(two, show, { months: 12 })];
  const start = clock.now;
  await redeem(friend, first.token);
  expect(await openGift(as(friend), second)).toMatchObject({ isExtended: true });
  await redeem(friend, second.token);
  const end = monthsLater(monthsLater(start, 3), 12);
  expect(await grantOf(friend, show)).toMatchObject({ endsAt: end });

  await refund(one, show, '5.00');
  expect(await grantOf(friend, show)).toMatchObject({ endsAt: end });
  await refund(two, show);

  expect(await grantOf(friend, show)).toMatchObject({ endsAt: monthsLater(start, 3) });
  expect((await emailsTo(friend.email)).map(({ topic }) => topic)).toContain('gift_taken_back');
});

test('a refund before the redemption voids the link; one at the same moment leaves no access', async () => {
  const [giver, rival, friend] = await Promise.all([make.person(), make.person(), make.person()]);
  const unused = await give(giver);
  await refund(giver, show);
  await expect(redeem(friend, unused.token)).rejects.toMatchObject({ code: 'gift.refunded' });
  expect((await listMyGifts(as(giver)))[0]).toMatchObject({ state: 'refunded', url: null });

  const raced = await give(rival);
  await Promise.allSettled([redeem(friend, raced.token), refund(rival, show)]);
  const grant = await grantOf(friend, show);
  expect(grant === null || grant.endsAt! <= clock.now).toBe(true);
});

test('a show with an open gift can’t be deleted, and an archived or free one still takes gifts', async () => {
  const item = await make.product(lucia, { priceMinor: 500 });
  const [giver, friend] = await Promise.all([make.person(), make.person()]);
  const { token } = await give(giver, item);
  await expect(lucia.api.products.retire({ id: item.id, kind: 'podcast' })).toFailWith('product.has_buyers');
  await db.update(products).set({ archivedAt: clock.now, priceMinor: null }).where(eq(products.id, item.id));
  await redeem(friend, token);
  expect(await grantOf(friend, item)).not.toBeNull();
});

test('a gift that was paid while the show became free is refunded', async () => {
  const item = await make.product(lucia, { priceMinor: 500 });
  const giver = await make.person();
  const { url } = await order(giver, item);
  await db.update(products).set({ priceMinor: null }).where(eq(products.id, item.id));
  await pay(url);
  await settle();
  await report();
  expect(await db.$count(gifts, eq(gifts.giverId, giver.id))).toBe(0);
  expect(await saleOf(giver.id)).toMatchObject({ refundedMinor: 1500 });
  expect(await emailsTo(giver.email)).toMatchObject([{ topic: 'ended_sale_refunded' }]);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a free show', () => order(null, podcast, { ...GUEST, email: 'a@mail.example' }), 'billing.not_for_sale'],
  ['one’s own show', () => order(lucia, show), 'gift.own_show'],
  ['at other prices', async () => order(await make.person(), show, { shown: '3:1 eur' }), 'billing.price_changed'],
  [
    'for a time not shown',
    async () => order(await make.person(), show, { months: undefined }),
    'billing.price_changed',
  ],
])('no visitor gives %s', async (_, attempt, code) => {
  await expect(attempt()).rejects.toMatchObject({ code });
});

test.each<[string, object]>([
  ['a month that is not sold', { months: 2 }],
  ['a long message', { message: 'x'.repeat(501) }],
  ['a long name', { recipientName: 'x'.repeat(101) }],
  ['a broken address', { recipientEmail: 'a@b' }],
])('%s is refused', (_, over) => {
  expect(schema.safeParse({ product: show.id, months: 3, shown: '', ...over }).success).toBe(false);
});

test('an abandoned payment page keeps the entered values for the same buyer only', async () => {
  const giver = await make.person();
  await order(giver, show, { recipientName: 'Ana', message: 'Hola' });
  expect((await viewGiftOffer(as(giver), { product: show.id }, null)).kept).toMatchObject({ recipientName: 'Ana' });
  expect((await viewGiftOffer(as(await make.person()), { product: show.id }, 'browser')).kept).toBeNull();
});

test('with the giver’s account, the names and messages go, and the link still works', async () => {
  const [giver, friend] = await Promise.all([make.person(), make.person()]);
  const { token } = await give(giver, show, { recipientName: 'Ana', recipientEmail: friend.email, message: 'Hola' });
  await eraseGifts(system, { userId: giver.id });
  await eraseGifts(system, { userId: giver.id });
  const rows = await db.select().from(checkouts).where(eq(checkouts.userId, giver.id)).orderBy(checkouts.createdAt);
  expect(
    JSON.stringify([rows, await db.select().from(gifts).where(eq(gifts.giverId, giver.id)).orderBy(gifts.id)]),
  ).not.toMatch(/Ana|Hola/);
  await redeem(friend, token);
});
