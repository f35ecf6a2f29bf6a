import { and, asc, eq, sql } from 'drizzle-orm';
import { subscriberImportLines } from '~/db/schema/moving';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { findFacts, type LineRow } from './line-facts';
import { type LineFacts, outcomeOf } from './line-rules';
import { continueImport, type ImportRow } from './steps';

/** Decides the outcome of each line, for some seconds. It writes nothing else. @throws payments.* */
export async function checkLines(ctx: Ctx, row: ImportRow): Promise<void> {
  const began = performance.now();
  let isLast = false;
  while (!isLast && performance.now() - began < SUBSCRIBER_IMPORT_LIMITS.stepMs) {
    const lines = await listRead(ctx, row.id);
    isLast = lines.length === 0;
    if (!isLast) await writeOutcomes(ctx, lines, await findFacts(ctx, row, lines));
  }
  await transact(ctx, (tx) => continueImport(tx, row, { attempts: 0, ...(isLast && { status: 'ready' }) }));
}

const listRead = ({ db }: Ctx, importId: number): Promise<LineRow[]> =>
  db
    .select()
    .from(subscriberImportLines)
    .where(and(eq(subscriberImportLines.importId, importId), eq(subscriberImportLines.state, 'read')))
    .orderBy(asc(subscriberImportLines.line))
    .limit(SUBSCRIBER_IMPORT_LIMITS.checkedAtOnce);

/**
 * A running subscription keeps its terms at the provider, even if the file states others. A line that another job has
 * begun to import meanwhile stays unchanged.
 */
export async function writeOutcomes({ db, now }: Ctx, lines: LineRow[], facts: LineFacts[]): Promise<void> {
  const rows = lines.map((line, at) => toChange(line, facts[at]!, now()));
  await db.execute(sql`
    update subscriber_import_lines set state = 'checked', outcome = c.outcome, reason = c.reason,
      customer_id = c.customer_id, subscription_id = c.subscription_id, price_minor = c.price_minor,
      currency = c.currency, every = c.every, renews_at = c.renews_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as c (
      line integer, outcome text, reason text, customer_id text, subscription_id text, price_minor integer,
      currency text, every text, renews_at timestamptz)
    where subscriber_import_lines.import_id = ${lines[0]!.importId} and subscriber_import_lines.line = c.line
      and subscriber_import_lines.checkout_id is null`);
}

function toChange(row: LineRow, facts: LineFacts, now: Date) {
  const { sealedFeed: feedUrl, ...line } = row;
  const outcome = outcomeOf({ ...line, feedUrl }, facts, now);
  const adopted = outcome.kind === 'adopt' ? adoptedOf(row, facts) : undefined;
  return {
    line: row.line,
    outcome: outcome.kind,
    reason: outcome.kind === 'skip' ? outcome.reason : null,
    customer_id: adopted?.customer ?? row.customerId,
    subscription_id: adopted?.id ?? row.subscriptionId,
    price_minor: adopted?.price.minor ?? row.priceMinor,
    currency: adopted?.price.currency ?? row.currency,
    every: adopted?.every ?? row.every,
    renews_at: adopted ? (adopted.endsAt ? null : adopted.periodEnd) : row.renewsAt,
  };
}

const adoptedOf = ({ subscriptionId }: LineRow, { subscriptions }: LineFacts) =>
  subscriptions.find(({ id, endedAt }) => endedAt === null && (subscriptionId === null || id === subscriptionId));
