import { and, asc, eq, exists, gt, gte, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { type EntryKind, type LedgerAccount, ledgerEntries, ledgerLines, payableSums } from '~/db/schema/ledger';
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
  const [{ total, ...totals }, firstMonth, items] = await Promise.all([
    totalsOf(ctx, asked),
    firstMonthOf(ctx, creator.id),
    listEntries(ctx, asked, {
      order: [asc(ledgerEntries.at), asc(ledgerEntries.id)],
      limit: pageSize,
      offset: (page - 1) * pageSize,
    }),
  ]);
  const { month } = asked;
  return {
    ...{ creator: creator.name, month, currency, currencies: currencies.length > 0 ? currencies : [currency] },
    months: monthsBetween(firstMonth ?? now, now),
    ...totals,
    entries: { items, total, page, pageSize },
  } satisfies Statement;
}

/** The next entries of a statement, in the order of their creation. */
export async function exportStatement(ctx: Ctx, { after = 0, ...input }: ExportStatement): Promise<StatementEntry[]> {
  const { id: creatorId } = authorize(ctx, 'creator.readPayouts', currentCreator(ctx));
  const part = {
    order: [asc(ledgerEntries.id)],
    limit: STATEMENT_LIMITS.exportBatch,
    more: gt(ledgerEntries.id, after),
  };
  return listEntries(ctx, { ...input, creatorId }, part);
}

/** The entry of the provider's fee moves a share to its day, and leaves its amount. */
const MOVED = 'processor_fee';

/** The balance before and after the month, and its changes by kind, from the sums; `total`: the number of entries. */
async function totalsOf({ db }: Pick<Ctx, 'db'>, asked: Asked): Promise<StatementTotals & { total: number }> {
  const month = `${asked.month}-01`;
  const owed = sql<number>`coalesce(sum(${payableSums.owedMinor}), 0)`.mapWith(Number);
  const own = and(eq(payableSums.creatorId, asked.creatorId), eq(payableSums.currency, asked.currency));
  const [[before], byKind] = await Promise.all([
    db
      .select({ minor: owed })
      .from(payableSums)
      .where(and(own, lt(payableSums.month, month))),
    db
      .select({ kind: payableSums.kind, minor: owed, entries: sum(payableSums.entries).mapWith(Number) })
      .from(payableSums)
      .where(and(own, eq(payableSums.month, month), ne(payableSums.kind, MOVED)))
      .groupBy(payableSums.kind)
      .orderBy(asc(payableSums.kind)),
  ]);
  const openingMinor = before?.minor ?? 0;
  const closingMinor = byKind.reduce((all, { minor }) => all + minor, openingMinor);
  const total = byKind.reduce((all, { entries }) => all + entries, 0);
  return { openingMinor, closingMinor, byKind: byKind.map(({ kind, minor }) => ({ kind, minor })), total };
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

type Part = { order: SQL[]; limit: number; offset?: number; more?: SQL };

/** Finds the entries of the part first, so that only their lines are read. */
async function listEntries(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, month, currency }: Asked,
  { order, limit, offset = 0, more }: Part,
): Promise<StatementEntry[]> {
  const { from, to } = boundsOf(month);
  const ofMonth = and(eq(ledgerEntries.creatorId, creatorId), gte(ledgerEntries.at, from), lt(ledgerEntries.at, to));
  const { entryId, account } = ledgerLines;
  const isOwed = and(eq(entryId, ledgerEntries.id), eq(account, 'creator_payable'), eq(ledgerLines.currency, currency));
  const found = await db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(
      and(
        ofMonth,
        ne(ledgerEntries.kind, MOVED),
        more,
        exists(db.select({ id: ledgerLines.id }).from(ledgerLines).where(isOwed)),
      ),
    )
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  const ids = found.map(({ id }) => id);
  return (await entriesOf({ db }, ids, currency).orderBy(...order)).map(toEntry);
}

/** The lines of other ledger accounts show how the share was computed. */
function entriesOf({ db }: Pick<Ctx, 'db'>, ids: number[], currency: Currency) {
  const sumOf = (account: LedgerAccount, sign: 1 | -1) =>
    sql<number>`coalesce(sum(${ledgerLines.amountMinor}) filter (where ${ledgerLines.account} = ${account}), 0) * ${sign}::bigint`.mapWith(
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
    .where(and(inArray(ledgerEntries.id, ids), eq(ledgerLines.currency, currency)))
    .groupBy(ledgerEntries.id, sales.id, products.id, payouts.id)
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
