import { and, asc, eq, inArray, min, sql } from 'drizzle-orm';
import { affiliateShares, referrals } from '~/db/schema/affiliates';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { utcDay } from '../../base/time';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { writeEntry } from '../payouts/ledger';
import { isOpenAffiliate, lookupReferral, type ReferralRow } from './queries';
import { refusalOf } from './refusals';
import { isInTime, type Paid, returnAvailableAt, shareAvailableAt, shareLeft, shareOf } from './rules';

type PlanSale = Pick<typeof sales.$inferSelect, 'id' | 'paymentId' | 'creatorId' | 'currency' | 'paidAt'> & Paid;

/**
 * Brings the affiliate's share of a payment for a plan up to the entries of the payment in the ledger: books it once,
 * and takes its part back with each refund and dispute. The job is enqueued with every entry; repeating it is harmless.
 */
export async function settleShare(ctx: Ctx, { saleId }: { saleId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const sale = await lockSale(tx, saleId);
    const referral = sale && (await lookupReferral(tx, sale.creatorId));
    if (!sale || !referral) return;
    const isBooked = (await tx.db.$count(affiliateShares, eq(affiliateShares.saleId, sale.id))) > 0;
    if (isBooked || (await bookShare(tx, sale, referral))) await bookReturns(tx, sale, referral);
  });
}

/** One job at a time for each sale. */
async function lockSale({ db }: TxCtx, saleId: number): Promise<PlanSale | null> {
  const { id, paymentId, creatorId, currency, paidAt, amountMinor, vatMinor } = sales;
  const [row] = await db
    .select({ id, paymentId, creatorId, currency, paidAt, amountMinor, vatMinor })
    .from(sales)
    .where(and(eq(id, saleId), eq(sales.purpose, 'plan')))
    .for('update');
  return row ?? null;
}

/** @returns whether the payment brings a share */
async function bookShare(tx: TxCtx, sale: PlanSale, referral: ReferralRow): Promise<boolean> {
  const amountMinor = shareOf(sale);
  if (amountMinor === 0 || !isInTime(sale.paidAt, await firstPaymentOf(tx, sale))) return false;
  if (!(await isOpenAffiliate(tx, referral.creatorId)) || !(await stillBrings(tx, referral))) return false;
  const availableAt = shareAvailableAt(sale.paidAt);
  const { id: saleId, currency, paymentId } = sale;
  const at = dayOf(sale.paidAt);
  await tx.db.insert(affiliateShares).values({ saleId, referralId: referral.id, currency, amountMinor, availableAt });
  // without the sale: a statement would show the affiliate who has paid
  const { creatorId, code: note } = referral;
  const entry = { kind: 'affiliate_commission', key: `affiliate/${paymentId}`, at, currency, creatorId, note } as const;
  await writeEntry(tx, entry, [
    { account: 'affiliate_costs', minor: amountMinor },
    { account: 'creator_payable', minor: -amountMinor, creatorId, availableAt },
  ]);
  return true;
}

/** A statement names the day only (UTC): the second of a payment may tell the affiliate whose it was. */
const dayOf = (at: Date) => new Date(utcDay(at));

async function firstPaymentOf({ db }: TxCtx, { creatorId, paidAt }: PlanSale): Promise<Date> {
  const ofPlans = and(eq(sales.creatorId, creatorId), eq(sales.purpose, 'plan'));
  const [row] = await db
    .select({ at: min(sales.paidAt) })
    .from(sales)
    .where(ofPlans);
  return row?.at ?? paidAt;
}

/** Refused for good once affiliate and creator turn out to be one person, or to work together. */
async function stillBrings(tx: TxCtx, { id, userId, creatorId, refusedFor }: ReferralRow): Promise<boolean> {
  if (refusedFor !== null) return false;
  const refusal = await refusalOf(tx, { creatorId, userId });
  if (refusal) await tx.db.update(referrals).set({ refusedFor: refusal }).where(eq(referrals.id, id));
  return refusal === null;
}

/**
 * Each return of the payment has an entry of its own, with the difference that it makes to the share that is left; a
 * won dispute gives it back. Reading them all again in their order, the amounts are always the same.
 */
async function bookReturns(tx: TxCtx, sale: PlanSale, { creatorId, code: note }: ReferralRow): Promise<void> {
  const returned = { amountMinor: 0, vatMinor: 0 };
  let left = shareOf(sale);
  for (const entry of await listReturns(tx, sale)) {
    returned.amountMinor += entry.amountMinor;
    returned.vatMinor += entry.vatMinor;
    const next = shareLeft(sale, returned);
    const taken = left - next;
    left = next;
    const { at, key } = entry;
    const about = { at: dayOf(at), currency: sale.currency, creatorId, note };
    await writeEntry(tx, { kind: 'affiliate_return', key: `affiliate-return/${key}`, ...about }, [
      { account: 'affiliate_costs', minor: -taken },
      // from where the share is
      { account: 'creator_payable', minor: taken, creatorId, availableAt: returnAvailableAt(sale.paidAt, at) },
    ]);
  }
  const isIts = eq(affiliateShares.saleId, sale.id);
  await tx.db
    .update(affiliateShares)
    .set({ returnedMinor: shareOf(sale) - left })
    .where(isIts);
}

const RETURNS = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const;

/** The returns of a payment, as the ledger has them: negative if the money came back to us. */
function listReturns({ db }: TxCtx, { id }: PlanSale) {
  const sumOf = (account: string) =>
    sql<number>`coalesce(sum(${ledgerLines.amountMinor}) filter (where ${ledgerLines.account} = ${account}), 0)`.mapWith(
      Number,
    );
  return db
    .select({
      key: ledgerEntries.key,
      at: ledgerEntries.at,
      amountMinor: sql<number>`-${sumOf('provider_balance')}`.mapWith(Number),
      vatMinor: sumOf('vat_payable'),
    })
    .from(ledgerEntries)
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .where(and(eq(ledgerEntries.saleId, id), inArray(ledgerEntries.kind, RETURNS)))
    .groupBy(ledgerEntries.id)
    .orderBy(asc(ledgerEntries.id));
}
