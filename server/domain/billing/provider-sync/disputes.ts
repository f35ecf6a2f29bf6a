import { and, eq, isNull } from 'drizzle-orm';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import type { Dispute } from '../../../adapters/payments/objects';
import { formatMoney } from '../../../base/money';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreator } from '../../creators/queries';
import { enterDispute, enterDisputeFee, enterDisputeWon } from '../../payouts/ledger';
import { lookupSale, type SaleRow } from '../base/queries';
import { type DisputeState, disputeState } from '../base/rules';
import { endPaidOnce } from '../refunds/refunds';
import { queueEnds } from '../subscriptions/end-subscriptions';
import { syncInvoice } from '../subscriptions/subscriptions';
import { syncPayment } from './sync-checkout';

/**
 * Writes a dispute as the provider shows it now. While the bank decides, the money is gone and access stays. If the
 * buyer wins, the result is like a refund of the whole payment; the subscription ends as well, because its next payment
 * would be disputed, too.
 */
export async function syncDispute(ctx: Ctx, providerId: string): Promise<void> {
  const found = await ctx.ports.payments.fetch.dispute(providerId);
  await ctx.reach('dispute.fetched');
  const sale = found.payment === null ? null : await findSale(ctx, found.payment);
  if (!sale) return ctx.log.info({ dispute: providerId }, 'dispute of a payment that is not a sale');
  await transact(ctx, async (tx) => {
    await tx.db.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for('update');
    const before = await lookupState(tx, providerId);
    const state = disputeState(found);
    // the state is known, or was read before the stored one
    if (before !== null && RANKS[state] <= RANKS[before]) return;
    await writeDispute(tx, sale, found);
    await enterState(tx, sale, found);
    if (state === 'lost') await endPaid(tx, sale);
    if (state !== 'inquiry') await tellCreator(tx, sale, state);
  });
}

/** A decision is final. */
const RANKS: Record<DisputeState, number> = { inquiry: 0, open: 1, won: 2, lost: 2 };

/** The event of a disputed first payment may arrive after the dispute. */
async function findSale(ctx: Ctx, payment: string): Promise<SaleRow | null> {
  const known = await lookupSale(ctx, payment);
  if (known) return known;
  const { invoice } = await ctx.ports.payments.fetch.payment(payment);
  await (invoice === null ? syncPayment(ctx, payment) : syncInvoice(ctx, invoice));
  return lookupSale(ctx, payment);
}

async function lookupState(tx: TxCtx, providerId: string): Promise<DisputeState | null> {
  const [row] = await tx.db
    .select({ status: disputes.status })
    .from(disputes)
    .where(eq(disputes.providerId, providerId));
  return row ? disputeState(row) : null;
}

async function writeDispute(tx: TxCtx, sale: SaleRow, found: Dispute): Promise<void> {
  const { id, amount, status, reason, answerBy, createdAt } = found;
  const state = disputeState(found);
  const isOpen = state === 'open' || status === 'warning';
  const changes = { status, answerBy, closedAt: isOpen ? null : tx.now(), updatedAt: tx.now() };
  const facts = { providerId: id, saleId: sale.id, amountMinor: amount.minor, reason, disputedAt: createdAt };
  await tx.db
    .insert(disputes)
    .values({ ...facts, ...changes, createdAt: tx.now() })
    .onConflictDoUpdate({ target: disputes.providerId, set: changes });
  // the provider no longer refunds a disputed payment, even if the dispute is won
  if (state === 'inquiry') return;
  await tx.db.update(sales).set({ disputedAt: createdAt, updatedAt: tx.now() }).where(eq(sales.id, sale.id));
}

/** A dispute that is already won in its first event had taken the money before. */
async function enterState(tx: TxCtx, sale: SaleRow, found: Dispute): Promise<void> {
  const { id, amount, fee, createdAt } = found;
  const state = disputeState(found);
  if (state === 'inquiry' || sale.sellerAccount) return;
  await enterDispute(tx, sale, { id, minor: amount.minor, at: createdAt });
  await enterDisputeFee(tx, sale, { id, ...fee, at: createdAt });
  if (state === 'won') await enterDisputeWon(tx, sale, { id, at: tx.now() });
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
  const creator = await findCreator(tx, sale.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const amount = formatMoney({ minor: sale.amountMinor, currency: sale.currency }, owner.language ?? tx.language);
  const topic = ({ open: 'dispute_opened', won: 'dispute_won', lost: 'dispute_lost' } as const)[state];
  await queueAccountEmail(tx, owner, { topic, url: tx.urls.app('/dashboard'), show: sale.name, amount });
}
