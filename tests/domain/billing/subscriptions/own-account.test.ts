import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards, paymentCustomers } from '~/db/schema/checkouts';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { DAYS, later } from '~/server/base/time';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { closeErased } from '~/server/domain/billing/payers/erase-payments';
import { catchUp } from '~/server/domain/billing/provider-sync/catch-up';
import { storeEvents } from '~/server/domain/billing/provider-sync/events';
import { disconnectAtProvider, recoverLeaving } from '~/server/domain/billing/subscriptions/disconnect-account';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { closeLost, restoreSubscriptions, reviewOne } from '~/server/domain/billing/subscriptions/lost-accounts';
import { setFee, setFees } from '~/server/domain/billing/subscriptions/platform-fees';
import { findUsableCoupon, orderedCoupon } from '~/server/domain/coupons/usable-coupon';
import { syncSellerAccount } from '~/server/domain/payouts/seller-account';
import { currentPlan } from '~/server/domain/plans/queries';
import { commissionOn } from '~/server/domain/plans/rules';
import {
  closeErasedCheckout,
  endSubscription,
  leaveAccount,
  restoreAccount,
  reviewSubscription,
  setPlatformFee,
} from '~/server/queue/jobs/billing';
import { PASSWORD } from '../../../support/make';
import { runJobs } from '../../../support/run-jobs';
import { ADDRESSES, shop, showItem } from '../../../support/shop';
import '../../../support/matchers';
import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';

const stage = await shop();
const { lucia, make, runtime, payments, sandbox, fetch, stripe, ctx, buy, settle, pass, clock, ctxOf } = stage;
const { db } = runtime;
let account = '';
let show: Awaited<ReturnType<typeof make.product>>;
let series: Awaited<ReturnType<typeof make.product>>;

/** Connects an account through the provider's page, as a browser without JavaScript. @returns the account's id */
async function connect(answer = 'ready'): Promise<string> {
  const { url } = await lucia.api.sellerAccount.start({ currentPassword: PASSWORD });
  const agreed = await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' });
  const back = new URL(agreed.headers.get('location')!);
  await lucia.api.sellerAccount.finish(Object.fromEntries(back.searchParams) as never);
  return (await lucia.api.sellerAccount.view()).account!.accountId;
}

beforeAll(async () => {
  show = await make.product(lucia, { name: 'En mi cuenta', priceMinor: 799, annualPriceMinor: 7990 });
  series = await make.product(lucia, { kind: 'audio_series', name: 'Serie en mi cuenta', priceMinor: 1999 });
  account = await connect();
});

const saleOf = async (userId: number) => {
  const rows = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  return rows;
};
const subscriptionOf = async (userId: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
const linesOf = async (saleId: number) =>
  db
    .select({ kind: ledgerEntries.kind, account: ledgerLines.account, minor: ledgerLines.amountMinor })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(eq(ledgerEntries.saleId, saleId))
    .orderBy(ledgerLines.id);
async function subscriber() {
  const person = await make.person();
  await buy(showItem(show, { userId: person.id }));
  await settle();
  return person;
}

test('a connection belongs to the session that began it, and its answer is used once', async () => {
  const { ada } = stage;
  const { url } = await ada.api.sellerAccount.start({ currentPassword: PASSWORD });
  const body = () => new URLSearchParams({ answer: 'ready' });
  const agreed = await fetch(url, { method: 'POST', body: body(), redirect: 'manual' });
  const answer = Object.fromEntries(new URL(agreed.headers.get('location')!).searchParams) as { state: string };

  await expect(make.creator().then(({ api }) => api.sellerAccount.finish(answer))).toFailWith(
    'payout.connecting_expired',
  );
  await expect(ada.api.sellerAccount.start({ currentPassword: 'another one' })).toFailWith('account.wrong_password');
  const denied = { state: answer.state, error: 'access_denied' };
  await expect(ada.api.sellerAccount.finish(denied)).toFailWith('payout.connecting_denied');
  await expect(ada.api.sellerAccount.finish(answer)).toFailWith('payout.connecting_expired');
  await expect(lucia.api.sellerAccount.start({ currentPassword: PASSWORD })).toFailWith('payout.account_connected');
  expect((await ada.api.sellerAccount.view()).account).toBeNull();
});

test.each(['active', 'disconnected'] as const)(
  'an account that another creator holds is refused: %s',
  async (status) => {
    const { ada } = stage;
    const { connect: connectReal } = runtime.ports.payments;
    runtime.ports.payments.connect = () => payments.fetch.account(account);
    const hold = (now: typeof status) =>
      db.update(sellerAccounts).set({ status: now }).where(eq(sellerAccounts.accountId, account));
    await hold(status);
    const { url } = await ada.api.sellerAccount.start({ currentPassword: PASSWORD });
    const agreed = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ answer: 'ready' }),
      redirect: 'manual',
    });
    const answer = Object.fromEntries(new URL(agreed.headers.get('location')!).searchParams) as { state: string };

    await expect(ada.api.sellerAccount.finish(answer)).toFailWith('payout.account_in_use');

    expect((await ada.api.sellerAccount.view()).account).toBeNull();
    runtime.ports.payments.connect = connectReal;
    await hold('active');
  },
);

test('a subscription is sold on the connected account, with the commission as our fee to the cent', async () => {
  const person = await subscriber();

  const commission = commissionOn(await currentPlan(ctx, lucia.creatorId), 799);
  const [sale] = await saleOf(person.id);
  expect(sale).toMatchObject({ sellerAccount: account, amountMinor: 799, commissionMinor: commission, vatMinor: 0 });
  expect(sale!.seller).not.toBe(runtime.settings.operator.name);
  const row = await subscriptionOf(person.id);
  expect(row.account).toBe(account);
  await expect(payments.fetch.subscription(row.providerId)).toFailWith('payments.not_found');
  expect((await payments.on(account).fetch.payment(sale!.paymentId)).platformFee).toMatchObject({ minor: commission });
  expect(await linesOf(sale!.id)).toEqual([
    { kind: 'application_fee', account: 'provider_balance', minor: commission },
    { kind: 'application_fee', account: 'commission', minor: -commission },
  ]);
  const [card] = await db.select().from(paymentCards).where(eq(paymentCards.userId, person.id));
  const [customer] = await db.select().from(paymentCustomers).where(eq(paymentCustomers.userId, person.id));
  expect([card!.account, customer!.account]).toEqual([account, account]);
});

test('a purchase with a coupon has the fee of the paid amount, and a refund returns it in proportion', async () => {
  const terms = { discountType: 'percentage', discount: '20', productId: series.id } as const;
  await lucia.api.coupons.create({ ...terms, couponCode: 'CUENTA' });
  const person = await make.person();
  const request = { code: 'CUENTA', productId: series.id, every: null };
  const usable = await findUsableCoupon(ctxOf({ id: person.id, creatorId: null }), request);
  await buy({ ...showItem(series, { userId: person.id }), coupon: orderedCoupon(ctx, usable) });
  await settle();

  const paid = 1999 - 400;
  const commission = commissionOn(await currentPlan(ctx, lucia.creatorId), paid);
  const [sale] = await saleOf(person.id);
  expect(sale).toMatchObject({ amountMinor: paid, commissionMinor: commission, discountMinor: 400 });

  await lucia.api.buyers.refund({
    id: series.id,
    kind: 'audio_series',
    saleId: sale!.id,
    amount: '5',
    refundedMinor: 0,
  });
  await settle();

  const returned = Math.round((commission * 500) / paid);
  expect((await linesOf(sale!.id)).slice(2)).toEqual([
    { kind: 'refund', account: 'provider_balance', minor: -returned },
    { kind: 'refund', account: 'commission', minor: returned },
  ]);
  const fees = await stripe.applicationFees.list({ limit: 1 });
  expect(fees.data[0]).toMatchObject({ amount: commission, amount_refunded: returned });
});

test('a buyer cancels, renews and adds a card on the account where the subscription is', async () => {
  const person = await subscriber();
  const row = await subscriptionOf(person.id);
  const api = person.api;

  await api.subscriptions.cancel({ id: row.id });
  expect((await payments.on(account).fetch.subscription(row.providerId)).endsAt).not.toBeNull();
  await api.subscriptions.renew({ id: row.id });
  expect((await payments.on(account).fetch.subscription(row.providerId)).endsAt).toBeNull();
  const { url } = await api.cards.start({ subscription: row.id });

  expect(url).toContain(account);
});

test('before a renewal our fee is set for its amount, and the books have the fee that was taken', async () => {
  const person = await make.person();
  const terms = { discountType: 'percentage', discount: '50', productId: show.id } as const;
  await lucia.api.coupons.create({ ...terms, couponCode: 'UNAVEZ', duration: 'once' });
  const request = { code: 'UNAVEZ', productId: show.id, every: 'month' as const };
  const usable = await findUsableCoupon(ctxOf({ id: person.id, creatorId: null }), request);
  const before = await currentPlan(ctx, lucia.creatorId);
  await buy({ ...showItem(show, { userId: person.id }), coupon: orderedCoupon(ctx, usable) });
  await settle();
  const { periodEnd } = await subscriptionOf(person.id);
  clock.now = later(periodEnd, -DAYS(1));
  await settle();
  await setFees(ctx);
  await runJobs(runtime, setPlatformFee.name, (payload, of) => setFee(of, payload as never));
  await pass(later(periodEnd, DAYS(1)));

  // the trial has ended in the meantime
  const plan = await currentPlan(ctx, lucia.creatorId);
  expect(plan.code).not.toBe(before.code);
  const found = await saleOf(person.id);
  expect(found.map(({ amountMinor, commissionMinor }) => [amountMinor, commissionMinor])).toEqual([
    [399, commissionOn(before, 399)],
    [799, commissionOn(plan, 799)],
  ]);
});

test('a change to yearly has the commission of the charged amount', async () => {
  const person = await subscriber();
  const { id } = await subscriptionOf(person.id);
  const { at, due, yearly } = await person.api.subscriptions.yearlyPreview({ id });
  await person.api.subscriptions.changeToYearly({ id, at, dueMinor: due.minor, yearlyMinor: yearly.minor });
  await settle();

  const commission = commissionOn(await currentPlan(ctx, lucia.creatorId), due.minor);
  expect((await saleOf(person.id)).at(-1)).toMatchObject({ amountMinor: due.minor, commissionMinor: commission });
});

test('an event of an account that is not connected, or about an object of another account, is ignored', async () => {
  const person = await subscriber();
  const row = await subscriptionOf(person.id);
  const before = await db.select().from(checkouts).where(eq(checkouts.id, row.checkoutId!));
  const other = await onboardAccount(stage);
  const facts = { at: clock.now, live: false } as const;
  await db.update(subscriptions).set({ status: 'past_due' }).where(eq(subscriptions.id, row.id));

  await storeEvents(ctx, [
    { ...facts, id: 'evt_foreign', account: other, type: 'subscription_changed', subscription: row.providerId },
    { ...facts, id: 'evt_ours', account: null, type: 'subscription_changed', subscription: row.providerId },
    { ...facts, id: 'evt_gone', account: other, type: 'account_disconnected' },
  ]);
  await settle();

  expect(await subscriptionOf(person.id)).toMatchObject({ status: 'past_due', account });
  expect(await db.select().from(checkouts).where(eq(checkouts.id, row.checkoutId!))).toEqual(before);
  expect((await lucia.api.sellerAccount.view()).account).toMatchObject({ status: 'active' });
  await storeEvents(ctx, [
    { ...facts, id: 'evt_own', account, type: 'subscription_changed', subscription: row.providerId },
  ]);
  await settle();
  expect(await subscriptionOf(person.id)).toMatchObject({ status: 'active' });
});

test('a payment on another creator’s account settles no checkout, whatever its reference says', async () => {
  const person = await make.person();
  const other = await onboardAccount(stage);
  await db.insert(sellerAccounts).values({
    ...{ creatorId: stage.ada.creatorId, accountId: other, status: 'active', connectedBy: stage.ada.id },
    ...{ chargesEnabled: true, payoutsEnabled: true, connectedAt: clock.now, syncedAt: clock.now },
  });
  const opened = await openCheckout(ctx, { ...showItem(series, { userId: person.id }), paths: ADDRESSES });
  const paid = { amount: 1999, currency: 'eur', payment_method: 'pm_card_visa', confirm: true } as const;
  const metadata = { checkout: opened.id };
  await stripe.paymentIntents.create({ ...paid, metadata }, { stripeAccount: other });
  await settle();

  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, opened.id));
  expect(row).toMatchObject({ status: 'open', account });
  expect(await saleOf(person.id)).toEqual([]);
});

test('events of the account that were lost are caught up', async () => {
  const person = await make.person();
  await sandbox.injectFaults({ lose: 100 });
  await buy(showItem(series, { userId: person.id }));
  await settle();
  await sandbox.injectFaults({ lose: 0 });

  expect(await catchUp(ctx, { account })).toBeGreaterThan(0);
  await settle();
  expect(await saleOf(person.id)).toHaveLength(1);
});

test('after an owner disconnects an account at the provider, listeners keep paid access, and new sales are ours', async () => {
  const person = await subscriber();
  const { periodEnd, id } = await subscriptionOf(person.id);

  await stripe.oauth.deauthorize({ client_id: 'ca_sandbox', stripe_user_id: account });
  await settle();
  await runJobs(runtime, reviewSubscription.name, (payload, of) => reviewOne(of, payload as never));

  expect((await lucia.api.sellerAccount.view()).account).toMatchObject({
    status: 'disconnected',
    disconnectedBy: 'provider',
  });
  expect(await subscriptionOf(person.id)).toMatchObject({ endsAt: periodEnd, endReason: 'account_disconnected' });
  const [grant] = await db.select().from(grants).where(eq(grants.userId, person.id));
  expect(grant).toMatchObject({ endsAt: periodEnd, renews: false });
  const api = person.api;
  await expect(api.subscriptions.renew({ id })).toFailWith('billing.not_for_sale');
  const [sale] = await saleOf(person.id);
  const refund = { id: show.id, kind: 'podcast' as const, saleId: sale!.id, amount: '1', refundedMinor: 0 };
  await expect(lucia.api.buyers.refund(refund)).toFailWith('buyer.sale_elsewhere');
  const next = await make.person();
  await buy(showItem(series, { userId: next.id }));
  await settle();
  expect(await saleOf(next.id)).toMatchObject([{ sellerAccount: null }]);
  clock.now = later(periodEnd, DAYS(1));
  await closeLost(ctx);
  expect(await subscriptionOf(person.id)).toMatchObject({ endedAt: periodEnd, status: 'canceled' });
});

test('a creator who disconnects an account ends what runs there with its period, and then gives it back', async () => {
  const own = await connect();
  const person = await subscriber();

  // as if the account had been disconnected at the provider, and connected again
  const lost = { endReason: 'account_disconnected', endsAt: clock.now } as const;
  await db.update(subscriptions).set(lost).where(eq(subscriptions.userId, person.id));
  await runJobs(runtime, restoreAccount.name, (payload, of) => restoreSubscriptions(of, payload));
  await runJobs(runtime, reviewSubscription.name, (payload, of) => reviewOne(of, payload as never));
  expect(await subscriptionOf(person.id)).toMatchObject({ endsAt: null, endReason: null });

  await lucia.api.sellerAccount.disconnect({ currentPassword: PASSWORD });
  await runJobs(runtime, leaveAccount.name, (payload, of) => disconnectAtProvider(of, payload as never));
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload as never));
  const row = await subscriptionOf(person.id);
  expect(row).toMatchObject({ account: own, endsAt: row.periodEnd, endReason: 'account_disconnected' });
  expect((await payments.on(own).fetch.subscription(row.providerId)).endsAt).toEqual(row.periodEnd);
  const { id } = (await db.select().from(sellerAccounts).where(eq(sellerAccounts.accountId, own)))[0]!;
  await disconnectAtProvider(ctx, { sellerAccountId: id });

  await expect(payments.fetch.account(own)).toFailWith('payments.not_found');
});

const heldAt = async (accountId: string) =>
  (await db.select().from(sellerAccounts).where(eq(sellerAccounts.accountId, accountId)))[0]!;

test('an account is given back once no buyer can pay there any more', async () => {
  const own = await connect();
  await openCheckout(ctx, { ...showItem(series, { userId: lucia.id }), paths: ADDRESSES });
  await lucia.api.sellerAccount.disconnect({ currentPassword: PASSWORD });
  const leaving = () => runJobs(runtime, leaveAccount.name, (payload, of) => disconnectAtProvider(of, payload));

  await leaving();
  expect(await heldAt(own)).toMatchObject({ releasedAt: null });

  await runJobs(runtime, closeErasedCheckout.name, (payload, of) => closeErased(of, payload));
  await recoverLeaving(ctx);
  await leaving();
  expect(await heldAt(own)).toMatchObject({ releasedAt: clock.now });
});

test('an account that is disconnected during a request to the provider about it stays disconnected', async () => {
  const own = await connect();
  const account = async (id: string) => {
    const found = await payments.fetch.account(id);
    await lucia.api.sellerAccount.disconnect({ currentPassword: PASSWORD });
    return found;
  };
  const slow: PaymentsPort = { ...payments, on: () => slow, fetch: { ...payments.fetch, account } };

  await syncSellerAccount({ ...ctx, ports: { ...ctx.ports, payments: slow } }, own);

  expect(await heldAt(own)).toMatchObject({ status: 'disconnected' });
});
