import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { sales } from '~/db/schema/billing';
import { type EntryKind, type LedgerAccount, ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import type { payouts } from '~/db/schema/payouts';
import { settleAffiliate } from '../../queue/jobs/affiliates';
import type { TxCtx } from '../../runtime/ctx';
import {
  type Charge,
  type Parts,
  partsOf,
  payableFrom,
  returnedParts,
  type Settling,
  takenAt,
  UNKNOWN_DAY,
} from './rules';
import { settlingOf, waitingOf } from './waiting-shares';

/**
 * The books (docs/decisions/0232). Each function writes one entry once, in the transaction of the event that the entry
 * records: a repetition changes nothing. Amounts are minor units. @returns whether the entry is new
 */
type Written = Promise<boolean>;
type SaleRow = typeof sales.$inferSelect;
/** The facts about a payment that the ledger needs. */
export type LedgerSale = Charge &
  Settling &
  Pick<SaleRow, 'id' | 'paymentId' | 'purpose' | 'creatorId' | 'productId' | 'currency' | 'vatCountry'> &
  Partial<Pick<SaleRow, 'sellerAccount'>>;

/** Debits are positive, credits negative. */
type Line = {
  account: LedgerAccount;
  minor: number;
  /** Unless it is the entry's. */
  currency?: string;
  creatorId?: number;
  country?: string | null;
  availableAt?: Date;
};
type Entry = Pick<typeof ledgerEntries.$inferInsert, 'note' | 'actor' | 'payoutId'> & {
  kind: EntryKind;
  key: string;
  at: Date;
  currency: string;
  sale?: Pick<LedgerSale, 'id' | 'creatorId' | 'productId' | 'purpose'>;
  creatorId?: number;
};

/** Writes an entry with its lines. Lines without an amount are left out, and so is an entry without lines. */
export async function writeEntry(tx: TxCtx, { currency, sale, ...entry }: Entry, lines: Line[]): Written {
  const moved = lines.filter(({ minor }) => minor !== 0);
  if (moved.length === 0) return false;
  const about = sale && { saleId: sale.id, creatorId: sale.creatorId, productId: sale.productId };
  const [row] = await tx.db
    .insert(ledgerEntries)
    .values({ ...entry, ...about, createdAt: tx.now() })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id });
  if (!row) return false;
  const values = moved.map(({ minor, ...line }) => ({ entryId: row.id, currency, amountMinor: minor, ...line }));
  await tx.db.insert(ledgerLines).values(values);
  if (sale?.purpose === 'plan') await tx.jobs.enqueue(settleAffiliate, { saleId: sale.id });
  return true;
}

/** A successful payment. Of a payment to the creator's own account, only the application fee is ours. */
export function enterSale(tx: TxCtx, sale: LedgerSale): Written {
  const { paymentId, currency, paidAt: at } = sale;
  if (isElsewhere(sale)) {
    const entry = { kind: 'application_fee', key: `application-fee/${paymentId}`, at, currency, sale } as const;
    return writeEntry(tx, entry, [
      { account: 'provider_balance', minor: sale.commissionMinor },
      { account: 'commission', minor: -sale.commissionMinor },
    ]);
  }
  const entry = { kind: 'sale', key: `sale/${paymentId}`, at, currency, sale } as const;
  return writeEntry(tx, entry, [
    { account: 'provider_balance', minor: sale.amountMinor },
    ...sharesOf(sale, partsOf(sale), payableFrom(sale)).map((line) => ({ ...line, minor: -line.minor })),
  ]);
}

const isElsewhere = ({ sellerAccount }: LedgerSale) => sellerAccount != null;

/** The owners of the parts of a payment, as debits. Altavoz itself sells plans. */
function sharesOf(sale: LedgerSale, { vatMinor, commissionMinor, shareMinor }: Parts, from: Date): Line[] {
  const { creatorId, vatCountry: country } = sale;
  const rest: Line =
    sale.purpose === 'plan'
      ? { account: 'plan_revenue', minor: shareMinor }
      : { account: 'creator_payable', minor: shareMinor, creatorId, availableAt: from };
  return [
    { account: 'vat_payable', minor: vatMinor, country },
    { account: 'commission', minor: commissionMinor },
    rest,
  ];
}

/**
 * The provider's own fee, which Altavoz pays, and the day that it names with it: the rest of the creator's share moves
 * there. The sale must be locked. @param fee in the currency of our account there
 */
export async function enterFee(tx: TxCtx, sale: LedgerSale, fee: { minor: number; currency: string }): Written {
  const { paymentId, creatorId, currency } = sale;
  const entry = { kind: 'processor_fee', at: sale.paidAt, sale } as const;
  const share = { account: 'creator_payable', creatorId, currency } as const;
  const waiting = await waitingOf(tx, sale);
  const moved: Line[] = [
    { ...share, minor: -waiting, availableAt: UNKNOWN_DAY },
    { ...share, minor: waiting, availableAt: payableFrom(sale) },
  ];
  const isNew = await writeEntry(tx, { ...entry, key: `fee/${paymentId}`, currency: fee.currency }, [
    { account: 'provider_fees', minor: fee.minor },
    { account: 'provider_balance', minor: -fee.minor },
    ...moved,
  ]);
  return isNew || writeEntry(tx, { ...entry, key: `day/${paymentId}`, currency }, moved);
}

type Returned = { id: string; minor: number; at: Date };
/** `soFarMinor`: the total refunded amount of the payment, including this refund. */
type Refunded = Returned & { soFarMinor: number };

/** Records a refund of a part or all of a payment to the buyer. The sale must be locked. */
export function enterRefund(tx: TxCtx, sale: LedgerSale, { soFarMinor, ...refund }: Refunded): Written {
  const entry = { kind: 'refund', key: `refund/${refund.id}`, ...refund } as const;
  return isElsewhere(sale) ? enterFeeReturn(tx, sale, { ...entry, soFarMinor }) : enterReturn(tx, sale, entry);
}

/** Records a refund that did not reach the buyer and came back to us. */
export const enterRefundFailure = (tx: TxCtx, sale: LedgerSale, { id, at }: Omit<Returned, 'minor'>): Written =>
  enterReversal(tx, sale, { kind: 'refund_failed', key: `refund-failed/${id}`, of: `refund/${id}`, at });

/** Records a payment that the buyer's bank has taken back. The sale must be locked. */
export async function enterDispute(tx: TxCtx, sale: LedgerSale, dispute: Returned): Written {
  // the creator's own account pays for disputes of its payments, and our fee stays
  if (isElsewhere(sale)) return false;
  return enterReturn(tx, sale, { kind: 'dispute', key: `dispute/${dispute.id}`, ...dispute });
}

/**
 * Records a disputed payment that the bank has returned. The parts are the difference to those of all returns, because
 * the payment may have been refunded between the bank's decision and its return of the money.
 */
export async function enterDisputeWon(tx: TxCtx, sale: LedgerSale, { id, at }: Omit<Returned, 'minor'>): Written {
  const taken = (await linesOf(tx, `dispute/${id}`)).find(({ account }) => account === 'provider_balance');
  if (!taken) return false;
  return enterReturn(tx, sale, { kind: 'dispute_won', key: `dispute-won/${id}`, id, minor: taken.amountMinor, at });
}

/** Reverses the entry of a dispute that took nothing: it was only an inquiry. */
export const enterInquiryClosed = (tx: TxCtx, sale: LedgerSale, { id, at }: Omit<Returned, 'minor'>): Written =>
  enterReversal(tx, sale, { kind: 'dispute_won', key: `dispute-reversed/${id}`, of: `dispute/${id}`, at });

type DisputeFee = Returned & { currency: string; isReturned?: boolean };

/** Records the provider's fee for a dispute, which Altavoz pays, or its return (a negative amount). */
export function enterDisputeFee(
  tx: TxCtx,
  sale: LedgerSale,
  { id, minor, currency, at, isReturned }: DisputeFee,
): Written {
  const key = `${isReturned ? 'dispute-fee-returned' : 'dispute-fee'}/${id}`;
  return writeEntry(tx, { kind: 'dispute_fee', key, at, currency, sale }, [
    { account: 'provider_fees', minor },
    { account: 'provider_balance', minor: -minor },
  ]);
}

/** The sum of a sale's refunds and disputes until now, with their VAT and commission, from the books. */
async function returnedOf(tx: TxCtx, sale: LedgerSale) {
  const sums = await tx.db
    .select({ account: ledgerLines.account, minor: sql<number>`sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(
      and(
        eq(ledgerEntries.saleId, sale.id),
        inArray(ledgerEntries.kind, ['refund', 'refund_failed', 'dispute', 'dispute_won']),
      ),
    )
    .groupBy(ledgerLines.account);
  const of = (account: LedgerAccount) => sums.find((row) => row.account === account)?.minor ?? 0;
  return { minor: -of('provider_balance'), vatMinor: of('vat_payable'), commissionMinor: of('commission') };
}

type Return = Returned & { kind: EntryKind; key: string };

/** The parts are the difference to the parts of the total returned amount, so rounding errors do not add up. */
async function enterReturn(tx: TxCtx, sale: LedgerSale, { kind, key, minor, at }: Return): Written {
  const before = await returnedOf(tx, sale);
  const all = returnedParts(sale, before.minor + minor);
  const vatMinor = all.vatMinor - before.vatMinor;
  const commissionMinor = all.commissionMinor - before.commissionMinor;
  const parts = { vatMinor, commissionMinor, shareMinor: minor - vatMinor - commissionMinor };
  return writeEntry(tx, { kind, key, at, currency: sale.currency, sale }, [
    { account: 'provider_balance', minor: -minor },
    ...sharesOf(sale, parts, takenAt(await settlingOf(tx, sale), at)),
  ]);
}

/** Returns a part of our fee to a connected account; its payments are not in our books. */
async function enterFeeReturn(tx: TxCtx, sale: LedgerSale, { kind, key, at, soFarMinor }: Return & Refunded): Written {
  const before = await returnedOf(tx, sale);
  // a return of 0 has no entry, so a repetition computes it again
  const minor = Math.max(0, returnedParts(sale, soFarMinor).commissionMinor - before.commissionMinor);
  return writeEntry(tx, { kind, key, at, currency: sale.currency, sale }, [
    { account: 'provider_balance', minor: -minor },
    { account: 'commission', minor },
  ]);
}

type Reversal = { kind: EntryKind; key: string; of: string; at: Date };

/**
 * Writes the lines of an entry with the opposite sign; a creator's share is available at once, unless its sale is
 * pending. Does nothing if the entry does not exist.
 */
async function enterReversal(tx: TxCtx, sale: LedgerSale, { kind, key, of, at }: Reversal): Written {
  const lines = await linesOf(tx, of);
  const availableAt = takenAt(await settlingOf(tx, sale), at);
  return writeEntry(
    tx,
    { kind, key, at, currency: sale.currency, sale },
    lines.map(({ account, amountMinor, creatorId, country }) => ({
      account,
      minor: -amountMinor,
      country,
      ...(creatorId !== null && { creatorId, availableAt }),
    })),
  );
}

/** The lines of an entry; none if it does not exist. */
const linesOf = ({ db }: TxCtx, key: string) =>
  db
    .select(getTableColumns(ledgerLines))
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(eq(ledgerEntries.key, key));

type Adjustment = {
  key: string;
  creatorId: number;
  currency: 'eur' | 'usd';
  /** A positive amount goes to the creator. */
  minor: number;
  note: string;
  actor: string;
};

/** Records the operator's credit or debit of a creator, with the reason and the operator. */
export function enterAdjustment(tx: TxCtx, { key, creatorId, currency, minor, note, actor }: Adjustment): Written {
  const at = tx.now();
  return writeEntry(tx, { kind: 'adjustment', key: `adjustment/${key}`, at, currency, creatorId, note, actor }, [
    { account: 'adjustments', minor },
    { account: 'creator_payable', minor: -minor, creatorId, availableAt: at },
  ]);
}

type Payout = Pick<typeof payouts.$inferSelect, 'id' | 'creatorId' | 'currency' | 'amountMinor'>;

/** Records a creator's request for their available balance. */
export function enterPayout(tx: TxCtx, payout: Payout): Written {
  const entry = payoutEntry(tx, payout, { kind: 'payout', key: `payout/${payout.id}` });
  return writeEntry(tx, entry, [
    ofPayable(payout, entry.at, payout.amountMinor),
    { account: 'payouts_in_transit', minor: -payout.amountMinor },
  ]);
}

/** Records the operator's transfer of a payout. */
export function enterPayoutPaid(tx: TxCtx, payout: Payout): Written {
  return writeEntry(tx, payoutEntry(tx, payout, { kind: 'payout_paid', key: `payout-paid/${payout.id}` }), [
    { account: 'payouts_in_transit', minor: payout.amountMinor },
    { account: 'bank', minor: -payout.amountMinor },
  ]);
}

/** Returns a payout to the creator's balance: it was declined, or the bank returned it after the transfer. */
export function enterPayoutReversed(tx: TxCtx, payout: Payout, { wasPaid }: { wasPaid: boolean }): Written {
  const entry = payoutEntry(tx, payout, { kind: 'payout_reversed', key: `payout-reversed/${payout.id}` });
  return writeEntry(tx, entry, [
    { account: wasPaid ? 'bank' : 'payouts_in_transit', minor: payout.amountMinor },
    ofPayable(payout, entry.at, -payout.amountMinor),
  ]);
}

function payoutEntry(tx: TxCtx, { id: payoutId, creatorId, currency }: Payout, of: Pick<Entry, 'kind' | 'key'>): Entry {
  return { ...of, at: tx.now(), currency, creatorId, payoutId };
}

const ofPayable = ({ creatorId }: Payout, availableAt: Date, minor: number): Line => ({
  account: 'creator_payable',
  minor,
  creatorId,
  availableAt,
});
