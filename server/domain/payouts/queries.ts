import { and, asc, desc, eq, gt, isNull, lte, ne, sql } from 'drizzle-orm';
import { ledgerLines } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { Page } from '../../base/paging';
import { utcMonth } from '../../base/time';
import { PAYOUT_LIMITS } from '../../limits/payouts';
import type { Ctx } from '../../runtime/ctx';
import { payoutNotFound } from './errors';
import { sellsThere } from './seller-status';

/** Our debt to a creator in a currency, in minor units. A negative amount is carried forward. */
export type Balance = {
  currency: 'eur' | 'usd';
  availableMinor: number;
  pendingMinor: number;
  /** Amounts that become available, by day (UTC), the next days first. */
  pending: { minor: number; availableAt: Date }[];
};

const ofCreator = (creatorId: number) =>
  and(eq(ledgerLines.account, 'creator_payable'), eq(ledgerLines.creatorId, creatorId));
/** Debts are credits. */
const owed = sql<number>`coalesce(-sum(${ledgerLines.amountMinor}), 0)`.mapWith(Number);

/** The balances of a creator, by currency. Empty before the first payment. */
export async function balancesOf(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Balance[]> {
  const now = ctx.now();
  const isAvailable = lte(ledgerLines.availableAt, now);
  const sums = await ctx.db
    .select({
      currency: ledgerLines.currency,
      availableMinor: sql<number>`coalesce(-sum(${ledgerLines.amountMinor}) filter (where ${isAvailable}), 0)`.mapWith(
        Number,
      ),
      totalMinor: owed,
    })
    .from(ledgerLines)
    .where(ofCreator(creatorId))
    .groupBy(ledgerLines.currency)
    .orderBy(asc(ledgerLines.currency));
  const pending = await pendingOf(ctx, creatorId);
  return sums.map(({ currency, availableMinor, totalMinor }) => ({
    currency: currency as Balance['currency'],
    availableMinor,
    pendingMinor: totalMinor - availableMinor,
    pending: pending
      .filter((day) => day.currency === currency)
      .map(({ minor, availableAt }) => ({ minor, availableAt })),
  }));
}

function pendingOf({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number) {
  const day = sql`date_trunc('day', ${ledgerLines.availableAt}, 'UTC')`;
  return db
    .select({
      currency: ledgerLines.currency,
      minor: owed,
      availableAt: sql<Date>`max(${ledgerLines.availableAt})`.mapWith(ledgerLines.availableAt),
    })
    .from(ledgerLines)
    .where(and(ofCreator(creatorId), gt(ledgerLines.availableAt, now())))
    .groupBy(ledgerLines.currency, day)
    .orderBy(asc(day))
    .limit(PAYOUT_LIMITS.pendingShown);
}

export type SellerAccountRow = typeof sellerAccounts.$inferSelect;

/**
 * The creator's own account at the payment provider; after a disconnection the last one, null if there never was one.
 */
export async function lookupSellerAccount(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<SellerAccountRow | null> {
  const [row] = await ctx.db
    .select()
    .from(sellerAccounts)
    .where(eq(sellerAccounts.creatorId, creatorId))
    .orderBy(desc(sellerAccounts.id))
    .limit(1);
  return row ?? null;
}

/** The account at the provider where the creator's new sales go; null for our account. */
export async function lookupSellingAccount(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<string | null> {
  const row = await lookupSellerAccount(ctx, creatorId);
  return row && sellsThere(row.status) ? row.accountId : null;
}

export type PayoutRow = typeof payouts.$inferSelect;

/** The payouts of a creator that count for this month (UTC), at most one for each currency. */
export function payoutsOfMonth({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<PayoutRow[]> {
  const isCounted = and(eq(payouts.month, utcMonth(now())), ne(payouts.status, 'reversed'));
  return db
    .select()
    .from(payouts)
    .where(and(eq(payouts.creatorId, creatorId), isCounted));
}

type OfCreator = { creatorId: number; page: number };

/** The payouts of a creator, the newest first. */
export async function listPayoutRows(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, page }: OfCreator,
): Promise<Page<PayoutRow>> {
  const isOwn = eq(payouts.creatorId, creatorId);
  const pageSize = PAYOUT_LIMITS.listed;
  const [items, total] = await Promise.all([
    db
      .select()
      .from(payouts)
      .where(isOwn)
      .orderBy(desc(payouts.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(payouts, isOwn),
  ]);
  return { items, total, page, pageSize };
}

/** Without a creator, finds payouts of all creators. @throws payout.not_found */
export async function findPayout({ db }: Pick<Ctx, 'db'>, publicId: string, creatorId?: number): Promise<PayoutRow> {
  const isIts = creatorId === undefined ? undefined : eq(payouts.creatorId, creatorId);
  const [row] = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.publicId, publicId), isIts));
  if (!row) throw payoutNotFound();
  return row;
}

/** Not yet disconnected at the provider: its events still concern us, even while its subscriptions are being ended. */
const isHeld = isNull(sellerAccounts.releasedAt);

/** The connection of an account at the provider; null if no creator has connected it, or no longer. */
export async function lookupHeldAccount(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<SellerAccountRow | null> {
  const [row] = await ctx.db
    .select()
    .from(sellerAccounts)
    .where(and(eq(sellerAccounts.accountId, accountId), isHeld))
    .orderBy(desc(sellerAccounts.id))
    .limit(1);
  return row ?? null;
}

/** The accounts of all creators at the provider, in batches. */
export async function listHeldAccounts(ctx: Pick<Ctx, 'db'>, after: number): Promise<SellerAccountRow[]> {
  return ctx.db
    .select()
    .from(sellerAccounts)
    .where(and(gt(sellerAccounts.id, after), isHeld))
    .orderBy(asc(sellerAccounts.id))
    .limit(PAYOUT_LIMITS.accountsAtOnce);
}
