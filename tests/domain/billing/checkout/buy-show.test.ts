import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { DAYS, earlier } from '~/server/base/time';
import { pricesOnSale, termsShown } from '~/server/domain/billing/base/rules';
import { buyShow as schema } from '~/server/domain/billing/base/schema';
import { buyShow } from '~/server/domain/billing/checkout/buy-show';
import { viewOffer } from '~/server/domain/billing/checkout/view-offer';
import { finishCheckout } from '~/server/domain/billing/payers/finish-checkout';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { reportCheckout as reportJob } from '~/server/queue/jobs/billing';
import { systemCtx } from '~/server/runtime/runtime';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop } from '../../../support/shop';

const { runtime, make, lucia, ada, podcast, paidPodcast, ctxOf, visitorCtx, fetch, clock, settle, payments } =
  await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const generous = await make.product(lucia, { priceMinor: 500, paysWhatTheyWant: true, trialDays: 7 });

type Show = typeof paidPodcast;
const ctx = (person: { id: number; creatorId: number | null } | null) =>
  person ? ctxOf(person, { now: clock.now }) : visitorCtx({ now: clock.now });
const shown = (show: Show, over: Partial<{ minor: number; currency: string; trialDays: number }> = {}) =>
  termsShown({
    prices: pricesOnSale({ ...show, ...(over.minor && { priceMinor: over.minor }) }),
    currency: over.currency ?? show.currency,
    trialDays: over.trialDays ?? show.trialDays,
  });
const GUEST = { email: 'oyente@mail.example', terms: 'on', adult: 'on' };
const buy = (person: Parameters<typeof ctx>[0], show: Show, over: object = {}, browser = 'browser') =>
  buyShow(ctx(person), schema.parse({ product: show.id, shown: shown(show), ...over }), browser);
const pay = (url: string, number = GOOD_CARD) => payByForms(fetch, url, { number, proven: true });
const rowsOf = (userId: number) =>
  db.select().from(checkouts).where(eq(checkouts.userId, userId)).orderBy(checkouts.createdAt);
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);

test('a click buys what the page has shown, and repeating it gives the same payment page', async () => {
  const buyer = await make.person();
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => buy(buyer, paidPodcast)));
  expect(new Set([one!.url, two!.url, three!.url]).size).toBe(1);

  await pay(one!.url);
  await settle();

  expect(await rowsOf(buyer.id)).toMatchObject([{ status: 'settled', terms: { every: 'month', priceMinor: 500 } }]);
  expect(await salesOf(buyer.id)).toHaveLength(1);
  await expect(buy(buyer, paidPodcast)).rejects.toMatchObject({ code: 'billing.already_subscribed' });
});

test('a bought audio series is not sold again', async () => {
  const buyer = await make.person();
  await pay((await buy(buyer, series)).url);
  await settle();
  await expect(buy(buyer, series)).rejects.toMatchObject({ code: 'billing.already_bought' });
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a free show', () => buy(null, podcast, GUEST), 'billing.not_for_sale'],
  [
    'a show that becomes free',
    async () => buy(null, await make.product(lucia, { priceMinor: 500, freeConversion: 'at_period_end' }), GUEST),
    'billing.not_for_sale',
  ],
  [
    'an archived show',
    async () => buy(null, await make.product(lucia, { priceMinor: 500, archivedAt: clock.now }), GUEST),
    'product.not_found',
  ],
  [
    'a deleted show',
    async () => buy(null, await make.product(lucia, { priceMinor: 500, retiredAt: clock.now }), GUEST),
    'product.not_found',
  ],
  ['one’s own show', () => buy(lucia, paidPodcast), 'billing.own_show'],
  [
    'at a former price',
    () => buy(ada, paidPodcast, { shown: shown(paidPodcast, { minor: 400 }) }),
    'billing.price_changed',
  ],
  [
    'in another currency',
    () => buy(ada, paidPodcast, { shown: shown(paidPodcast, { currency: 'usd' }) }),
    'billing.price_changed',
  ],
  ['by the year, which it is not sold for', () => buy(ada, paidPodcast, { interval: 'year' }), 'billing.price_changed'],
  [
    'with a trial that it no longer has',
    () => buy(ada, paidPodcast, { shown: shown(paidPodcast, { trialDays: 7 }) }),
    'billing.price_changed',
  ],
  ['for less than its price', () => buy(ada, generous, { amount: '4.99' }), 'billing.amount_bounds'],
  ['for more than prices may be', () => buy(ada, generous, { amount: '500.01' }), 'billing.amount_bounds'],
  ['with an unknown coupon', () => buy(ada, paidPodcast, { coupon: 'UNKNOWN' }), 'coupon.invalid'],
])('no visitor buys %s', async (_, attempt, code) => {
  await expect(attempt()).rejects.toMatchObject({ code });
});

test('a creator without a plan accepts no new buyer', async () => {
  const seller = await make.creator();
  const show = await make.product(seller, { priceMinor: 500 });
  await db.insert(creatorPlans).values({ creatorId: seller.creatorId, plan: 'FREE', since: clock.now });
  await expect(buy(ada, show)).rejects.toMatchObject({ code: 'billing.not_for_sale' });
});

test('an expired default card has to be replaced first', async () => {
  const buyer = await make.person();
  const card = { customerId: 'cus', brand: 'visa', last4: '4242', expiresMonth: 1, expiresYear: 2026, isDefault: true };
  const expiresAt = earlier(clock.now, DAYS(1));
  await db.insert(paymentCards).values({ ...card, providerId: 'pm', userId: buyer.id, expiresAt });
  await expect(buy(buyer, paidPodcast)).rejects.toMatchObject({ code: 'billing.card_needed' });
  expect(await viewOffer(ctx(buyer), { product: paidPodcast.id }, null)).toMatchObject({
    refusal: 'billing.card_needed',
  });
});

test.each<[string, string | null, object, string | null]>([
  ['an adult', '1990-05-01', {}, null],
  ['a minor', '2012-05-01', {}, 'account.adult_or_permission_required'],
  ['a minor with permission', '2012-05-01', { adult: 'on' }, null],
  ['a child', '2020-05-01', { adult: 'on' }, 'account.too_young'],
  ['a buyer of unknown age', null, {}, 'account.adult_or_permission_required'],
  ['a buyer of unknown age who confirms it', null, { adult: 'on' }, null],
])('%s: who is asked for their age', async (_, birthDate, over, code) => {
  const buyer = await make.person({ birthDate });
  const attempt = buy(buyer, paidPodcast, over);
  if (code) await expect(attempt).rejects.toMatchObject({ code });
  else expect(await attempt).toMatchObject({ url: expect.stringContaining('http') });
});

test('a visitor without an account is told all missing fields at once', async () => {
  const error = await buy(null, paidPodcast, { email: 'ana+podcast@mail.example' }).catch((thrown) => thrown);
  expect(error.issues.map(({ path, message }: { path: string[]; message: string }) => `${path}: ${message}`)).toEqual([
    'email: account.email_local_part',
    'adult: account.adult_or_permission_required',
    'terms: account.terms_required',
  ]);
});

test('a known and an unknown address get the same answer, and nothing happens before the payment', async () => {
  const known = await make.person();
  const before = await db.$count(users);
  const pages = await Promise.all([
    buy(null, generous, { ...GUEST, email: known.email }, 'one'),
    buy(null, generous, { ...GUEST, email: 'nobody@mail.example' }, 'two'),
  ]);
  const opened = await Promise.all(
    pages.map(async ({ url }) => {
      const [row] = await db.select().from(checkouts).where(eq(checkouts.url, url));
      const { id, ...found } = await payments.fetch.checkout(row!.providerId!);
      return { terms: row!.terms, userId: row!.userId, kind: found.kind, status: found.status };
    }),
  );
  expect(opened[0]).toEqual(opened[1]);
  expect(await db.$count(users)).toBe(before);
});

test('only those have a trial who have never subscribed', async () => {
  const buyer = await make.person();
  const offered = () => viewOffer(ctx(buyer), { product: generous.id }, null);
  expect((await offered()).sale).toMatchObject({ trialDays: 7, charges: { todayMinor: 0 } });
  await pay((await buy(buyer, generous)).url);
  await settle();
  expect(await salesOf(buyer.id)).toEqual([]);
  expect(await db.select().from(grants).where(eq(grants.userId, buyer.id)).orderBy(grants.id)).toMatchObject([
    { source: 'subscription' },
  ]);
  expect((await offered()).sale).toMatchObject({ trialDays: 0 });
});

test('buyers pay what they want above the price', async () => {
  const buyer = await make.person();
  const show = await make.product(lucia, { kind: 'audio_series', priceMinor: 500, paysWhatTheyWant: true });
  await pay((await buy(buyer, show, { amount: '12,50' })).url);
  await settle();
  expect(await salesOf(buyer.id)).toMatchObject([{ amountMinor: 1250 }]);
});

test('subscriptions in two currencies run side by side', async () => {
  const buyer = await make.person();
  const dollars = await make.product(lucia, { priceMinor: 700, currency: 'usd' });
  await pay((await buy(buyer, paidPodcast)).url);
  await settle();
  await pay((await buy(buyer, dollars)).url);
  await settle();
  expect((await salesOf(buyer.id)).map(({ amountMinor, currency }) => `${amountMinor} ${currency}`).sort()).toEqual([
    '500 eur',
    '700 usd',
  ]);
});

test('a coupon of 100 % gives access without a payment', async () => {
  const buyer = await make.person();
  const couponCode = 'REGALO';
  await lucia.api.coupons.create({ productId: series.id, couponCode, discountType: 'percentage', discount: '100' });
  const { sale } = await viewOffer(ctx(buyer), { product: series.id, coupon: couponCode }, null);
  expect(sale).toMatchObject({ amountMinor: 1500, reducedMinor: 0, charges: { todayMinor: 0 } });

  await pay((await buy(buyer, series, { coupon: couponCode })).url);
  await settle();

  expect(await salesOf(buyer.id)).toEqual([]);
  expect(await db.select().from(grants).where(eq(grants.userId, buyer.id)).orderBy(grants.id)).toMatchObject([
    { source: 'purchase' },
  ]);
});

test('a price that changes during a payment leaves that payment as it was', async () => {
  const show = await make.product(lucia, { priceMinor: 500 });
  const buyer = await make.person();
  const { url } = await buy(buyer, show);
  await db.update(products).set({ priceMinor: 900 }).where(eq(products.id, show.id));
  await pay(url);
  await settle();
  expect(await salesOf(buyer.id)).toMatchObject([{ amountMinor: 500 }]);
});

test('after a crash behind the provider’s answer, the same page opens, and one charge is made', async () => {
  const buyer = await make.person();
  const port = runtime.ports.payments;
  const startSubscription: typeof port.startSubscription = async (...call) => {
    await port.startSubscription(...call);
    throw new Error('killed');
  };
  runtime.ports.payments = { ...port, startSubscription };
  await expect(buy(buyer, paidPodcast)).rejects.toThrow('killed');
  runtime.ports.payments = port;

  const { url } = await buy(buyer, paidPodcast);
  await pay(url);
  await settle();

  expect(await rowsOf(buyer.id)).toHaveLength(1);
  expect(await salesOf(buyer.id)).toHaveLength(1);
});

async function reportAll(): Promise<void> {
  while ((await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload))) > 0);
}

/** The emails that are sent from now on. */
async function emails() {
  await reportAll();
  const before = new Set(
    (await db.select({ id: outbox.id }).from(outbox).orderBy(outbox.createdAt)).map(({ id }) => id),
  );
  return async () => {
    await reportAll();
    return (await db.select().from(outbox).orderBy(outbox.createdAt)).filter(
      ({ id, topic }) => !before.has(id) && topic !== 'verify_email',
    );
  };
}

test('the buyer and the creator get one email each, however often it is reported', async () => {
  const sent = await emails();
  const show = await make.product(lucia, { priceMinor: 500, welcomeMessage: 'Qué bien que estés aquí.' });
  await pay((await buy(null, show, { ...GUEST, email: 'primera@mail.example' })).url);
  await settle();
  const found = await sent();
  const [row] = await db.select().from(checkouts).where(eq(checkouts.productId, show.id));
  await reportCheckout(systemCtx(runtime, 'test'), { checkoutId: row!.id });

  expect(found.map(({ to, topic }) => `${topic} ${to}`).sort()).toEqual([
    `new_buyer ${lucia.email}`,
    'subscribed_show primera@mail.example',
  ]);
  const confirmation = found.find(({ topic }) => topic === 'subscribed_show')!;
  expect(confirmation.text).toMatch(
    /€5\.00.*Qué bien que estés aquí.*renews on .* for €5\.00.*reset-password\?token=/s,
  );
  expect((await sent()).length).toBe(found.length);
});

test('the email that verifies a guest’s address says why it was sent', async () => {
  const email = 'comprante@mail.example';
  await pay((await buy(null, series, { ...GUEST, email })).url);
  await settle();

  const isOwn = and(eq(outbox.to, email), eq(outbox.topic, 'verify_email'));
  const [mail] = await db.select({ text: outbox.text }).from(outbox).where(isOwn);
  expect(mail!.text).not.toContain('signed up');
  expect(mail!.text).toContain('used this address on Altavoz to buy');
});

test('the email to the creator has the amount of today and the one that follows, or says that nothing was charged', async () => {
  const sent = await emails();
  const coupon = { discountType: 'flat', discount: '1.50', duration: 'once', productId: paidPodcast.id } as const;
  await lucia.api.coupons.create({ ...coupon, couponCode: 'PRIMERO' });
  const [trying, saving] = [await make.person(), await make.person()];
  await pay((await buy(trying, generous)).url);
  await pay((await buy(saving, paidPodcast, { coupon: 'PRIMERO' })).url);
  await settle();

  const toCreator = (await sent()).filter(({ topic }) => topic === 'new_buyer').map(({ text }) => text);
  expect(toCreator).toHaveLength(2);
  expect(toCreator.filter((text) => text.includes('Nothing was charged today'))).toHaveLength(1);
  expect(toCreator.filter((text) => text.includes('(€3.50 today, then €5.00 a month)'))).toHaveLength(1);
});

test('a second payment, and a second trial of the same address, are explained', async () => {
  const buyer = await make.person();
  const guest = { ...GUEST, email: buyer.email };
  await pay((await buy(buyer, series)).url);
  await pay((await buy(buyer, generous)).url);
  await settle();
  const sent = await emails();
  await pay((await buy(null, series, guest)).url);
  await pay((await buy(null, generous, guest)).url);
  await settle();
  expect((await sent()).map(({ topic }) => topic).sort()).toEqual([
    'second_payment_refunded',
    'second_payment_refunded',
  ]);

  await db.update(subscriptions).set({ endedAt: clock.now }).where(eq(subscriptions.userId, buyer.id));
  await pay((await buy(null, generous, guest)).url);
  await settle();
  expect((await sent()).map(({ topic }) => topic)).toContain('trial_used_before');
});

test('only the browser that has paid is logged in to the new account, once', async () => {
  const { url } = await buy(null, paidPodcast, { ...GUEST, email: 'nueva@mail.example' }, 'mine');
  const [row] = await db.select().from(checkouts).where(eq(checkouts.url, url));
  const checkout = { checkout: row!.id };
  const finish = (browser: string | null) => finishCheckout(ctx(null), checkout, browser);
  expect(await finish('mine')).toEqual({ state: 'waiting' });
  await pay(url);

  expect(await finish(null)).toEqual({ state: 'hidden' });
  expect(await finish('other')).toEqual({ state: 'hidden' });
  // no webhook has arrived yet
  expect(await finish('mine')).toEqual({ state: 'logged_in' });
  expect(await finish('mine')).toEqual({ state: 'hidden' });
  const [paid] = await db.select().from(checkouts).where(eq(checkouts.id, row!.id));
  expect(await finishCheckout(ctx({ id: paid!.userId!, creatorId: null }), checkout, null)).toMatchObject({
    state: 'done',
    purpose: 'show',
  });
});

test.each<[string, (userId: number) => Promise<unknown>]>([
  ['an account that was there before', async () => {}],
  [
    'an account whose owner has set a password',
    (id) => db.update(users).set({ passwordHash: 'x' }).where(eq(users.id, id)),
  ],
])('no buyer is logged in to %s', async (name, change) => {
  const known = await make.person();
  const isKnown = name.includes('before');
  const email = isKnown ? known.email : 'otra@mail.example';
  const { url } = await buy(null, paidPodcast, { ...GUEST, email }, 'mine');
  await pay(url);
  await settle();
  const [row] = await db.select().from(checkouts).where(eq(checkouts.url, url));
  await change(row!.userId!);
  expect(await finishCheckout(ctx(null), { checkout: row!.id }, 'mine')).toEqual({ state: 'hidden' });
});
