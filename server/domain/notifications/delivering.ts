import { and, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { deliverEmail as deliverEmailJob } from '~/jobs/catalog';
import { type Ctx, transact } from '../../ctx';
import { MAIL_LIMITS } from '../../limits/notifications';
import { later } from '../../time';
import { lookupUnsentEmail } from './outbox';

type Delivery = { emailId: string; attempt?: number };
type UnsentEmail = NonNullable<Awaited<ReturnType<typeof lookupUnsentEmail>>>;

/**
 * Sends one email from the outbox, and enqueues the next attempt if that fails; after the last one the email is marked
 * as failed. A crash between sending and marking sends it twice with the same Message-ID, which mail clients show once.
 */
export async function deliverEmail(ctx: Ctx, { emailId, attempt }: Delivery): Promise<void> {
  const email = await lookupUnsentEmail(ctx, emailId);
  // a job that runs again after a crash has enqueued the next attempt already
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

/** Sends failed emails again, for an operator who has repaired the mail server. @returns how many */
export async function resendFailedEmails(ctx: Ctx): Promise<number> {
  let count = 0;
  let batch: string[] = [];
  do {
    batch = await resendBatch(ctx, batch.at(-1));
    count += batch.length;
  } while (batch.length === MAIL_LIMITS.resendBatch);
  return count;
}

/** A limited number per transaction, in the order of their ids, so that each batch continues after the last one. */
function resendBatch(ctx: Ctx, after: string | undefined): Promise<string[]> {
  return transact(ctx, async (tx) => {
    const found = await tx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isNotNull(outbox.failedAt), isNull(outbox.sentAt), after ? gt(outbox.id, after) : undefined))
      .orderBy(outbox.id)
      .limit(MAIL_LIMITS.resendBatch)
      .for('update');
    const ids = found.map(({ id }) => id);
    await tx.db.update(outbox).set({ attempts: 0, failure: null, failedAt: null }).where(inArray(outbox.id, ids));
    for (const emailId of ids) await tx.jobs.enqueue(deliverEmailJob, { emailId, attempt: 0 });
    return ids;
  });
}
