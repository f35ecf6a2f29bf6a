import { and, eq, inArray, isNotNull, isNull, notExists } from 'drizzle-orm';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import type { Dispute } from '../../../adapters/payments/objects';
import { localeOfUser } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreatorRecord } from '../../creators/queries';
import { enterDispute, enterDisputeFee, enterDisputeWon, enterInquiryClosed } from '../../payouts/ledger';
import type { SaleRow } from '../base/queries';
import { type DisputeState, disputeState, isLaterDispute } from '../base/rules';
import { issueDisputeNotes } from '../refunds/credit-notes';
import { endPaidOnce } from '../refunds/refunds';
import { queueEnds } from '../subscriptions/end-subscriptions';
import { bringSale } from './bring-sale';

/**
 * Writes a dispute as the provider shows it now. Money is entered as the provider moves it, whatever the status: an
 * inquiry of the bank takes nothing, and its payment can still be refunded. While the bank decides, the money is gone and
 * access stays. If the buyer wins, the result is like a refund of the whole payment; the subscription ends as well,
 * because its next payment would be disputed, too.
 */
export async function syncDispute(ctx: Ctx, providerId: string): Promise<void> {
  const found = await ctx.ports.payments.fetch.dispute(providerId);
  await ctx.reach('dispute.fetched');
  const sale = found.payment === null ? null : await bringSale(ctx, found.payment);
  if (!sale) return ctx.log.info({ dispute: providerId }, 'dispute of a payment that is not a sale');
  await transact(ctx, async (tx) => {
    await tx.db.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for('update');
    await enterMovements(tx, sale, found);
    const before = await lookupStatus(tx, providerId);
    // the status is known, or was read before the stored one
    const isLater = isLaterDispute(found.status, before);
    if (isLater) await writeDispute(tx, sale, found);
    await issueDisputeNotes(tx, sale, found);
    if (!isLater) return;
    if (found.status === 'closed') await clearInquiry(tx, sale, found);
    const state = disputeState(found);
    if (before !== null && disputeState({ status: before }) === state) return;
    if (state === 'lost') await endPaid(tx, sale);
    if (state !== 'inquiry') await tellCreator(tx, sale, state);
  });
}

async function lookupStatus(tx: TxCtx, providerId: string): Promise<Dispute['status'] | null> {
  const [row] = await tx.db
    .select({ status: disputes.status })
    .from(disputes)
    .where(eq(disputes.providerId, providerId));
  return row?.status ?? null;
}

/** `won`, `lost` and `closed` are final. */
const isOver = ({ status }: Dispute): boolean => status === 'won' || status === 'lost' || status === 'closed';

async function writeDispute(tx: TxCtx, sale: SaleRow, found: Dispute): Promise<void> {
  const { id, amount, status, reason, answerBy, createdAt } = found;
  const state = disputeState(found);
  const changes = { status, answerBy, closedAt: isOver(found) ? tx.now() : null, updatedAt: tx.now() };
  const facts = { providerId: id, saleId: sale.id, amountMinor: amount.minor, reason, disputedAt: createdAt };
  await tx.db
    .insert(disputes)
    .values({ ...facts, ...changes, createdAt: tx.now() })
    .onConflictDoUpdate({ target: disputes.providerId, set: changes });
  if (state === 'inquiry') return;
  if (state === 'won') return allowRefunds(tx, sale);
  await tx.db.update(sales).set({ disputedAt: createdAt, updatedAt: tx.now() }).where(eq(sales.id, sale.id));
}

/** Each movement is entered once. The creator's own account pays for disputes of its payments. */
async function enterMovements(tx: TxCtx, sale: SaleRow, { id, taken, returned }: Dispute): Promise<void> {
  if (sale.sellerAccount) return;
  if (taken) {
    await enterDispute(tx, sale, { id, minor: taken.amount.minor, at: taken.at });
    await enterDisputeFee(tx, sale, { id, ...taken.fee, at: taken.at });
  }
  if (returned) {
    await enterDisputeWon(tx, sale, { id, at: returned.at });
    await enterDisputeFee(tx, sale, { id, ...returned.fee, at: returned.at, isReturned: true });
  }
}

/** Answered inquiries were once written as disputes that had taken the money. */
async function clearInquiry(tx: TxCtx, sale: SaleRow, { id }: Dispute): Promise<void> {
  await enterInquiryClosed(tx, sale, { id, at: tx.now() });
  await allowRefunds(tx, sale);
}

/** The provider refunds a payment again that no dispute has taken, or that the bank has returned. */
async function allowRefunds(tx: TxCtx, sale: SaleRow): Promise<void> {
  const takes = and(eq(disputes.saleId, sale.id), inArray(disputes.status, ['needs_answer', 'under_review', 'lost']));
  await tx.db
    .update(sales)
    .set({ disputedAt: null, updatedAt: tx.now() })
    .where(
      and(eq(sales.id, sale.id), isNotNull(sales.disputedAt), notExists(tx.db.select().from(disputes).where(takes))),
    );
}

/** Ends access that the payment has paid for, and all further charges. */
async function endPaid(tx: TxCtx, sale: SaleRow): Promise<void> {
  if (sale.subscriptionId === null) return endPaidOnce(tx, sale);
  const own = and(eq(subscriptions.id, sale.subscriptionId), isNull(subscriptions.endedAt));
  await queueEnds(tx, own, { reason: 'disputed', when: 'now' });
}

/** Payments for plans belong to Altavoz. */
async function tellCreator(tx: TxCtx, sale: SaleRow, state: Exclude<DisputeState, 'inquiry'>): Promise<void> {
  if (sale.purpose === 'plan') return;
  const creator = await findCreatorRecord(tx, sale.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const amount = formatMoney({ minor: sale.amountMinor, currency: sale.currency }, localeOfUser(owner));
  const topic = ({ open: 'dispute_opened', won: 'dispute_won', lost: 'dispute_lost' } as const)[state];
  await queueAccountEmail(tx, owner, { topic, url: tx.urls.app('/dashboard'), show: sale.name, amount });
}
