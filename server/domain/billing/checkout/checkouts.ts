import { randomUUID } from 'node:crypto';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type CheckoutTerms, checkouts, type Purpose } from '~/db/schema/checkouts';
import type { CheckoutPage, NewPurchase, NewSubscription } from '../../../adapters/payments/port';
import { AppError } from '../../../base/errors';
import { later } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { releaseCoupon, reserveCoupon } from '../../coupons/redeem-coupon';
import { lookupSellingAccount } from '../../payouts/queries';
import { onAccount } from '../../payouts/seller-status';
import { currentPlan } from '../../plans/queries';
import { commissionOn, feePercent } from '../../plans/rules';
import { createGuestCustomer, customerToPay, customerWith } from '../base/customers';
import type { CheckoutRow } from '../base/queries';

/** Guests have a `browserHash`, the SHA-256 of a secret that stays in the browser. */
export type Buyer = { userId: number } | { email: string; browserHash: string };
export type CheckoutItem = {
  purpose: Purpose;
  buyer: Buyer;
  productId?: number;
  /** Null for a card, which belongs to no creator's show. */
  creatorId: number | null;
  /** `totalMinor`: the amount left of the first payment. */
  coupon?: { id: number; totalMinor: number; providerIdOn(account: string | null): Promise<string> };
  terms: CheckoutTerms;
  /** The buyer's customer, if it must not be the usual one: a card belongs to one customer, of one account. */
  customer?: { id: string; account: string | null };
  /** How long the page stays open, if not as long as usual. The minimum is an hour. */
  lifetime?: number;
  /** Paths to which the payment page returns. `checkout` is added to the query of `success`. */
  paths: { success: string; cancel: string };
};
export type OpenedCheckout = { id: string; url: string };

/**
 * Opens the payment page for an item. The same buyer, item and terms get the same page again; other terms close the
 * former page. @throws the errors of the payments port, coupon.not_redeemable
 */
export async function openCheckout(ctx: Ctx, item: CheckoutItem): Promise<OpenedCheckout> {
  const selling = { ...item, ...(await sellerOf(ctx, item)) };
  const { row, former } = await ensureRow(ctx, selling);
  if (former?.providerId) await expireQuietly(ctx, former);
  if (row.url) return { id: row.id, url: row.url };
  return openPage(onAccount(ctx, row.account), row, item);
}

/** `account`: the creator's own, if the sale is theirs. `fee`: our fee there. */
type Selling = CheckoutItem & { account: string | null; fee: CheckoutTerms['fee'] };

/** Altavoz sells plans; a card belongs to the account of its customer. */
async function sellerOf(ctx: Ctx, { purpose, creatorId, customer, coupon, terms }: CheckoutItem) {
  if (purpose === 'card') return { account: customer?.account ?? null, fee: undefined };
  const account = purpose === 'plan' || creatorId === null ? null : await lookupSellingAccount(ctx, creatorId);
  if (account === null || creatorId === null) return { account: null, fee: undefined };
  const plan = await currentPlan(ctx, creatorId);
  const firstMinor = coupon?.totalMinor ?? terms.priceMinor;
  const fee = terms.every ? { percent: feePercent(plan, firstMinor) } : { minor: commissionOn(plan, firstMinor) };
  return { account, fee };
}

type Placed = Selling & { ipCountry: string | null };

/** If two tabs buy at once, one inserts the row, and the other finds it. */
async function ensureRow(ctx: Ctx, wanted: Selling) {
  const item = { ...wanted, ipCountry: await ctx.ports.geo.countryOf(ctx.client.address) };
  try {
    return await transact(ctx, (tx) => findOrInsert(tx, item));
  } catch (error) {
    if (!violates(error, 'checkouts_open_once') && !violates(error, 'checkouts_open_plan_once')) throw error;
    return transact(ctx, (tx) => findOrInsert(tx, item));
  }
}

async function findOrInsert(tx: TxCtx, item: Placed): Promise<{ row: CheckoutRow; former: CheckoutRow | null }> {
  await lockItem(tx, item);
  const [open] = await tx.db.select().from(checkouts).where(whereOpen(item)).for('update').limit(1);
  await tx.reach('checkout.looked');
  const isUsable = open && open.expiresAt > later(tx.now(), BILLING_LIMITS.reopenBefore) && isSame(open, item);
  if (isUsable) return { row: open, former: null };
  if (open) await closeRow(tx, open);
  return { row: await insertRow(tx, item), former: open ?? null };
}

/** Serializes double clicks: checkouts of donations and of guests have no unique index. */
async function lockItem(tx: TxCtx, { purpose, buyer, productId, creatorId }: CheckoutItem): Promise<void> {
  const who = 'userId' in buyer ? buyer.userId : `${buyer.browserHash} ${buyer.email}`;
  const item = `checkout ${purpose} ${who} ${productId ?? ''} ${creatorId ?? ''}`;
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${item}, 0))`);
}

function whereOpen({ purpose, buyer, productId, creatorId }: CheckoutItem): SQL | undefined {
  const isOwn =
    'userId' in buyer
      ? eq(checkouts.userId, buyer.userId)
      : and(isNull(checkouts.userId), eq(checkouts.browserHash, buyer.browserHash), eq(checkouts.email, buyer.email));
  const isOfCreator = creatorId === null ? isNull(checkouts.creatorId) : eq(checkouts.creatorId, creatorId);
  const isItem = productId ? eq(checkouts.productId, productId) : isOfCreator;
  return and(isOwn, isItem, eq(checkouts.purpose, purpose), eq(checkouts.status, 'open'));
}

/**
 * Postgres returns the terms with their keys in another order. Our fee and the link by which the buyer came are not part
 * of the buyer's terms.
 */
function isSame(row: CheckoutRow, { terms, coupon, account }: Selling): boolean {
  const text = (value: CheckoutTerms) =>
    JSON.stringify({ ...value, fee: undefined, recommendationId: undefined }, inOrder);
  return row.couponId === (coupon?.id ?? null) && row.account === account && text(row.terms) === text(terms);
}

const inOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

async function insertRow(tx: TxCtx, item: Placed): Promise<CheckoutRow> {
  const { ipCountry, purpose, buyer, productId = null, creatorId, coupon, terms, fee, account } = item;
  const now = tx.now();
  const [row] = await tx.db
    .insert(checkouts)
    .values({
      id: randomUUID(),
      purpose,
      ...buyer,
      productId,
      creatorId,
      couponId: coupon?.id ?? null,
      account,
      terms: { ...terms, ...(fee && { fee }), ...(purpose === 'show' && broughtBy(tx)) },
      language: tx.language,
      ipCountry,
      expiresAt: later(now, item.lifetime ?? BILLING_LIMITS.checkout),
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (coupon) await reserveCoupon(tx, { couponId: coupon.id, checkoutId: row!.id, userId: row!.userId });
  return row!;
}

const broughtBy = ({ client: { recommendationId } }: TxCtx): Pick<CheckoutTerms, 'recommendationId'> =>
  recommendationId === undefined ? {} : { recommendationId };

/** The same key gives the same page, so a lost response or a restart opens no second page. */
async function openPage(ctx: Ctx, row: CheckoutRow, item: CheckoutItem): Promise<OpenedCheckout> {
  const customer = item.customer?.id ?? row.customerId ?? (await chooseCustomer(ctx, row));
  const page: CheckoutPage = {
    successUrl: withCheckout(item.paths.success, row.id),
    cancelUrl: item.paths.cancel,
    language: row.language,
    reference: { checkout: row.id },
    ...(item.lifetime && { expiresAt: row.expiresAt }),
  };
  const coupon = await item.coupon?.providerIdOn(row.account);
  const opened = await startPage(ctx, { row, page, customer, coupon });
  const { id: providerId, url } = opened;
  await ctx.db
    .update(checkouts)
    .set({ providerId, url, customerId: customer, expiresAt: opened.expiresAt, updatedAt: ctx.now() })
    .where(eq(checkouts.id, row.id));
  return { id: row.id, url: url ?? page.successUrl };
}

/** Stored before the page opens, because a card that is saved meanwhile could lead to another choice. */
async function chooseCustomer(ctx: Ctx, row: CheckoutRow): Promise<string> {
  const customerId = await customerFor(ctx, row);
  await ctx.db.update(checkouts).set({ customerId }).where(eq(checkouts.id, row.id));
  return customerId;
}

function customerFor(ctx: Ctx, { id, userId, email, language, terms, purpose }: CheckoutRow): Promise<string> {
  if (userId === null) return createGuestCustomer(ctx, { email: email ?? '', language, checkoutId: id });
  const isRecurring = terms.every !== null && purpose !== 'card';
  return isRecurring ? customerWith(ctx, userId, terms.currency) : customerToPay(ctx, userId);
}

type Start = { row: CheckoutRow; page: CheckoutPage; customer: string; coupon?: string };

function startPage(ctx: Ctx, { row, page, customer, coupon }: Start) {
  const { payments } = ctx.ports;
  const { name, priceMinor, currency, every, trialDays, savesCard } = row.terms;
  const price = { minor: priceMinor, currency };
  const { ofPayment, ofSubscription } = feesOf(row.terms);
  const key = `checkout/${row.id}`;
  if (row.purpose === 'card') return payments.startCardSetup({ ...page, customer }, key);
  if (row.purpose === 'donation') {
    const donation = { ...page, buyer: { customer }, name, amount: price };
    if (every) return payments.startDonation({ ...donation, every: 'month', ...ofSubscription }, key);
    return payments.startDonation({ ...donation, every: null, savesCard, ...ofPayment }, key);
  }
  if (every) {
    const input: NewSubscription = { ...page, customer, name, price, every, trialDays, coupon, ...ofSubscription };
    return payments.startSubscription(input, key);
  }
  const title = row.terms.gift?.title ?? name;
  const input: NewPurchase = { ...page, buyer: { customer }, name: title, price, coupon, savesCard, ...ofPayment };
  return payments.startPurchase(input, key);
}

function feesOf({ fee, currency }: CheckoutTerms) {
  const ofPayment = fee && 'minor' in fee ? { platformFee: { fee: { minor: fee.minor, currency } } } : {};
  const ofSubscription = fee && 'percent' in fee ? { platformFee: { feePercent: fee.percent } } : {};
  return { ofPayment, ofSubscription };
}

function withCheckout(address: string, id: string): string {
  const url = new URL(address);
  url.searchParams.set('checkout', id);
  return url.href;
}

/** Closes the page to new payments; payments that were made meanwhile are settled. */
export async function closeCheckout(ctx: Ctx, row: CheckoutRow): Promise<void> {
  await transact(ctx, (tx) => closeRow(tx, row));
  if (row.providerId) await expireQuietly(ctx, row);
}

export async function closeRow(tx: TxCtx, { id }: Pick<CheckoutRow, 'id'>): Promise<void> {
  const closed = await tx.db
    .update(checkouts)
    .set({ status: 'closed', updatedAt: tx.now() })
    .where(and(eq(checkouts.id, id), eq(checkouts.status, 'open')))
    .returning({ id: checkouts.id });
  if (closed.length > 0) await releaseCoupon(tx, id);
}

/** A page that is already paid or expired cannot be closed; its event says which. */
async function expireQuietly(ctx: Ctx, { id, providerId, account }: CheckoutRow): Promise<void> {
  try {
    await ctx.ports.payments.on(account).expireCheckout(providerId ?? '', `checkout/${id}/expire`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error, checkout: id }, 'payment page not closed');
  }
}
