import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { later } from '../../base/time';
import { MAIL_LIMITS } from '../../limits/notifications';
import { deliverEmail as deliverEmailJob } from '../../queue/jobs/notifications';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { BULK_TOPICS } from './kinds';
import { enqueueDelivery, lookupUnsentEmail } from './outbox';

type Delivery = { emailId: string; attempt?: number };
type UnsentEmail = NonNullable<Awaited<ReturnType<typeof lookupUnsentEmail>>>;

/**
 * Sends one email from the outbox, and enqueues the next attempt if sending fails; after the last one the email is
 * marked as failed. A crash between sending and marking sends it twice with the same Message-ID, which mail clients
 * show once.
 */
export async function deliverEmail(ctx: Ctx, { emailId, attempt }: Delivery): Promise<void> {
  const email = await lookupUnsentEmail(ctx, emailId);
  // a job that runs again after a crash has already enqueued the next attempt
  if (!email || (attempt !== undefined && attempt !== email.attempts)) return;
  const { id, to, subject, html, text, headers, attempts } = email;
  try {
    await ctx.ports.mail.send({ id, to, subject, html, text, headers });
  } catch (err) {
    ctx.log.warn({ err, emailId, attempts: attempts + 1 }, 'email not sent');
    return recordFailure(ctx, email, err);
  }
  await ctx.db
    .update(outbox)
    .set({ attempts: attempts + 1, sentAt: ctx.now(), failure: null })
    .where(eq(outbox.id, id));
}

async function recordFailure(ctx: Ctx, { id, attempts }: UnsentEmail, error: unknown): Promise<void> {
  const failure = error instanceof Error ? error.message : String(error);
  const delay = MAIL_LIMITS.retryDelays[attempts];
  const attempt = attempts + 1;
  await transact(ctx, async (tx) => {
    const failed = await tx.db
      .update(outbox)
      .set({ attempts: attempt, failure, failedAt: delay === undefined ? tx.now() : null })
      .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts)))
      .returning({ id: outbox.id });
    if (failed.length === 0 || delay === undefined) return;
    await tx.jobs.enqueue(deliverEmailJob, { emailId: id, attempt }, { at: later(tx.now(), delay) });
  });
}

/**
 * Whether emails are stuck: since a moment, none was sent, and attempts for at least `addresses` addresses have failed. A
 * few failures say nothing, because addresses may not exist.
 */
export async function areEmailsStuck({ db }: Pick<Ctx, 'db'>, since: Date, addresses: number): Promise<boolean> {
  const isRecent = gte(outbox.createdAt, since);
  const [sent] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isRecent, isNotNull(outbox.sentAt)))
    .limit(1);
  if (sent) return false;
  const failing = await db
    .selectDistinct({ to: outbox.to })
    .from(outbox)
    .where(and(isRecent, isNotNull(outbox.failure), isNull(outbox.settledAs)))
    .limit(addresses);
  return failing.length === addresses;
}

type Recorder = (tx: TxCtx, ids: string[]) => Promise<void>;

/**
 * Sends failed emails again, for an operator who has repaired the mail server: all of them, or one; not those that may
 * have arrived, or whose address does not exist. `record` runs in the transaction of each batch. @returns the number of emails
 */
export async function resendFailedEmails(ctx: Ctx, record: Recorder = async () => {}, only?: string): Promise<number> {
  let count = 0;
  let batch: string[] = [];
  do {
    batch = await resendBatch(ctx, record, { after: batch.at(-1), only });
    count += batch.length;
  } while (batch.length === MAIL_LIMITS.resendBatch);
  return count;
}

type Batch = { after?: string; only?: string };

/** A limited number per transaction, in the order of their ids, so that each batch continues after the last one. */
function resendBatch(ctx: Ctx, record: Recorder, { after, only }: Batch): Promise<string[]> {
  return transact(ctx, async (tx) => {
    const chosen = and(after ? gt(outbox.id, after) : undefined, only ? eq(outbox.id, only) : undefined);
    const found = await tx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(HAS_FAILED, chosen))
      .orderBy(outbox.id)
      .limit(MAIL_LIMITS.resendBatch)
      .for('update');
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return ids;
    const isBulk = and(inArray(outbox.topic, [...BULK_TOPICS]), isNotNull(outbox.creatorId));
    const dueAt = sql`case when ${isBulk} then ${tx.now().toISOString()}::timestamptz end`;
    const again = await tx.db
      .update(outbox)
      .set({ attempts: 0, failure: null, failedAt: null, dueAt })
      .where(inArray(outbox.id, ids))
      .returning({ id: outbox.id, dueAt: outbox.dueAt });
    await enqueueDelivery(tx, again);
    await record(tx, ids);
    return ids;
  });
}

/** Without those that must not be sent again. */
const HAS_FAILED = and(isNotNull(outbox.failedAt), isNull(outbox.sentAt), isNull(outbox.settledAs));

/** The latest first, without their content, which only their recipients may read: subjects can name givers, too. */
export function listFailedEmails({ db }: Pick<Ctx, 'db'>) {
  const { id, to, topic, userId, attempts, createdAt, failedAt, failure } = outbox;
  return db
    .select({ id, to, topic, userId, attempts, createdAt, failedAt, failure })
    .from(outbox)
    .where(HAS_FAILED)
    .orderBy(desc(outbox.failedAt))
    .limit(MAIL_LIMITS.resendBatch);
}

export const countFailedEmails = ({ db }: Pick<Ctx, 'db'>): Promise<number> => db.$count(outbox, HAS_FAILED);
