import { and, desc, inArray, isNotNull } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { providerEntries, reconciliations } from '~/db/schema/reconciliation';
import type { BookEntry } from '../../../adapters/payments/book-port';
import { earlier } from '../../../base/time';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { enterConversion, enterProviderFee, enterProviderPayout } from '../../payouts/provider-movements';
import { IS_UNKNOWN, updateFee } from '../base/sales';

type EntryRow = typeof providerEntries.$inferInsert;

/**
 * Copies the provider's books since some days before the last comparison, because entries appear late. The ledger gets
 * payouts to the operator's bank, and the provider's fees without a payment, because no event reports them.
 * @returns the number of new entries
 */
export async function copyBooks(ctx: Ctx): Promise<number> {
  const { page: limit } = RECONCILIATION_LIMITS;
  const since = await lastRead(ctx);
  let copied = 0;
  let page: BookEntry[] = await ctx.ports.payments.listBookEntries({ limit, since });
  while (page.length > 0) {
    const entries = page;
    copied += await transact(ctx, (tx) => keepEntries(tx, entries));
    await enterUnknownFees(ctx, entries);
    if (page.length < limit) break;
    page = await ctx.ports.payments.listBookEntries({ limit, since, after: page.at(-1)!.id });
  }
  return copied;
}

async function lastRead({ db }: Ctx): Promise<Date | undefined> {
  const [last] = await db
    .select({ startedAt: reconciliations.startedAt })
    .from(reconciliations)
    .where(isNotNull(reconciliations.finishedAt))
    .orderBy(desc(reconciliations.finishedAt))
    .limit(1);
  return last && earlier(last.startedAt, RECONCILIATION_LIMITS.overlap);
}

async function keepEntries(tx: TxCtx, entries: BookEntry[]): Promise<number> {
  const rows = entries.flatMap((entry) => toRows(entry, tx.now()));
  if (rows.length === 0) return 0;
  const fresh = await tx.db.insert(providerEntries).values(rows).onConflictDoNothing().returning();
  for (const { kind, key, source, id, amountMinor, currency, at } of fresh) {
    const moved = { currency, at, minor: 0 - amountMinor };
    if (kind === 'payout' || kind === 'payout_reversal')
      await enterProviderPayout(tx, { id: `${source}/${id}`, ...moved });
    else if (kind === 'provider_fee') await enterProviderFee(tx, { id, ...moved });
    if (key?.startsWith(CONVERSION)) await enterConversion(tx, { key, currency, at, minor: amountMinor });
  }
  return fresh.length;
}

/**
 * Fees that were unknown when their sales were recorded, and whose events were lost. Each in a transaction of its own:
 * together, they would lock the sums of creators in another order than events that arrive meanwhile.
 */
async function enterUnknownFees(ctx: Ctx, entries: BookEntry[]): Promise<void> {
  const charges = new Map(
    entries.flatMap((entry) => (entry.kind === 'charge' && entry.payment ? [[entry.payment, entry] as const] : [])),
  );
  if (charges.size === 0) return;
  const isUnknown = and(inArray(sales.paymentId, [...charges.keys()]), IS_UNKNOWN);
  const found = await ctx.db.select({ id: sales.paymentId }).from(sales).where(isUnknown).orderBy(sales.id);
  for (const { id } of found) await transact(ctx, (tx) => updateFee(tx, { ...charges.get(id)!, id }));
}

const CONVERSION = 'conversion/';

/** One row for the amount and one for the fee, as in the ledger. */
function toRows(entry: BookEntry, now: Date): EntryRow[] {
  const { id, kind, payment, source, feeId, charge, at } = entry;
  const facts = { kind, payment, source, feeId, charge, at, createdAt: now };
  // as a separate row, a fee is a negative amount
  const parts = [
    { id, key: keyOf(entry), ...(entry.original ?? entry.amount) },
    { id: `${id}/fee`, key: feeKeyOf(entry), minor: 0 - entry.fee.minor, currency: entry.fee.currency },
    ...conversionsOf(entry),
  ];
  return parts
    .filter(({ minor }) => minor !== 0)
    .map(({ minor, ...part }) => ({ ...facts, ...part, amountMinor: minor }));
}

/** The provider took the original amount from the balance, and added it in the currency of our bank account. */
function conversionsOf({ id, original, amount }: BookEntry) {
  if (original === null) return [];
  const out = { minor: 0 - original.minor, currency: original.currency };
  return [out, amount].map((money) => {
    const name = `${CONVERSION}${id}/${money.currency}`;
    return { id: name, key: name, ...money };
  });
}

/** The key of the ledger's entry (payouts/ledger.ts). */
function keyOf({ id, kind, payment, source, transfer }: BookEntry): string | null {
  switch (kind) {
    case 'charge':
      return `sale/${payment}`;
    case 'refund':
      return `refund/${source}`;
    case 'refund_failure':
      return `refund-failed/${source}`;
    case 'dispute':
      return `dispute/${source}`;
    case 'dispute_reversal':
      return `dispute-won/${source}`;
    // the ledger has none: we share no payments (docs/decisions/0242); together, a transfer and its reversals may be 0
    case 'transfer':
    case 'transfer_reversal':
      return `transfer/${transfer}`;
    case 'payout':
    case 'payout_reversal':
      return `provider-payout/${source}/${id}`;
    case 'provider_fee':
      return `provider-fee/${id}`;
    case 'application_fee':
    case 'application_fee_refund':
      return null;
    default:
      return `unknown/${id}`;
  }
}

function feeKeyOf({ id, kind, payment, source }: BookEntry): string {
  switch (kind) {
    case 'charge':
      return `fee/${payment}`;
    case 'dispute':
      return `dispute-fee/${source}`;
    case 'dispute_reversal':
      return `dispute-fee-returned/${source}`;
    default:
      return `unknown/${id}/fee`;
  }
}
