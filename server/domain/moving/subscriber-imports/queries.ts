import { and, asc, count, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { subscriberImportLines as lines, subscriberImports } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import type { LineOutcome, SkipReason, SubscriberFormat, SubscriberImportStatus } from '~/db/values/subscriber-imports';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { requireCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import type { KindName } from '../../products/kinds';
import { findProductRecord } from '../../products/queries';
import type { FindProduct } from '../../products/schema';
import { subscriberImportNotFound } from './errors';
import type { ExportLines, FindSubscriberImport } from './schema';
import type { ImportRow } from './steps';

export type FoundImport = ImportRow & { show: string; kind: KindName };

/**
 * An import of the creator that the user works for. @throws subscriber_import.not_found, also for other creators'
 * imports
 */
export async function findOwnSubscriberImport(ctx: Ctx, id: number): Promise<FoundImport> {
  const { creatorId } = requireCreator(ctx);
  const [row] = await selectImports(ctx).where(
    and(eq(subscriberImports.id, id), eq(subscriberImports.creatorId, creatorId)),
  );
  if (!row) throw subscriberImportNotFound();
  return toFound(row);
}

const selectImports = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({ found: subscriberImports, show: products.name, kind: products.kind })
    .from(subscriberImports)
    .innerJoin(products, eq(products.id, subscriberImports.productId));

type Selected = { found: ImportRow; show: string; kind: KindName };
const toFound = ({ found, show, kind }: Selected): FoundImport => ({ ...found, show, kind });

/** `adopt` and `recreate`: lines to import; otherwise the reason for skipping the line. */
export type OutcomeCount = { kind: LineOutcome['kind']; reason: SkipReason | null; lines: number };
/** Sum of the monthly or yearly charges of the imported lines. */
export type ImportSum = { currency: string; every: 'month' | 'year'; lines: number; minor: number };
export type Renewal = { day: string; lines: number };
export type SubscriberImportView = {
  id: number;
  show: { id: number; kind: KindName; name: string };
  fileName: string;
  format: SubscriberFormat;
  isConnected: boolean;
  status: SubscriberImportStatus;
  lines: number;
  /** Checked in the dry run; done or failed in the run. */
  checked: number;
  done: number;
  failed: number;
  outcomes: OutcomeCount[];
  sums: ImportSum[];
  renewals: Renewal[];
  withOldFeed: number;
  sendsWelcome: boolean;
  createdAt: Date;
  endedAt: Date | null;
  failure: { code: string; params: ImportRow['failureParams'] } | null;
};

/** The latest import of a show's subscribers, with its report; null without one. @throws product.not_found */
export async function latestSubscriberImport(ctx: Ctx, input: FindProduct): Promise<SubscriberImportView | null> {
  const { product } = await findProductRecord(ctx, input.id, input.kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  const [row] = await selectImports(ctx)
    .where(and(eq(subscriberImports.creatorId, show.creatorId), eq(subscriberImports.productId, show.id)))
    .orderBy(desc(subscriberImports.id))
    .limit(1);
  return row ? toImportView(ctx, toFound(row)) : null;
}

async function toImportView(ctx: Ctx, row: FoundImport): Promise<SubscriberImportView> {
  const [counts, sums, renewals] = await Promise.all([
    countLines(ctx, row.id),
    sumLines(ctx, row.id),
    countRenewals(ctx, row.id),
  ]);
  const { id, productId, kind, show: name, fileName, format, account, status, sendsWelcome, createdAt, endedAt } = row;
  const outcomes = counts.flatMap(({ outcome, reason, checked }) =>
    outcome && checked > 0 ? [{ kind: outcome, reason, lines: checked }] : [],
  );
  const total = (key: 'lines' | 'checked' | 'done' | 'failed' | 'feeds') =>
    counts.reduce((sum, each) => sum + each[key], 0);
  return {
    ...{ id, fileName, format, status, sendsWelcome, createdAt, endedAt, outcomes, sums, renewals },
    show: { id: productId, kind, name },
    isConnected: account !== null,
    ...{ lines: row.lines || total('lines'), checked: total('checked'), done: total('done'), failed: total('failed') },
    withOldFeed: total('feeds'),
    failure: row.failureReason === null ? null : { code: row.failureReason, params: row.failureParams },
  };
}

/** Numbers of lines to adopt and to recreate. */
export async function countOutcomes(
  ctx: Pick<Ctx, 'db'>,
  importId: number,
): Promise<Record<'adopt' | 'recreate', number>> {
  const counts = await countLines(ctx, importId);
  const of = (kind: string) => counts.reduce((sum, row) => sum + (row.outcome === kind ? row.lines : 0), 0);
  return { adopt: of('adopt'), recreate: of('recreate') };
}

const isImported = ne(lines.outcome, 'skip');
const when = (condition: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);

function countLines({ db }: Pick<Ctx, 'db'>, importId: number) {
  return db
    .select({
      outcome: lines.outcome,
      reason: lines.reason,
      lines: count(),
      checked: when(sql`${lines.state} <> 'read'`),
      done: when(sql`${lines.state} = 'done'`),
      failed: when(sql`${lines.state} = 'failed'`),
      feeds: when(sql`${lines.feedHash} is not null and ${lines.outcome} <> 'skip'`),
    })
    .from(lines)
    .where(eq(lines.importId, importId))
    .groupBy(lines.outcome, lines.reason)
    .orderBy(desc(count()));
}

async function sumLines({ db }: Pick<Ctx, 'db'>, importId: number): Promise<ImportSum[]> {
  const rows = await db
    .select({
      currency: sql<string>`${lines.currency}`,
      every: sql<'month' | 'year'>`${lines.every}`,
      lines: count(),
      minor: sql<number>`sum(${lines.priceMinor})`.mapWith(Number),
    })
    .from(lines)
    .where(and(eq(lines.importId, importId), isImported))
    .groupBy(lines.currency, lines.every)
    .orderBy(lines.currency, lines.every);
  return rows;
}

/** The first days with charges. */
function countRenewals({ db }: Pick<Ctx, 'db'>, importId: number): Promise<Renewal[]> {
  const day = sql<string>`to_char(${lines.renewsAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  return db
    .select({ day, lines: count() })
    .from(lines)
    .where(and(eq(lines.importId, importId), isImported, sql`${lines.renewsAt} is not null`))
    .groupBy(day)
    .orderBy(asc(day))
    .limit(SUBSCRIBER_IMPORT_LIMITS.shownRenewals);
}

export type ProblemLine = Pick<
  typeof lines.$inferSelect,
  'line' | 'email' | 'name' | 'customerId' | 'subscriptionId' | 'reason' | 'failure'
>;

/** The next part of a file with the skipped lines. @throws subscriber_import.not_found */
export async function exportProblemLines(ctx: Ctx, { id, after }: ExportLines): Promise<ProblemLine[]> {
  authorize(ctx, 'product.manageBuyers', await findOwnSubscriberImport(ctx, id));
  return listProblems(ctx, id, { after, limit: SUBSCRIBER_IMPORT_LIMITS.exported });
}

/** The first skipped lines, for the screen. @throws subscriber_import.not_found */
export async function listProblemLines(ctx: Ctx, { id }: FindSubscriberImport): Promise<ProblemLine[]> {
  authorize(ctx, 'product.manageBuyers', await findOwnSubscriberImport(ctx, id));
  return listProblems(ctx, id, { after: 0, limit: SUBSCRIBER_IMPORT_LIMITS.shownLines });
}

function listProblems({ db }: Ctx, importId: number, { after, limit }: { after: number; limit: number }) {
  const isProblem = sql`(${lines.outcome} = 'skip' or ${lines.state} = 'failed')`;
  const { line, email, name, customerId, subscriptionId, reason, failure } = lines;
  return db
    .select({ line, email, name, customerId, subscriptionId, reason, failure })
    .from(lines)
    .where(and(eq(lines.importId, importId), isProblem, gt(lines.line, after)))
    .orderBy(asc(lines.line))
    .limit(limit);
}
