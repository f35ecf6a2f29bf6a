import { and, eq, sql } from 'drizzle-orm';
import { billingDetails } from '~/db/schema/accounts';
import { type ReceiptParty, receiptCounters, sales } from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { recordDonation } from '~/jobs/catalog';
import type { Invoice, Payment } from '../../adapters/payments/objects';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { PLANS } from '../../limits/plans';
import { findUser } from '../accounts/queries';
import { currentPlan } from '../plans/queries';
import { commissionOn } from '../plans/rules';
import type { CheckoutRow } from './queries';
import type { SubscriptionRow } from './rules';

export type Sold = {
  payment: Payment;
  /** Of a subscription. */
  invoice: Invoice | null;
  checkout: CheckoutRow;
  subscription: SubscriptionRow | null;
};

/** Records a payment that succeeded, once, with the plan and the commission of this moment. */
export async function recordSale(ctx: Ctx, sold: Sold): Promise<void> {
  const { payment, checkout } = sold;
  if (payment.status !== 'succeeded' || payment.amount.minor === 0 || checkout.creatorId === null) return;
  const facts = await saleFacts(ctx, sold, checkout.creatorId);
  await transact(ctx, async (tx) => {
    // locked before the question whether it is new: otherwise a repetition would leave a gap in the numbers
    const legalEntity = tx.settings.operator.name;
    const last = await lockReceipts(tx, legalEntity);
    const isKnown = (await tx.db.$count(sales, eq(sales.paymentId, payment.id))) > 0;
    if (isKnown) return updateFee(tx, payment);
    await tx.db.insert(sales).values({ ...facts, legalEntity, receiptNumber: last + 1 });
    const counted = { last: last + 1 };
    await tx.db.update(receiptCounters).set(counted).where(eq(receiptCounters.legalEntity, legalEntity));
    if (checkout.purpose === 'donation') await tx.jobs.enqueue(recordDonation, { checkoutId: checkout.id });
  });
}

async function lockReceipts(tx: TxCtx, legalEntity: string): Promise<number> {
  await tx.db.insert(receiptCounters).values({ legalEntity, last: 0 }).onConflictDoNothing();
  const [row] = await tx.db
    .select({ last: receiptCounters.last })
    .from(receiptCounters)
    .where(eq(receiptCounters.legalEntity, legalEntity))
    .for('update');
  return row!.last;
}

/** The provider knows its own fee only later. */
async function updateFee(tx: TxCtx, { id, fee }: Payment): Promise<void> {
  if (!fee) return;
  const unknown = and(eq(sales.paymentId, id), sql`${sales.providerFeeMinor} is null`);
  await tx.db.update(sales).set({ providerFeeMinor: fee.minor, updatedAt: tx.now() }).where(unknown);
}

async function saleFacts(ctx: Ctx, { payment, invoice, checkout, subscription }: Sold, creatorId: number) {
  const { purpose, terms, userId } = checkout;
  const plan = await currentPlan(ctx, creatorId);
  const isOurs = purpose === 'plan';
  const { minor, currency } = payment.amount;
  return {
    paymentId: payment.id,
    invoiceId: invoice?.id ?? null,
    checkoutId: checkout.id,
    subscriptionId: subscription?.id ?? null,
    purpose: purpose as Exclude<typeof purpose, 'card'>,
    userId,
    email: userId === null ? checkout.email : null,
    creatorId,
    productId: checkout.productId,
    couponId: checkout.couponId,
    name: isOurs && subscription?.plan ? `${ctx.settings.operator.name} ${PLANS[subscription.plan].name}` : terms.name,
    every: subscription?.every ?? terms.every,
    amountMinor: minor,
    currency,
    discountMinor: invoice ? invoice.discount.minor : Math.max(0, terms.priceMinor - minor),
    plan: plan.code,
    // a plan is sold by Altavoz itself
    commissionBasisPoints: isOurs ? 0 : plan.commission.basisPoints,
    commissionFixedMinor: isOurs ? 0 : plan.commission.fixedMinor,
    commissionMinor: isOurs ? 0 : commissionOn(plan, minor),
    providerFeeMinor: payment.fee?.minor ?? null,
    ...periodOf(invoice),
    paidAt: invoice?.paidAt ?? payment.createdAt,
    buyer: await buyerOf(ctx, checkout),
    seller: ctx.settings.operator.name,
    ...(await cardOf(ctx, payment.card)),
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
}

/** The paid period, without the credit for an unused part of a former one. */
function periodOf(invoice: Invoice | null) {
  const line = invoice?.lines.find(({ amount }) => amount.minor > 0) ?? invoice?.lines[0];
  return { periodStart: line?.from ?? null, periodEnd: line?.to ?? null };
}

async function buyerOf(ctx: Ctx, { userId, email, terms }: CheckoutRow): Promise<ReceiptParty> {
  const address = { street: null, postalCode: null, city: null, country: null, taxNumber: null };
  if (userId === null) return { ...address, name: terms.donation?.name || (email ?? '') };
  const { name, country } = await findUser(ctx, userId);
  const [details] = await ctx.db.select().from(billingDetails).where(eq(billingDetails.userId, userId));
  if (!details) return { ...address, name, country };
  const { billingName, street, postalCode, city, taxNumber } = details;
  return { name: billingName || name, street, postalCode, city, country, taxNumber };
}

/** A first payment is often written before the cards of its customer. */
async function cardOf(ctx: Ctx, id: string | null) {
  const [known] = id ? await ctx.db.select().from(paymentCards).where(eq(paymentCards.providerId, id)) : [];
  const card = known ?? (id ? await ctx.ports.payments.fetch.card(id).catch(() => null) : null);
  return { cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null };
}
