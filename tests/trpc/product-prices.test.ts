import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import '../support/matchers';
import { grants } from '~/db/schema/access';
import { members } from '~/db/schema/team';
import { DAYS, later } from '~/server/base/time';
import { cast } from '../support/cast';
import type { Person } from '../support/make';

const { runtime, lucia, tom, visitor, make, as } = await cast();
const { db } = runtime;

type Show = { id: number; kind: 'podcast' | 'audio_series' };
type Source = typeof grants.$inferSelect.source;

const inDays = (days: number) => later(runtime.now(), DAYS(days));
/** Grants the person access, by default through a monthly subscription. */
const grant = (show: Show, to: Person, over: Partial<typeof grants.$inferInsert> = {}) =>
  db.insert(grants).values({
    userId: to.id,
    productId: show.id,
    source: 'subscription' as Source,
    startsAt: runtime.now(),
    endsAt: inDays(30),
    renews: true,
    ...over,
  });
const paidShow = (over: Parameters<typeof make.product>[1] = {}) =>
  make.product(lucia, { priceMinor: 500, annualPriceMinor: 5000, ...over });
const ref = ({ id, kind }: Show) => ({ id, kind });

test('a show is created with its prices, and all visitors see them', async () => {
  const input = await make.productInput(lucia, { planType: 'paid', price: '4,99', annualPrice: '49.90' });
  const made = await lucia.api.products.create(input);

  const seen = await visitor.products.get(ref(made));

  expect(seen).toMatchObject({ priceMinor: 499, annualPriceMinor: 4990, planType: 'yearly', annualSavingPercent: 16 });
});

test('an editor changes a show, but neither its prices nor what ends subscriptions', async () => {
  const person = await make.person();
  await db.insert(members).values({ creatorId: lucia.creatorId, userId: person.id, role: 'editor' });
  await runtime.sessions.workFor(person.token, lucia.creatorId);
  const { products } = await as({ token: person.token }, 'web');
  const [paid, free] = [await paidShow(), await make.product(lucia)];
  const paidInput = await make.productInput(person, { planType: 'paid', price: '4.99' });

  for (const change of [{ price: '1.00' }, { planType: 'free' }, { annualPrice: null }, { currency: 'usd' }] as const)
    await expect(products.update({ ...ref(paid), ...change })).toFailWith('common.role_not_allowed');
  await expect(products.update({ ...ref(free), planType: 'paid', price: '5' })).toFailWith('common.role_not_allowed');
  await expect(products.create(paidInput)).toFailWith('common.role_not_allowed');
  await expect(products.startFreeConversion(ref(paid))).toFailWith('common.role_not_allowed');
  await expect(products.retire(ref(paid))).toFailWith('common.role_not_allowed');

  // the form sends the unchanged prices
  const unchanged = { planType: 'paid', price: '5.00', annualPrice: '50.00', currency: 'eur' } as const;
  expect(await products.update({ ...ref(paid), ...unchanged, name: 'Edited' })).toMatchObject({
    name: 'Edited',
    priceMinor: 500,
  });
  expect(await products.create({ ...paidInput, planType: 'free', price: null })).toMatchObject({ isFree: true });
});

test('a price out of bounds names the currency and the amounts', async () => {
  const input = await make.productInput(lucia, { price: '0.99', currency: 'usd' });

  const failure = lucia.api.products.create(input);

  await expect(failure).toFailWith('product.monthly_price_bounds');
});

test('a paid show becomes free at once while it has no subscribers, and not while it has some', async () => {
  const [empty, followed, sold] = [await paidShow(), await paidShow(), await paidShow()];
  await grant(followed, tom, { source: 'follow' });
  await grant(sold, tom);

  for (const show of [empty, followed])
    await expect(lucia.api.products.update({ ...ref(show), planType: 'free' })).resolves.toMatchObject({
      isFree: true,
    });
  for (const change of [{ planType: 'free' }, { price: null }, { price: '0.00' }] as const)
    await expect(lucia.api.products.update({ ...ref(sold), ...change })).toFailWith('product.has_subscribers');
});

test('buyers of an audio series keep it, so it may become free', async () => {
  const series = await make.product(lucia, { kind: 'audio_series', priceMinor: 900 });
  await grant(series, tom, { source: 'purchase', endsAt: null, renews: false });

  await expect(lucia.api.products.update({ ...ref(series), price: null })).resolves.toMatchObject({ isFree: true });
  const kept = await db.$count(grants, and(eq(grants.productId, series.id), eq(grants.userId, tom.id)));
  expect(kept).toBe(1);
});

test('a subscription that begins while the price is removed waits for the outcome', async () => {
  const show = await paidShow();

  const [freed] = await Promise.allSettled([
    lucia.api.products.update({ ...ref(show), planType: 'free' }),
    grant(show, tom),
  ]);

  const { isFree } = await visitor.products.get(ref(show));
  expect(isFree).toBe(freed.status === 'fulfilled');
});
