import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards, paymentCustomers } from '~/db/schema/checkouts';
import { AppError } from '../../../base/errors';
import { BILLING_LIMITS } from '../../../limits/billing';
import { closeErasedCheckout, deleteCustomer, leaveAccount } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { lookupCreatorOfUser } from '../../creators/queries';
import { forgetSeller } from '../../payouts/seller-account';
import { lookupCheckout } from '../base/queries';
import { closeCheckout } from '../checkout/checkouts';

/**
 * Call it when an account is deleted: its purchases stay as financial records. Names, addresses and messages are
 * removed, also from donations with the same verified address; only a receipt with billing details keeps its buyer, as
 * the law requires (docs/decisions/0191). Its open payment pages close, and its customers at the provider are deleted
 * once nothing runs (docs/decisions/0200). Repeating it is harmless.
 */
export async function erasePayments(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const address = ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  const isOwnSale = or(eq(sales.userId, userId), and(isNull(sales.userId), inArray(sales.email, address)));
  // guests who still pay on an open page get a new account; otherwise the page is swept (sweep-payments.ts)
  const isGuests = and(isNull(checkouts.userId), inArray(checkouts.email, address), ne(checkouts.status, 'open'));
  const isOwn = or(eq(checkouts.userId, userId), isGuests);
  await transact(ctx, async (tx) => {
    await tx.db.update(sales).set({ email: null, buyer: WITHOUT_NAME, updatedAt: tx.now() }).where(isOwnSale);
    await queueErasures(tx, userId, isOwn);
    await leaveSeller(tx, userId);
    await tx.db
      .update(checkouts)
      .set({ email: NO_ADDRESS, browserHash: null, terms: NOTHING_WRITTEN, updatedAt: tx.now() })
      .where(isOwn);
    await tx.db.update(subscriptions).set({ leavingReason: null }).where(eq(subscriptions.userId, userId));
    await tx.db.delete(paymentCards).where(eq(paymentCards.userId, userId));
  });
}

/** Disconnects the creator's own account at the provider. */
async function leaveSeller(tx: TxCtx, userId: number): Promise<void> {
  const creator = await lookupCreatorOfUser(tx, userId);
  const row = creator && (await forgetSeller(tx, creator.id));
  if (row) await tx.jobs.enqueue(leaveAccount, { sellerAccountId: row.id });
}

const hasDetail = (name: 'street' | 'taxNumber') => sql`coalesce(${sales.buyer} ->> ${name}, '') <> ''`;
const WITHOUT_NAME = sql`case when ${hasDetail('street')} or ${hasDetail('taxNumber')} then ${sales.buyer} else ${sales.buyer} || '{"name": ""}' end`;
const NOTHING_WRITTEN = sql`${checkouts.terms} - 'donation' - 'gift' - 'buyerName'`;
/** Every checkout has an account or an address; an empty address belongs to no person. */
const NO_ADDRESS = sql`case when ${checkouts.userId} is null then '' end`;

/** The account also takes over the customers of its guest checkouts, so that `recoverErasures` finds them. */
async function queueErasures(tx: TxCtx, userId: number, isOwn: SQL | undefined): Promise<void> {
  const ofGuests = tx.db.select({ id: checkouts.customerId }).from(checkouts).where(isOwn);
  await tx.db
    .update(paymentCustomers)
    .set({ userId, updatedAt: tx.now() })
    .where(and(isNull(paymentCustomers.userId), inArray(paymentCustomers.providerId, ofGuests)));
  const customers = await tx.db
    .select({ customer: paymentCustomers.providerId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  const open = await tx.db
    .select({ checkoutId: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.status, 'open')));
  await tx.jobs.enqueueAll(closeErasedCheckout, open);
  await tx.jobs.enqueueAll(deleteCustomer, customers);
}

/**
 * Closes a payment page of a deleted account. If it is paid at that moment, its settlement refunds it
 * (settle-checkout.ts).
 */
export async function closeErased(ctx: Ctx, { checkoutId }: { checkoutId: string }): Promise<void> {
  const row = await lookupCheckout(ctx, checkoutId);
  if (row?.status === 'open') await closeCheckout(ctx, row);
}

/** Does nothing while a subscription runs or a payment page is open: `recoverErasures` retries. */
export async function eraseCustomer(ctx: Ctx, { customer }: { customer: string }): Promise<void> {
  const [row] = await ctx.db.select().from(paymentCustomers).where(isFree(ctx, customer));
  if (!row) return;
  await ctx.ports.payments.on(row.account).deleteCustomer(customer).catch(ignoreUnknown);
  await ctx.db.delete(paymentCustomers).where(eq(paymentCustomers.providerId, customer));
}

function ignoreUnknown(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.not_found')) throw error;
}

/** Deletes customers of deleted accounts that were still needed, or whose job ran out of attempts; the oldest first. */
export async function recoverErasures(ctx: Ctx): Promise<void> {
  await transact(ctx, async (tx) => {
    const waiting = tx.db
      .select({ id: paymentCustomers.providerId })
      .from(paymentCustomers)
      .innerJoin(users, eq(users.id, paymentCustomers.userId))
      .where(and(isNotNull(users.deletedAt), isFree(tx)))
      .orderBy(asc(paymentCustomers.updatedAt))
      .limit(BILLING_LIMITS.erasedAtOnce);
    const found = await tx.db
      .update(paymentCustomers)
      .set({ updatedAt: tx.now() })
      .where(inArray(paymentCustomers.providerId, waiting))
      .returning({ customer: paymentCustomers.providerId });
    await tx.jobs.enqueueAll(deleteCustomer, found);
  });
}

/** Whether the customer can no longer be charged. */
function isFree({ db }: Pick<Ctx, 'db'>, customer?: string): SQL | undefined {
  const { providerId, userId } = paymentCustomers;
  const running = and(eq(subscriptions.customerId, providerId), isNull(subscriptions.endedAt));
  const open = and(eq(checkouts.userId, userId), eq(checkouts.status, 'open'));
  return and(
    customer === undefined ? undefined : eq(providerId, customer),
    not(exists(db.select({ id: subscriptions.id }).from(subscriptions).where(running))),
    not(exists(db.select({ id: checkouts.id }).from(checkouts).where(open))),
  );
}
