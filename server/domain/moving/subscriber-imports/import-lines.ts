import { and, asc, eq, isNotNull, ne, type SQL } from 'drizzle-orm';
import { subscriberImportLines as lines } from '~/db/schema/moving';
import { AppError } from '../../../base/errors';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { writeOutcomes } from './check-lines';
import { accountGone } from './errors';
import { bringLine } from './import-line';
import { findFacts, type LineRow } from './line-facts';
import { outcomeOf } from './line-rules';
import { continueImport, endImport, hasAccount, type ImportRow, isProviderAway, lookupWorking } from './steps';

/**
 * Imports lines in order, for some seconds. Without the creator's account, it only completes lines that have begun
 * there, so that every charged subscription is stored here.
 * @throws payments.rate_limited, payments.unreachable
 */
export async function runLines(ctx: Ctx, row: ImportRow): Promise<void> {
  const began = performance.now();
  let isLast = false;
  let isThere = true;
  while (!isLast && performance.now() - began < SUBSCRIBER_IMPORT_LIMITS.stepMs) {
    isThere = await hasAccount(ctx, row);
    const batch = await listWaiting(ctx, row.id, isThere ? undefined : isNotNull(lines.checkoutId));
    await ctx.reach('import.listed');
    isLast = batch.length === 0;
    if (!isLast) await runBatch(ctx, row, batch);
    // the creator may have cancelled the import
    if (!(await lookupWorking(ctx, row.id))) return;
  }
  await transact(ctx, async (tx) => {
    if (isLast) await endImport(tx, row, isThere ? { status: 'done' } : { status: 'failed', error: accountGone() });
    else await continueImport(tx, row, { attempts: 0 });
  });
}

const listWaiting = ({ db }: Ctx, importId: number, which: SQL | undefined): Promise<LineRow[]> =>
  db
    .select()
    .from(lines)
    .where(and(eq(lines.importId, importId), eq(lines.state, 'checked'), ne(lines.outcome, 'skip'), which))
    .orderBy(asc(lines.line))
    .limit(SUBSCRIBER_IMPORT_LIMITS.batchOfRun);

/** Since the dry run, people may have cancelled or subscribed here: lines that have not begun are checked again. */
async function runBatch(ctx: Ctx, row: ImportRow, batch: LineRow[]): Promise<void> {
  const begun = batch.filter(({ checkoutId }) => checkoutId !== null);
  const fresh = batch.filter(({ checkoutId }) => checkoutId === null);
  const facts = fresh.length > 0 ? await findFacts(ctx, row, fresh) : [];
  const isSame = (line: LineRow, at: number) =>
    outcomeOf({ ...line, feedUrl: null }, facts[at]!, ctx.now()).kind === line.outcome;
  const changed = fresh.filter((line, at) => !isSame(line, at));
  const changedFacts = facts.filter((_, at) => !isSame(fresh[at]!, at));
  if (changed.length > 0) await writeOutcomes(ctx, changed, changedFacts);
  const ready = [...begun, ...fresh.filter((line) => !changed.includes(line))];
  const { atOnce } = SUBSCRIBER_IMPORT_LIMITS;
  for (let from = 0; from < ready.length; from += atOnce)
    await Promise.all(ready.slice(from, from + atOnce).map((line) => runLine(ctx, row, line)));
}

/** A line that the provider refuses fails alone; the others continue. */
async function runLine(ctx: Ctx, row: ImportRow, line: LineRow): Promise<void> {
  try {
    await bringLine(ctx, row, line);
  } catch (error) {
    if (!(error instanceof AppError) || isProviderAway(error)) throw error;
    const own = and(eq(lines.importId, line.importId), eq(lines.line, line.line), eq(lines.state, 'checked'));
    await ctx.db.update(lines).set({ state: 'failed', failure: error.code }).where(own);
  }
}
