import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { coupons } from '~/db/schema/coupons';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { DAYS, later } from '~/server/base/time';
import { lookupCheckout } from '~/server/domain/billing/base/queries';
import { closeCheckout, openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { redeemCoupon } from '~/server/domain/coupons/redeem-coupon';
import { findUsableCoupon, orderedCoupon } from '~/server/domain/coupons/usable-coupon';
import { transact } from '~/server/runtime/ctx';
import { ADDRESSES, shop, showItem } from '../../support/shop';
import '../../support/matchers';

const { runtime, make, as, ctx, ctxOf, visitorCtx, lucia, ada, tom, paidPodcast, payments, clock, buy, settle, pass } =
  await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 100 });
const price = paidPodcast.priceMinor!;
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);

const codes = Array.from({ length: 40 }, (_, i) => `CODE${i}`).values();
type Over = Partial<Parameters<typeof lucia.api.coupons.create>[0]>;

async function coupon(over: Over = {}) {
  const code = codes.next().value!;
  const terms = { discountType: 'percentage', discount: '20', productId: paidPodcast.id } as const;
  const { id } = await lucia.api.coupons.create({ ...terms, couponCode: code, ...over });
  return { id, code };
}
const stored = async (id: number) => (await db.select().from(coupons).where(eq(coupons.id, id)))[0]!;
const request = (code: string, over = {}) => ({ code, productId: paidPodcast.id, every: 'month' as const, ...over });

/** Opens a payment page with the coupon, like the show's page does. */
async function itemWith({ id, creatorId = null }: { id: number; creatorId?: number | null }, code: string) {
  const usable = await findUsableCoupon(ctxOf({ id, creatorId }), request(code));
  return { ...showItem(paidPodcast, { userId: id }), coupon: orderedCoupon(ctx, usable) };
}
const open = async (person: { id: number }, code: string) =>
  openCheckout(ctx, { ...(await itemWith(person, code)), paths: ADDRESSES });

test('twenty buyers at once get the one redemption of a coupon once', async () => {
  const { id, code } = await coupon({ redemptions: 1 });
  const people = await Promise.all(Array.from({ length: 20 }, () => make.person()));

  const outcomes = await Promise.allSettled(people.map((person) => open(person, code)));

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'coupon.invalid' });
  expect(await stored(id)).toMatchObject({ taken: 1 });
});

test('a payment page that closes unpaid gives the redemption back, once', async () => {
  const { id, code } = await coupon({ redemptions: 1 });
  const opened = await open(await make.person(), code);
  const row = (await lookupCheckout(ctx, opened.id))!;
  const next = await make.person();
  await expect(findUsableCoupon(ctxOf(next), request(code))).toFailWith('coupon.invalid');

  await closeCheckout(ctx, row);
  await closeCheckout(ctx, row);

  expect(await stored(id)).toMatchObject({ taken: 0 });
  await expect(findUsableCoupon(ctxOf(next), request(code))).resolves.toMatchObject({ id });
});

test('a closed page that is paid all the same counts, also above the cap', async () => {
  const { id, code } = await coupon({ redemptions: 1 });
  const first = await open(await make.person(), code);
  await closeCheckout(ctx, (await lookupCheckout(ctx, first.id))!);
  const second = await open(await make.person(), code);

  await transact(ctx, (tx) => redeemCoupon(tx, first.id));
  await transact(ctx, (tx) => redeemCoupon(tx, second.id));

  expect(await stored(id)).toMatchObject({ taken: 2 });
});

test('a second tab of the same buyer can use the redemption that the first one has reserved', async () => {
  const { code } = await coupon({ redemptions: 1 });
  const person = await make.person();
  const first = await open(person, code);

  const second = await open(person, code);

  expect(second).toEqual(first);
});

test('a paid coupon reduces the first month, and the same buyer cannot use it again', async () => {
  const { id, code } = await coupon();
  const person = await make.person();
  await buy(await itemWith(person, code));
  await settle();

  const off = Math.round(price * 0.2);
  expect(await salesOf(person.id)).toMatchObject([{ amountMinor: price - off, discountMinor: off, couponId: id }]);
  const { items } = await lucia.api.coupons.list({ search: code });
  expect(items).toMatchObject([{ id, redeemed: 1, open: 0, state: 'active' }]);
  await expect(findUsableCoupon(ctxOf(person), request(code))).toFailWith('coupon.invalid');
  await expect(findUsableCoupon(ctxOf(tom), request(code))).resolves.toMatchObject({ totalMinor: price - off });
});

test('a creator back on FREE accepts no new redemption, and running discounts stay', async () => {
  const { id, code } = await coupon({ duration: 'lifetime', discount: '100' });
  const half = await coupon({ duration: 'lifetime', discount: '50' });
  const person = await make.person();
  await buy(await itemWith(person, half.code));
  await settle();
  const plan = { creatorId: lucia.creatorId, plan: 'FREE' as const, since: clock.now };
  await db.insert(creatorPlans).values(plan).onConflictDoUpdate({ target: creatorPlans.creatorId, set: plan });

  await pass(later(clock.now, DAYS(32)));

  expect((await salesOf(person.id)).map(({ discountMinor }) => discountMinor)).toEqual(
    Array(2).fill(Math.round(price / 2)),
  );
  await expect(findUsableCoupon(ctxOf(tom), request(code))).toFailWith('coupon.invalid');
  await expect(coupon()).toFailWith('plan.coupons_required');
  await lucia.api.coupons.setState({ id, disabled: true });
  await expect(lucia.api.coupons.setState({ id, disabled: false })).toFailWith('plan.coupons_required');
  await db.update(creatorPlans).set({ plan: 'PRO' });
  await db.insert(creatorPlans).values({ ...plan, plan: 'BASIC', creatorId: ada.creatorId });
});

test('every reason gives the same answer', async () => {
  const { code } = await coupon();
  const flat = await coupon({ discountType: 'flat', discount: '3.00' });
  const disabled = await coupon();
  await lucia.api.coupons.setState({ id: disabled.id, disabled: true });
  const ofSeries = await coupon({ productId: series.id });
  const requests = [
    request('UNKNOWN'),
    request('not a code'),
    request(disabled.code),
    request(ofSeries.code),
    request(code, { productId: series.id, every: null }),
    request(code, { every: null }),
    request(code, { every: 'year', productId: series.id }),
    request(code, { productId: 999_999 }),
    request(code, { priceMinor: price - 1 }),
    request(code, { priceMinor: price + 1 }),
  ];

  for (const asked of requests) await expect(findUsableCoupon(ctxOf(tom), asked)).toFailWith('coupon.invalid');

  await db.update(products).set({ priceMinor: 300 }).where(eq(products.id, paidPodcast.id));
  await expect(findUsableCoupon(ctxOf(tom), request(flat.code))).toFailWith('coupon.invalid');
  await db.update(products).set({ currency: 'usd', priceMinor: price }).where(eq(products.id, paidPodcast.id));
  await expect(findUsableCoupon(ctxOf(tom), request(code))).toFailWith('coupon.invalid');
  await db.update(products).set({ currency: 'eur', archivedAt: clock.now }).where(eq(products.id, paidPodcast.id));
  await expect(findUsableCoupon(ctxOf(tom), request(code))).toFailWith('coupon.invalid');
  await db.update(products).set({ archivedAt: null }).where(eq(products.id, paidPodcast.id));
  await expect(findUsableCoupon(ctxOf(tom), request(code.toLowerCase()))).resolves.toBeTruthy();
});

test('a discount that would leave less than the smallest charge is an amount at the provider, created once', async () => {
  const { code } = await coupon({ productId: series.id, discount: '75' });
  const asked = { code, productId: series.id, every: null };
  const usable = await findUsableCoupon(visitorCtx(), asked);

  const created = () => orderedCoupon(ctx, usable).providerIdOn(null);
  const [first, second] = await Promise.all([created(), created()]);

  expect(usable).toMatchObject({ priceMinor: 100, discountMinor: 50, totalMinor: 50 });
  expect(first).toBe(second);
  expect(await payments.fetch.coupon(first)).toMatchObject({ off: { minor: 50, currency: 'eur' }, length: 'once' });
});

test('a creator cannot touch the coupons and shows of another one, and codes are unique per creator', async () => {
  const { id, code } = await coupon();
  const terms = { couponCode: code.toLowerCase(), discountType: 'percentage', discount: '20' } as const;

  await expect(ada.api.coupons.setState({ id, disabled: true })).toFailWith('coupon.not_found');
  await expect(ada.api.coupons.create({ ...terms, productId: paidPodcast.id })).toFailWith('product.not_found');
  await expect(lucia.api.coupons.create({ ...terms, productId: paidPodcast.id })).toFailWith('coupon.code_taken');
  const theirs = await make.product(ada, { name: 'Waves', priceMinor: 500 });
  await expect(ada.api.coupons.create({ ...terms, productId: theirs.id })).resolves.toBeTruthy();
  expect((await ada.api.coupons.list({})).items).toMatchObject([{ code, product: { id: theirs.id } }]);
});

test('codes cannot be guessed quickly', async () => {
  const api = await as(tom);
  const guess = (i: number) => api.coupons.check({ code: `GUESS${i}`, productId: paidPodcast.id });

  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => guess(i)));

  const limited = outcomes.filter((one) => one.status === 'rejected' && /too_many/.test(String(one.reason)));
  expect(limited.length).toBeGreaterThanOrEqual(10);
});
