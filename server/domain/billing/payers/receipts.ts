import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { type ReceiptParty, refunds, sales } from '~/db/schema/billing';
import { coupons } from '~/db/schema/coupons';
import { creators } from '~/db/schema/creators';
import { creditNotes } from '~/db/schema/credit-notes';
import type { Currency } from '../../../base/money';
import type { Page } from '../../../base/paging';
import { MANAGING_LIMITS } from '../../../limits/billing';
import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import { returnedParts } from '../../payouts/rules';
import { euVatNumber } from '../../vat/rules';
import { receiptNotFound } from '../base/errors';
import type { SaleRow } from '../base/queries';
import { creditNoteNumberOf, receiptNumberOf } from '../base/rules';
import { sellerDetailsOf } from '../base/sales';
import type { FindReceipt, ListReceipts } from '../base/schema';

export type ReceiptSummary = {
  id: number;
  number: string;
  name: string;
  creator: string;
  amountMinor: number;
  refundedMinor: number;
  currency: Currency;
  paidAt: Date;
  creditNotes: CreditNote[];
};

/** A corrective invoice. Negative amounts: of a refund that failed, or a payment that the bank has returned. */
export type CreditNote = Pick<NoteRow, 'id' | 'kind' | 'amountMinor' | 'vatMinor' | 'issuedAt'> & { number: string };

/** Amounts as charged. `priceMinor` is the amount before the discount and the credit. */
export type Receipt = ReceiptSummary & {
  purpose: SaleRow['purpose'];
  every: SaleRow['every'];
  periodStart: Date | null;
  periodEnd: Date | null;
  priceMinor: number;
  discountMinor: number;
  creditMinor: number;
  coupon: string | null;
  refunds: { amountMinor: number; at: Date }[];
  /** `leftMinor`: the VAT of the amount that was not refunded. */
  vat: { minor: number; leftMinor: number; basisPoints: number; country: string | null; basis: SaleRow['vatBasis'] };
  seller: { name: string; address: string | null; email: string; vatNumber: string | null };
  buyer: ReceiptParty;
  /** With the country's prefix; null if the buyer does not owe the VAT. */
  buyerVatNumber: string | null;
  card: { brand: string; last4: string } | null;
};

/** The current user's receipts, the newest first. */
export async function listMyReceipts(ctx: Ctx, { page }: ListReceipts): Promise<Page<ReceiptSummary>> {
  const isOwn = eq(sales.userId, requireUser(ctx).userId);
  const pageSize = MANAGING_LIMITS.receiptsPerPage;
  const [rows, total] = await Promise.all([
    ctx.db
      .select({ sale: sales, creator: creators.name })
      .from(sales)
      .innerJoin(creators, eq(creators.id, sales.creatorId))
      .where(isOwn)
      .orderBy(desc(sales.paidAt), desc(sales.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(sales, isOwn),
  ]);
  const notes = await notesOf(
    ctx,
    rows.map(({ sale }) => sale.id),
  );
  const items = rows.map(({ sale, creator }) => toSummary(sale, { creator, notes }));
  return { items, total, page, pageSize };
}

/** @throws billing.receipt_not_found, also for other users' receipts */
export async function findMyReceipt(ctx: Ctx, { id }: FindReceipt): Promise<Receipt> {
  const [row] = await ctx.db
    .select({ sale: sales, creator: creators.name, ownerId: creators.userId, coupon: coupons.code })
    .from(sales)
    .innerJoin(creators, eq(creators.id, sales.creatorId))
    .leftJoin(coupons, eq(coupons.id, sales.couponId))
    .where(and(eq(sales.id, id), eq(sales.userId, requireUser(ctx).userId)));
  if (!row) throw receiptNotFound();
  const { sale, creator, ownerId, coupon } = row;
  const { purpose, every, periodStart, periodEnd, amountMinor, buyer, cardBrand, cardLast4 } = sale;
  const { discountMinor, creditMinor } = sale;
  return {
    ...toSummary(sale, { creator, notes: await notesOf(ctx, [id]) }),
    ...{ purpose, every, periodStart, periodEnd, discountMinor, creditMinor, buyer },
    buyerVatNumber: vatNumberOf(sale),
    priceMinor: amountMinor + discountMinor + creditMinor,
    coupon: discountMinor > 0 ? coupon : null,
    refunds: await listRefunds(ctx, id),
    vat: vatOf(sale),
    seller: await sellerOf(ctx, sale, ownerId),
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
  };
}

function vatNumberOf({ vatBasis, buyer }: SaleRow): string | null {
  const number = vatBasis === 'reverse_charge' ? euVatNumber(buyer.country, buyer.taxNumber) : null;
  return number && number.country + number.number;
}

type NoteRow = typeof creditNotes.$inferSelect;

/** The credit notes of the given sales, in the order of their numbers. */
async function notesOf({ db }: Ctx, saleIds: number[]): Promise<Map<number, NoteRow[]>> {
  const rows = await db
    .select()
    .from(creditNotes)
    .where(inArray(creditNotes.saleId, saleIds))
    .orderBy(asc(creditNotes.number));
  const found = new Map<number, NoteRow[]>();
  for (const row of rows) found.set(row.saleId, [...(found.get(row.saleId) ?? []), row]);
  return found;
}

function vatOf(sale: SaleRow): Receipt['vat'] {
  const { vatMinor, vatBasisPoints, vatCountry, vatBasis, refundedMinor } = sale;
  const leftMinor = vatMinor - returnedParts(sale, refundedMinor).vatMinor;
  return { minor: vatMinor, leftMinor, basisPoints: vatBasisPoints, country: vatCountry, basis: vatBasis };
}

/**
 * The seller at the time of payment; old payments did not store it, so they have the operator's current details. A
 * creator who has sold before we knew an address has the present one, and keeps the VAT number of the sale.
 */
async function sellerOf(ctx: Ctx, sale: SaleRow, ownerId: number): Promise<Receipt['seller']> {
  const { seller: name, sellerDetails, sellerAccount } = sale;
  const { address, email, vatNumber } = ctx.settings.operator;
  if (sellerAccount === null) return { name, email, ...(sellerDetails ?? { address, vatNumber }) };
  if (sellerDetails?.address) return { name, email, ...sellerDetails };
  const present = await sellerDetailsOf(ctx, ownerId);
  return { name, email, ...present, vatNumber: sellerDetails?.vatNumber ?? present.vatNumber };
}

/** Excludes failed refunds, whose money came back. */
async function listRefunds(ctx: Ctx, saleId: number): Promise<Receipt['refunds']> {
  const counts = inArray(refunds.status, ['pending', 'needs_action', 'succeeded']);
  return ctx.db
    .select({ amountMinor: refunds.amountMinor, at: refunds.refundedAt })
    .from(refunds)
    .where(and(eq(refunds.saleId, saleId), counts))
    .orderBy(asc(refunds.refundedAt));
}

type Beside = { creator: string; notes: Map<number, NoteRow[]> };

function toSummary(sale: SaleRow, { creator, notes }: Beside): ReceiptSummary {
  const { id, receiptNumber, name, amountMinor, refundedMinor, currency, paidAt } = sale;
  const facts = { id, number: receiptNumberOf(receiptNumber), name, creator, amountMinor, refundedMinor, currency };
  return { ...facts, paidAt, creditNotes: (notes.get(id) ?? []).map(toCreditNote) };
}

const toCreditNote = ({ id, kind, number, amountMinor, vatMinor, issuedAt }: NoteRow) => ({
  ...{ id, kind, number: creditNoteNumberOf(number), amountMinor, vatMinor, issuedAt },
});
