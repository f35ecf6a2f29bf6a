import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { ledgerLines, payableSums } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import { CURRENCIES } from '../../base/money';
import type { Page } from '../../base/paging';
import { DAYS, later, utcDay, utcMonth } from '../../base/time';
import { PAYOUT_LIMITS } from '../../limits/payouts';
import type { Ctx } from '../../runtime/ctx';
import { payoutNotFound } from './errors';
import { UNKNOWN_DAY } from './rules';
import { sellsThere } from './seller-status';

/** Our debt to a creator in a currency, in minor units. A negative amount is carried forward. */
export type Balance = {
  currency: 'eur' | 'usd';
  availableMinor: number;
  pendingMinor: number;
  /** Amounts that become available, by day (UTC), the next days first; null for a day that is not known yet. */
  pending: { minor: number; availableAt: Date | null }[];
};

const owed = sql<number>`sum(${payableSums.owedMinor})`.mapWith(Number);

/**
 * The balances of a creator, by currency. Empty before the first payment. The days before and after today (UTC) are
 * sums; only today's lines are read one by one.
 */
export async function balancesOf(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Balance[]> {
  const today = utcDay(ctx.now());
  const before = sql<number>`coalesce(sum(${payableSums.owedMinor}) filter (where ${payableSums.availableOn} < ${today}), 0)`;
  const [sums, todays, coming] = await Promise.all([
    ctx.db
      .select({ currency: payableSums.currency, beforeMinor: before.mapWith(Number), totalMinor: owed })
      .from(payableSums)
      .where(eq(payableSums.creatorId, creatorId))
      .groupBy(payableSums.currency)
      .orderBy(asc(payableSums.currency)),
    todayOf(ctx, creatorId),
    comingDays(ctx, creatorId),
  ]);
  return sums.map(({ currency, beforeMinor, totalMinor }) => {
    const isOwn = (row: { currency: string }) => row.currency === currency;
    const { availableMinor = 0, laterMinor = 0, availableAt = null } = todays.find(isOwn) ?? {};
    const rest = availableAt ? [{ minor: laterMinor, availableAt }] : [];
    const days = coming.filter(isOwn).map(({ minor, availableAt }) => ({ minor, availableAt: knownDay(availableAt) }));
    const available = beforeMinor + availableMinor;
    return {
      currency: currency as Balance['currency'],
      availableMinor: available,
      pendingMinor: totalMinor - available,
      pending: [...rest, ...days].slice(0, PAYOUT_LIMITS.pendingShown),
    };
  });
}

const knownDay = (day: Date): Date | null => (day.getTime() === UNKNOWN_DAY.getTime() ? null : day);

/** What becomes available today (UTC), until now and later; `availableAt`: null if nothing comes later. */
function todayOf({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number) {
  const { account, amountMinor, availableAt, currency } = ledgerLines;
  const isLater = gt(availableAt, now());
  const today = new Date(`${utcDay(now())}T00:00:00Z`);
  return db
    .select({
      currency,
      availableMinor: sql<number>`coalesce(-sum(${amountMinor}) filter (where not ${isLater}), 0)`.mapWith(Number),
      laterMinor: sql<number>`coalesce(-sum(${amountMinor}) filter (where ${isLater}), 0)`.mapWith(Number),
      availableAt: sql<Date | null>`max(${availableAt}) filter (where ${isLater})`.mapWith(availableAt),
    })
    .from(ledgerLines)
    .where(
      and(
        eq(account, 'creator_payable'),
        eq(ledgerLines.creatorId, creatorId),
        // without it, Postgres would read all days from the index
        inArray(currency, CURRENCIES),
        gte(availableAt, today),
        lt(availableAt, later(today, DAYS(1))),
      ),
    )
    .groupBy(currency)
    .orderBy(asc(currency));
}

function comingDays({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number) {
  return db
    .select({
      currency: payableSums.currency,
      minor: owed,
      availableAt: sql<Date>`max(${payableSums.availableAt})`.mapWith(payableSums.availableAt),
    })
    .from(payableSums)
    .where(and(eq(payableSums.creatorId, creatorId), gt(payableSums.availableOn, utcDay(now()))))
    .groupBy(payableSums.currency, payableSums.availableOn)
    .having(sql`${owed} <> 0`)
    .orderBy(asc(payableSums.availableOn))
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

type OfCreator = { creatorId: number; page: number; pageSize?: number };

/** The payouts of a creator, the newest first. */
export async function listPayoutRows(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, page, pageSize = PAYOUT_LIMITS.listed }: OfCreator,
): Promise<Page<PayoutRow>> {
  const isOwn = eq(payouts.creatorId, creatorId);
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
