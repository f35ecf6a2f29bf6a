import { and, asc, inArray, lte, sql } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { later } from '../../base/time';
import { BULK_EMAIL_LIMITS, MAIL_LIMITS } from '../../limits/notifications';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';

/** An email that only this worker may send until its lease ends. `attempts`: with this one. */
export type LeasedEmail = typeof outbox.$inferSelect;

/**
 * Leases the next emails for the sender of newsletters, those that have waited longest first. Leases that have ended
 * return: a killed worker may have sent those emails, which mailboxes show once, because they have the same Message-ID.
 */
export async function leaseBulkEmails(ctx: Ctx): Promise<LeasedEmail[]> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    const due = await tx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(lte(outbox.dueAt, now))
      .orderBy(asc(outbox.dueAt))
      .limit(BULK_EMAIL_LIMITS.batch)
      .for('update', { skipLocked: true });
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    return tx.db
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, dueAt: later(now, BULK_EMAIL_LIMITS.lease) })
      .where(inArray(outbox.id, ids))
      .returning();
  });
}

/**
 * What became of a leased email. `deferred`: it is tried again later. `rejected`: the server refuses it, but the address
 * may exist. `skipped`: its reader wants no such emails any more. `waits`: its receiving domain is slowed down for
 * `retryInMs`, and nothing was attempted.
 */
export type EmailOutcome = {
  id: string;
  attempts: number;
  state: 'sent' | 'deferred' | 'waits' | 'rejected' | 'bounced' | 'unknown' | 'skipped';
  retryInMs?: number;
  answer?: string;
};

/** Records outcomes in one statement. Only an email that is still leased by this worker changes. */
export async function recordEmailOutcomes(tx: TxCtx, outcomes: readonly EmailOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const now = tx.now();
  const rows = outcomes.map((outcome) => ({
    ...{ id: outcome.id, leased: outcome.attempts },
    ...{ attempts: outcome.state === 'waits' ? outcome.attempts - 1 : outcome.attempts },
    ...settled(outcome, now),
  }));
  const values = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r
    (id uuid, leased integer, attempts integer, sent_at timestamptz, failed_at timestamptz, due_at timestamptz,
      failure text, settled_as text)`;
  await tx.db.execute(sql`
    update ${outbox} o set attempts = r.attempts, sent_at = r.sent_at, failed_at = r.failed_at, due_at = r.due_at,
      failure = r.failure, settled_as = r.settled_as
    from ${values} where o.id = r.id and o.attempts = r.leased and o.due_at is not null`);
}

/** Emails that their readers marked as spam. @returns those of which that was unknown: a repeated report has none */
export async function settleComplained(tx: TxCtx, ids: string[]): Promise<Set<string>> {
  const settled = await tx.db
    .update(outbox)
    .set({ settledAs: 'complained' })
    .where(and(inArray(outbox.id, ids), sql`${outbox.settledAs} is distinct from 'complained'`))
    .returning({ id: outbox.id });
  return new Set(settled.map(({ id }) => id));
}

const FAILURE_LENGTH = 300;

function settled({ state, attempts, retryInMs = 0, answer = '' }: EmailOutcome, now: Date) {
  const open = { sent_at: null, failed_at: null, due_at: null, failure: null, settled_as: null };
  // half a character, which a cut can leave, is no JSON
  const failure = answer.slice(0, FAILURE_LENGTH).toWellFormed().replaceAll('\0', '') || state;
  if (state === 'sent') return { ...open, sent_at: now };
  if (state === 'waits') return { ...open, due_at: later(now, Math.max(retryInMs, MAIL_LIMITS.retryDelays[0]!)) };
  const delay = state === 'deferred' ? MAIL_LIMITS.retryDelays[attempts - 1] : undefined;
  if (delay !== undefined) return { ...open, due_at: later(now, delay), failure };
  const isFinal = state === 'bounced' || state === 'unknown' || state === 'skipped';
  return { ...open, failed_at: now, failure, settled_as: isFinal ? state : null };
}
