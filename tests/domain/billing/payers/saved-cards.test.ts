import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { checkouts, paymentCards, paymentCustomers } from '~/db/schema/checkouts';
import { later, MINUTES } from '~/server/base/time';
import { markEmailVerified } from '~/server/domain/accounts/logins/mark-verified';
import { pricesOnSale, termsShown } from '~/server/domain/billing/base/rules';
import { buyShow as schema } from '~/server/domain/billing/base/schema';
import { buyShow } from '~/server/domain/billing/checkout/buy-show';
import { chargeLost, chargeToStoredCard } from '~/server/domain/billing/payers/charge-card';
import { claimCards } from '~/server/domain/billing/payers/claim-cards';
import { eraseCustomer, erasePayments } from '~/server/domain/billing/payers/erase-payments';
import { listMyCards, removeCard, setDefaultCard } from '~/server/domain/billing/payers/payment-methods';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { giveDonation } from '~/server/domain/donations/give-donation';
import { giveDonation as donationSchema } from '~/server/domain/donations/schema';
import { applyCard, chargeStoredCard, claimSavedCards, deleteCustomer } from '~/server/queue/jobs/billing';
import { transact } from '~/server/runtime/ctx';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../../../support/shop';

const OTHER_CARD = '5555555555554444';
const { runtime, make, lucia, paidPodcast, ctxOf, visitorCtx, fetch, clock, settle, buy, payments, ctx } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
const second = await make.product(lucia, { kind: 'audio_series', name: 'Otra serie', priceMinor: 900 });
const third = await make.product(lucia, { kind: 'audio_series', name: 'Tercera serie', priceMinor: 800 });
const otherPodcast = await make.product(lucia, { name: 'Otro podcast', priceMinor: 700 });

await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });

type Person = { id: number } | null;
const ctxFor = (person: Person) =>
  person ? ctxOf({ id: person.id, creatorId: null }, { now: clock.now }) : visitorCtx({ now: clock.now });
const terms = (show: typeof series) =>
  termsShown({ prices: pricesOnSale(show), currency: show.currency, trialDays: show.trialDays });

async function open(person: Person, show: typeof series, over: object = {}): Promise<string> {
  const input = schema.parse({ product: show.id, shown: terms(show), terms: 'on', adult: 'on', ...over });
  return (await buyShow(ctxFor(person), input, 'browser')).url;
}

/** Delivers the events of the provider, and runs the jobs about cards. */
async function work(): Promise<void> {
  await settle();
  await runJobs(runtime, claimSavedCards.name, (payload, job) => claimCards(job, payload));
  await runJobs(runtime, chargeStoredCard.name, (payload, job) => chargeToStoredCard(job, payload));
  await runJobs(runtime, applyCard.name, (payload, job) => chargeLost(job, payload));
  await settle();
}

async function payAs(email: string, over: object = {}, number = GOOD_CARD): Promise<void> {
  await payByForms(fetch, await open(null, series, { email, ...over }), { number, proven: true });
  await work();
}

let addresses = 0;
const newAddress = () => `oyente${++addresses}@mail.example`;
const userWith = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0]!;
const last4s = async (person: Person) => (await listMyCards(ctxFor(person))).map(({ last4 }) => last4);

/** Whether a payment page offers a card. */
const offers = async (url: string, last4: string) => (await (await fetch(url)).text()).includes(`···· ${last4}`);

async function verify(userId: number): Promise<void> {
  await transact(ctx, (tx) => markEmailVerified(tx, userId));
  await work();
}

test('a guest’s card is saved only with their consent', async () => {
  const email = newAddress();

  await payAs(email);

  const { id } = await userWith(email);
  expect(await last4s({ id })).toEqual([]);
  const [customer] = await db.select().from(paymentCustomers).where(eq(paymentCustomers.userId, id));
  expect(await payments.listCards(customer!.providerId)).toEqual([]);
});

test('a card saved with consent is listed, and the next purchase offers it', async () => {
  const email = newAddress();

  await payAs(email, { saveCard: 'on' });

  const user = await userWith(email);
  expect(await listMyCards(ctxFor(user))).toMatchObject([{ last4: '4242', isDefault: true, charged: [] }]);
  expect(await offers(await open(user, second), '4242')).toBe(true);
  const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, user.id)).orderBy(checkouts.createdAt);
  expect(row!.terms.savesCard).toBe(true);
});

test('the same choice opens the same page, and another choice a page of its own', async () => {
  const email = newAddress();

  const plain = await open(null, series, { email });
  const saving = await open(null, series, { email, saveCard: 'on' });

  expect(saving).not.toBe(plain);
  expect(await open(null, series, { email, saveCard: 'on' })).toBe(saving);
});

test('a guest’s card belongs to an existing account only after its address is verified', async () => {
  const email = newAddress();
  const early = await make.person({ email });

  await payAs(email, { saveCard: 'on' });

  expect(await last4s(early)).toEqual([]);
  expect(await offers(await open(early, second), '4242')).toBe(false);
  await verify(early.id);
  expect(await last4s(early)).toEqual(['4242']);
  expect(await offers(await open(early, third), '4242')).toBe(true);
});

test('the same card of two purchases is listed once, and is removed everywhere', async () => {
  const email = newAddress();
  const person = await make.person({ email });
  await verify(person.id);
  await subscribe(person.id, paidPodcast, GOOD_CARD);
  await payAs(email, { saveCard: 'on' });
  const isOwn = eq(paymentCards.userId, person.id);
  const stored = await db.select().from(paymentCards).where(isOwn).orderBy(paymentCards.providerId);

  const [card, ...others] = await listMyCards(ctxFor(person));
  await removeCard(ctxFor(person), { id: card!.id });

  expect(new Set(stored.map(({ customerId }) => customerId)).size).toBe(2);
  expect(others).toEqual([]);
  expect(card).toMatchObject({ last4: '4242', isLast: true, charged: [{ name: paidPodcast.name }], stays: [] });
  for (const { customerId } of stored) expect(await payments.listCards(customerId)).toEqual([]);
});

test('a person with a verified address finds a card that they saved while logged out, also on the next page', async () => {
  const email = newAddress();
  const person = await make.person({ email });
  await verify(person.id);

  await payAs(email, { saveCard: 'on' });

  expect(await last4s(person)).toEqual(['4242']);
  expect(await offers(await open(person, second), '4242')).toBe(true);
});

test('the card of an unverified account’s guest subscription is not offered to that account', async () => {
  const email = newAddress();
  const early = await make.person({ email });
  await payByForms(fetch, await open(null, paidPodcast, { email }), { number: GOOD_CARD });
  await work();

  expect(await offers(await open(early, second), '4242')).toBe(false);
});

async function donate(email: string | undefined, person: Person = null): Promise<void> {
  const input = { creatorId: lucia.creatorId, amount: '5', currency: 'eur', every: 'once', email, saveCard: 'on' };
  const { url } = await giveDonation(ctxFor(person), donationSchema.parse(input), 'browser');
  await payByForms(fetch, url, { number: GOOD_CARD });
  await work();
}

test('a donor’s card waits for an account with the verified address', async () => {
  const email = newAddress();
  await donate(email);
  const [person, other] = [await make.person({ email }), await make.person()];

  await verify(other.id);
  expect([await last4s(person), await last4s(other)]).toEqual([[], []]);
  await verify(person.id);

  expect([await last4s(person), await last4s(other)]).toEqual([['4242'], []]);
  expect(await offers(await open(person, series), '4242')).toBe(true);
  await runJobs(runtime, claimSavedCards.name, (payload, job) => claimCards(job, payload));
  expect(await last4s(person)).toEqual(['4242']);
});

test('the deletion of an account also removes a card that waited for its address', async () => {
  const email = newAddress();
  const early = await make.person({ email });
  await payAs(email, { saveCard: 'on' });
  const [row] = await db.select().from(checkouts).where(eq(checkouts.email, email));

  await erasePayments(ctx, { userId: early.id });
  await runJobs(runtime, deleteCustomer.name, (payload, job) => eraseCustomer(job, payload));

  expect(await payments.fetch.customer(row!.customerId!)).toMatchObject({ deleted: true });
});

async function subscribe(userId: number, show: typeof paidPodcast, number: string): Promise<void> {
  await buy(showItem(show, { userId }), number);
  await work();
}

test('the card of a new subscription becomes the default, and a later choice stays', async () => {
  const person = await make.person();
  await subscribe(person.id, paidPodcast, GOOD_CARD);
  const first = await listMyCards(ctxFor(person));
  await subscribe(person.id, otherPodcast, OTHER_CARD);
  const then = await listMyCards(ctxFor(person));

  await setDefaultCard(ctxFor(person), { id: first[0]!.id });
  for (const { providerId } of await db
    .select()
    .from(checkouts)
    .where(eq(checkouts.userId, person.id))
    .orderBy(checkouts.createdAt))
    await syncCheckout(ctx, providerId!);
  await work();

  expect(first).toMatchObject([{ last4: '4242', isDefault: true }]);
  expect(then).toMatchObject([
    { last4: '4444', isDefault: true, charged: [{ name: otherPodcast.name }] },
    { last4: '4242', isDefault: false, charged: [{ name: paidPodcast.name }] },
  ]);
  expect(await listMyCards(ctxFor(person))).toMatchObject([
    { last4: '4242', isDefault: true, charged: [{ name: paidPodcast.name }, { name: otherPodcast.name }] },
    { last4: '4444', isDefault: false, charged: [] },
  ]);
});

test('the job of an older subscription does not replace the card of a newer one', async () => {
  const person = await make.person();
  await buy(showItem(paidPodcast, { userId: person.id }), GOOD_CARD);
  await settle();
  const waiting = await runtime.queue.boss.fetch(chargeStoredCard.name, { batchSize: 1 });
  clock.now = later(clock.now, MINUTES(1));
  await subscribe(person.id, otherPodcast, OTHER_CARD);

  for (const { data } of waiting) await chargeToStoredCard(ctx, data as never);

  expect(await listMyCards(ctxFor(person))).toMatchObject([{ last4: '4444', isDefault: true }, { last4: '4242' }]);
});

test('a card says which subscriptions it would take over, and which it cannot', async () => {
  const person = await make.person();
  await subscribe(person.id, paidPodcast, GOOD_CARD);
  await subscribe(person.id, otherPodcast, OTHER_CARD);
  const dollars = await make.product(lucia, { name: 'In dollars', priceMinor: 600, currency: 'usd' });
  await buy(showItem(dollars, { userId: person.id }, { currency: 'usd' }), '378282246310005');
  await work();

  const cards = await listMyCards(ctxFor(person));

  const names = Object.fromEntries(
    cards.map(({ last4, moves, stays }) => [last4, [moves, stays].map((list) => list.map(({ name }) => name))]),
  );
  expect(names).toEqual({
    4242: [[otherPodcast.name], [dollars.name]],
    4444: [[paidPodcast.name], [dollars.name]],
    '0005': [[], [paidPodcast.name, otherPodcast.name]],
  });
});
