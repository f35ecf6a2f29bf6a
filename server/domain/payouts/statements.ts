import { and, asc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { type EntryKind, type LedgerAccount, ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { products } from '~/db/schema/products';
import type { Currency } from '../../base/money';
import type { Page } from '../../base/paging';
import { utcMonth } from '../../base/time';
import { STATEMENT_LIMITS } from '../../limits/payouts';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import type { KindName } from '../products/kinds';
import { balancesOf } from './queries';
import { boundsOf, monthsBetween } from './rules';
import type { ExportStatement, FindStatement } from './schema';

/** An entry of the books that changed our debt to the creator. Amounts have the sign of that change. */
export type StatementEntry = {
  id: number;
  at: Date;
  kind: EntryKind;
  note: string | null;
  /** The sold item and its buyer; null for payouts and adjustments. `userId`: null for a guest or a deleted account. */
  sale: { name: string; purpose: string; buyer: string; userId: number | null; receiptNumber: number } | null;
  product: { id: number; kind: KindName } | null;
  payout: string | null;
  grossMinor: number;
  vatMinor: number;
  commissionMinor: number;
  shareMinor: number;
};

export type StatementTotals = {
  openingMinor: number;
  closingMinor: number;
  byKind: { kind: EntryKind; minor: number }[];
};
/** `months`: the available months, the latest first. */
export type Statement = StatementTotals &
  Omit<Asked, 'creatorId'> & {
    creator: string;
    months: string[];
    currencies: Currency[];
    entries: Page<StatementEntry>;
  };

type Asked = { creatorId: number; month: string; currency: Currency };

/** Earnings and payouts in a month (UTC), for the creator that the user works for. */
export async function statementOf(ctx: Ctx, { page, pageSize = STATEMENT_LIMITS.perPage, ...input }: FindStatement) {
  const creator = authorize(ctx, 'creator.readPayouts', await findCreator(ctx, currentCreator(ctx).id));
  const now = utcMonth(ctx.now());
  const balances = await balancesOf(ctx, creator.id);
  const currencies = balances.map(({ currency }) => currency);
  const currency = input.currency ?? currencies[0] ?? 'eur';
  const asked: Asked = { creatorId: creator.id, month: input.month ?? now, currency };
  const [totals, firstMonth, total, items] = await Promise.all([
    totalsOf(ctx, asked),
    firstMonthOf(ctx, creator.id),
    countEntries(ctx, asked),
    entriesOf(ctx, asked)
      .orderBy(asc(ledgerEntries.at), asc(ledgerEntries.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
  ]);
  const { month } = asked;
  return {
    ...{ creator: creator.name, month, currency, currencies: currencies.length > 0 ? currencies : [currency] },
    months: monthsBetween(firstMonth ?? now, now),
    ...totals,
    entries: { items: items.map(toEntry), total, page, pageSize },
  } satisfies Statement;
}

/** The next entries of a statement, in the order of their creation. */
export async function exportStatement(ctx: Ctx, { after = 0, ...input }: ExportStatement): Promise<StatementEntry[]> {
  const { id: creatorId } = authorize(ctx, 'creator.readPayouts', currentCreator(ctx));
  const rows = await entriesOf(ctx, { ...input, creatorId }, gt(ledgerEntries.id, after))
    .orderBy(asc(ledgerEntries.id))
    .limit(STATEMENT_LIMITS.exportBatch);
  return rows.map(toEntry);
}

const isOwed = eq(ledgerLines.account, 'creator_payable');
const owed = sql<number>`coalesce(-sum(${ledgerLines.amountMinor}), 0)`.mapWith(Number);

/** Entries of the creator in the currency, before a moment or in a month. */
const ofStatement = ({ creatorId, currency }: Asked, { from, to }: { from?: Date; to: Date }): SQL | undefined =>
  and(
    eq(ledgerEntries.creatorId, creatorId),
    from && gte(ledgerEntries.at, from),
    lt(ledgerEntries.at, to),
    eq(ledgerLines.currency, currency),
  );

async function totalsOf({ db }: Pick<Ctx, 'db'>, asked: Asked): Promise<StatementTotals> {
  const { from, to } = boundsOf(asked.month);
  const joined = eq(ledgerLines.entryId, ledgerEntries.id);
  const [[before], byKind] = await Promise.all([
    db
      .select({ minor: owed })
      .from(ledgerEntries)
      .innerJoin(ledgerLines, joined)
      .where(and(ofStatement(asked, { to: from }), isOwed)),
    db
      .select({ kind: ledgerEntries.kind, minor: owed })
      .from(ledgerEntries)
      .innerJoin(ledgerLines, joined)
      .where(and(ofStatement(asked, { from, to }), isOwed))
      .groupBy(ledgerEntries.kind)
      .orderBy(asc(ledgerEntries.kind)),
  ]);
  const openingMinor = before?.minor ?? 0;
  const closingMinor = byKind.reduce((sum, { minor }) => sum + minor, openingMinor);
  return { openingMinor, closingMinor, byKind };
}

async function firstMonthOf({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<string | null> {
  const [row] = await db
    .select({ at: ledgerEntries.at })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.creatorId, creatorId))
    .orderBy(asc(ledgerEntries.at))
    .limit(1);
  return row ? utcMonth(row.at) : null;
}

async function countEntries({ db }: Pick<Ctx, 'db'>, asked: Asked): Promise<number> {
  const [row] = await db
    .select({ total: sql<number>`count(distinct ${ledgerEntries.id})`.mapWith(Number) })
    .from(ledgerEntries)
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .where(and(ofStatement(asked, boundsOf(asked.month)), isOwed));
  return row?.total ?? 0;
}

/** The lines of other ledger accounts show how the share was computed. */
function entriesOf({ db }: Pick<Ctx, 'db'>, asked: Asked, more?: SQL) {
  const sumOf = (account: LedgerAccount, sign: 1 | -1) =>
    sql<number>`coalesce(sum(${ledgerLines.amountMinor}) filter (where ${ledgerLines.account} = ${account}), 0) * ${sign}::int`.mapWith(
      Number,
    );
  return db
    .select({
      entry: ledgerEntries,
      sale: sales,
      product: { id: products.id, kind: products.kind },
      payout: payouts.publicId,
      grossMinor: sumOf('provider_balance', 1),
      vatMinor: sumOf('vat_payable', -1),
      commissionMinor: sumOf('commission', -1),
      shareMinor: sumOf('creator_payable', -1),
    })
    .from(ledgerEntries)
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .leftJoin(sales, eq(sales.id, ledgerEntries.saleId))
    .leftJoin(products, eq(products.id, ledgerEntries.productId))
    .leftJoin(payouts, eq(payouts.id, ledgerEntries.payoutId))
    .where(and(ofStatement(asked, boundsOf(asked.month)), more))
    .groupBy(ledgerEntries.id, sales.id, products.id, payouts.id)
    .having(sql`bool_or(${isOwed})`)
    .$dynamic();
}

type EntryRow = Awaited<ReturnType<typeof entriesOf>>[number];

function toEntry({ entry: { id, at, kind, note }, sale, ...amounts }: EntryRow): StatementEntry {
  return { id, at, kind, note, sale: sale && saleOf(sale), ...amounts };
}

const saleOf = ({ name, purpose, buyer, userId, receiptNumber }: typeof sales.$inferSelect) => ({
  ...{ name, purpose, userId, receiptNumber },
  buyer: buyer.name,
});
