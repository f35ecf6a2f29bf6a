import { and, eq, isNull, or } from 'drizzle-orm';
import { billingDetails } from '~/db/schema/accounts';
import {
  type LocationEvidence,
  type ReceiptParty,
  receiptCounters,
  type SellerDetails,
  sales,
} from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { Invoice, Payment } from '../../../adapters/payments/objects';
import { countryName } from '../../../base/formats';
import { inOurs } from '../../../base/money';
import { PLANS } from '../../../limits/plans';
import { recordDonation } from '../../../queue/jobs/donations';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { findUser } from '../../accounts/base/queries';
import { billingDetailsOf } from '../../accounts/settings/billing-details';
import { findCreatorRecord } from '../../creators/queries';
import { enterFee, enterSale } from '../../payouts/ledger';
import { hasWaited } from '../../payouts/waiting-shares';
import { planAt } from '../../plans/plan-periods';
import { commissionOn } from '../../plans/rules';
import { vatCountryOf } from '../../vat/places';
import { vatOfSale } from '../../vat/vat-of-sale';
import type { CheckoutRow } from './queries';
import type { SubscriptionRow } from './rules';

export type Sold = {
  payment: Payment;
  /** Set for a payment of a subscription. */
  invoice: Invoice | null;
  checkout: CheckoutRow;
  subscription: SubscriptionRow | null;
};

/** Records a payment that succeeded, once, with the plan and commission at its time. */
export async function recordSale(ctx: Ctx, sold: Sold): Promise<void> {
  const { payment, checkout } = sold;
  if (payment.status !== 'succeeded' || payment.amount.minor === 0 || checkout.creatorId === null) return;
  const facts = await saleFacts(ctx, sold, checkout.creatorId);
  await transact(ctx, async (tx) => {
    // locked before the check for an existing sale: otherwise a repetition would leave a gap in the numbers; each
    // seller numbers its own receipts
    const legalEntity = facts.sellerAccount ?? tx.settings.operator.name;
    const last = await lockReceipts(tx, legalEntity);
    const isKnown = (await tx.db.$count(sales, eq(sales.paymentId, payment.id))) > 0;
    if (isKnown) return updateFee(tx, payment);
    const [sale] = await tx.db
      .insert(sales)
      .values({ ...facts, legalEntity, receiptNumber: last + 1 })
      .returning();
    await enterSale(tx, sale!);
    if (payment.fee && !sale!.sellerAccount) await enterFee(tx, sale!, payment.fee);
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

/** Whether the fee is unknown, or the day on which a part of the sale becomes payable. */
export const IS_UNKNOWN = or(isNull(sales.providerFeeMinor), and(isNull(sales.availableAt), hasWaited));

/** The provider reports its own fee, and when the money is available, only once the payment is captured. */
export async function updateFee(tx: TxCtx, captured: Pick<Payment, 'id' | 'fee' | 'availableAt'>): Promise<void> {
  const { id, fee } = captured;
  if (!fee) return;
  const unknown = and(eq(sales.paymentId, id), IS_UNKNOWN);
  const [sale] = await tx.db
    .update(sales)
    .set({ ...captureFacts(captured), updatedAt: tx.now() })
    .where(unknown)
    .returning();
  if (sale && !sale.sellerAccount) await enterFee(tx, sale, fee);
}

const captureFacts = ({ fee, availableAt }: Pick<Payment, 'fee' | 'availableAt'>) => ({
  ...{ providerFeeMinor: fee?.minor ?? null, providerFeeCurrency: fee?.currency ?? null, availableAt },
});

async function saleFacts(ctx: Ctx, { payment, invoice, checkout, subscription }: Sold, creatorId: number) {
  const { purpose, terms, userId } = checkout;
  const isOurs = purpose === 'plan';
  const { minor, currency } = inOurs(payment.amount);
  const { account } = ctx.ports.payments;
  const paidAt = invoice?.paidAt ?? payment.createdAt;
  const plan = await planAt(ctx, creatorId, paidAt);
  const buyer = await buyerOf(ctx, checkout);
  const vat = await vatOfSale(ctx, {
    amountMinor: minor,
    isDonation: purpose === 'donation',
    connectedAccount: account,
    taxNumber: buyer.taxNumber,
    evidence: evidenceOf(payment, checkout, buyer),
    countsDeclared: isOurs && hasAddress(buyer),
    at: paidAt,
  });
  // on the creator's account: the fee that the provider has collected for us
  const commissionOf = () => {
    if (account !== null) return payment.platformFee?.minor ?? 0;
    return isOurs ? 0 : commissionOn(plan, minor, vat.vatMinor);
  };
  return {
    paymentId: payment.id,
    chargeId: payment.charge,
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
    creditMinor: creditOf(invoice, minor),
    plan: plan.code,
    // Altavoz itself sells plans
    commissionBasisPoints: isOurs ? 0 : plan.commission.basisPoints,
    commissionFixedMinor: isOurs ? 0 : plan.commission.fixedMinor,
    commissionMinor: commissionOf(),
    ...vat,
    ...captureFacts(payment),
    ...periodOf(invoice),
    paidAt,
    buyer,
    ...(await sellerFacts(ctx, { account, creatorId })),
    sellerAccount: account,
    ...(await cardOf(ctx, payment.card)),
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
}

/** The seller's current details. */
async function sellerFacts(ctx: Ctx, { account, creatorId }: { account: string | null; creatorId: number }) {
  const { name, address, vatNumber } = ctx.settings.operator;
  if (account === null) return { seller: name, sellerDetails: { address, vatNumber } };
  const creator = await findCreatorRecord(ctx, creatorId);
  return { seller: creator.name, sellerDetails: await sellerDetailsOf(ctx, creator.userId) };
}

/** What we know of a creator who sells with an account of their own. */
export async function sellerDetailsOf(ctx: Ctx, userId: number): Promise<SellerDetails> {
  const { country, language } = await findUser(ctx, userId);
  const { billingName, street, postalCode, city, taxNumber } = await billingDetailsOf(ctx, userId);
  const place = [postalCode, city].filter(Boolean).join(' ');
  const land = country && countryName(country, language ?? DEFAULT_LANGUAGE);
  const lines = [billingName, street, place].filter(Boolean);
  return { address: lines.length > 0 ? [...lines, ...(land ? [land] : [])].join('\n') : null, vatNumber: taxNumber };
}

/** Evidence of the buyer's country. A renewal has the evidence of its first payment. */
function evidenceOf(payment: Payment, { ipCountry }: CheckoutRow, buyer: ReceiptParty): LocationEvidence[] {
  const piece = (kind: LocationEvidence['kind'], country: string | null, postalCode: string | null = null) =>
    country ? [{ kind, country: vatCountryOf(country), ...(postalCode && { postalCode }) }] : [];
  return [
    ...piece('billing_country', payment.country, payment.postalCode),
    ...piece('card_country', payment.cardCountry),
    ...piece('ip_country', ipCountry),
    ...piece('declared_country', buyer.country, buyer.postalCode),
  ];
}

/** Whether the buyer has given details for invoices, which only creators are asked for. */
const hasAddress = ({ street, postalCode, city, taxNumber }: ReceiptParty) =>
  [street, postalCode, city, taxNumber].some((line) => line !== null);

/** The part of an invoice that neither the card nor a coupon has paid. */
function creditOf(invoice: Invoice | null, paidMinor: number): number {
  if (!invoice) return 0;
  const priceMinor = invoice.lines.reduce((sum, { amount }) => sum + Math.max(0, amount.minor), 0);
  return Math.max(0, priceMinor - invoice.discount.minor - paidMinor);
}

/** The paid period, without the credit for the unused part of a former period. */
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

/** A first payment is often written before its customer's cards. */
async function cardOf(ctx: Ctx, id: string | null) {
  const [known] = id ? await ctx.db.select().from(paymentCards).where(eq(paymentCards.providerId, id)) : [];
  const card = known ?? (id ? await ctx.ports.payments.fetch.card(id).catch(() => null) : null);
  return { cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null };
}
