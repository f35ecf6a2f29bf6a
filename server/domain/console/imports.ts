import { and, desc, eq, inArray, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { subscriberImports } from '~/db/schema/moving';
import { rssImports } from '~/db/schema/rss-import';
import { OPEN_STATUSES } from '~/db/values/rss-import';
import { OPEN_IMPORT_STATUSES, WORKING_STATUSES } from '~/db/values/subscriber-imports';
import { OPERATOR_LIMITS } from '../../limits/operators';
import { importSubscribers } from '../../queue/jobs/moving';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { endSubscriberImport } from '../moving/subscriber-imports/request-import';
import { type Operator, recordOperation } from '../operators/record-operation';
import { endImport } from '../rss-import/answer-import';
import { retryImport } from '../rss-import/recover-imports';
import { importUnknown, listGone, nothingToDo } from './errors';
import type { FindImport } from './schema';

type Step = FindImport & { operator: Operator };

export type ImportLine = {
  kind: FindImport['kind'];
  id: number;
  creatorId: number;
  creator: string;
  /** The feed's URL, or the name of the file. */
  source: string;
  status: string;
  /** An error code. */
  failure: string | null;
  attempts: number;
  changedAt: Date;
};

/** Imports of feeds and of subscribers that are running, waiting or failed, the newest first. */
export async function listImports(ctx: Pick<Ctx, 'db'>): Promise<ImportLine[]> {
  const rss = await listFeedImports(ctx, inArray(rssImports.status, [...OPEN_STATUSES, 'failed']));
  const people = await listOfSubscribers(ctx, inArray(subscriberImports.status, [...OPEN_IMPORT_STATUSES, 'failed']));
  return [...rss, ...people].sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime());
}

async function listFeedImports({ db }: Pick<Ctx, 'db'>, which: SQL): Promise<ImportLine[]> {
  const { id, creatorId, feedUrl: source, status, failureReason: failure, attempts, updatedAt: changedAt } = rssImports;
  const rows = await db
    .select({ id, creatorId, source, status, failure, attempts, changedAt, creator: creators.domain })
    .from(rssImports)
    .innerJoin(creators, eq(creators.id, rssImports.creatorId))
    .where(which)
    .orderBy(desc(rssImports.id))
    .limit(OPERATOR_LIMITS.listed);
  return rows.map((row) => ({ kind: 'rss', ...row }));
}

async function listOfSubscribers({ db }: Pick<Ctx, 'db'>, which: SQL): Promise<ImportLine[]> {
  const { id, creatorId, fileName: source, status, failureReason: failure, attempts } = subscriberImports;
  const rows = await db
    .select({
      ...{ id, creatorId, source, status, failure, attempts },
      changedAt: subscriberImports.updatedAt,
      creator: creators.domain,
    })
    .from(subscriberImports)
    .innerJoin(creators, eq(creators.id, subscriberImports.creatorId))
    .where(which)
    .orderBy(desc(subscriberImports.id))
    .limit(OPERATOR_LIMITS.listed);
  return rows.map((row) => ({ kind: 'subscribers', ...row }));
}

export const countFailedImports = ({ db }: Pick<Ctx, 'db'>): Promise<number> =>
  db.$count(rssImports, and(eq(rssImports.status, 'failed'), eq(rssImports.isFollowUp, false)));

/**
 * A failed import of a feed starts again where it stopped. A running import of either kind gets another job, which is
 * harmless.
 * @throws console.import_unknown, console.nothing_to_do, console.list_gone, import.already_importing
 */
export function retryAnyImport(ctx: Ctx, step: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    const done = step.kind === 'rss' ? await retryFeed(tx, step.id) : await continueSubscribers(tx, step.id);
    if (!done) throw nothingToDo();
    await record(tx, step, 'retried');
  });
}

/** Everything that the import has created stays. @throws console.import_unknown, console.nothing_to_do */
export function cancelAnyImport(ctx: Ctx, step: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await cancelEither(tx, step))) throw nothingToDo();
    await record(tx, step, 'cancelled');
  });
}

async function retryFeed(tx: TxCtx, id: number): Promise<boolean> {
  if ((await tx.db.$count(rssImports, eq(rssImports.id, id))) === 0) throw importUnknown();
  return retryImport(tx, id);
}

async function continueSubscribers(tx: TxCtx, id: number): Promise<boolean> {
  const { status, step } = await findSubscribers(tx, id);
  if (status === 'failed') throw listGone();
  if (!WORKING_STATUSES.includes(status)) return false;
  await tx.jobs.enqueue(importSubscribers, { importId: id, step });
  return true;
}

async function cancelEither(tx: TxCtx, { kind, id }: Step): Promise<boolean> {
  if (kind === 'subscribers') return endSubscriberImport(tx, await findSubscribers(tx, id));
  if ((await tx.db.$count(rssImports, eq(rssImports.id, id))) === 0) throw importUnknown();
  return endImport(tx, id);
}

async function findSubscribers({ db }: Pick<Ctx, 'db'>, id: number) {
  const [row] = await db.select().from(subscriberImports).where(eq(subscriberImports.id, id));
  if (!row) throw importUnknown();
  return row;
}

const record = (tx: TxCtx, { operator, kind, id }: Step, what: 'retried' | 'cancelled') =>
  recordOperation(tx, operator, { action: `imports.${what}`, target: `${kind}-import/${id}`, details: {} });
