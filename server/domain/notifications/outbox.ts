import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { deliverMail } from '~/jobs/catalog';
import type { Ctx, TxCtx } from '../../ctx';
import { LIMITS } from '../../limits';
import { earlier } from '../../time';
import { type Letter, letterHtml, letterText } from './templates/layout';

export type OutgoingMail = {
  to: string;
  userId: number | null;
  /** What it is about, for opt-outs and statistics. */
  topic: string;
  language: string;
  subject: string;
  letter: Letter;
};

/** Writes a mail in the transaction that causes it; it goes out exactly when that commits. */
export async function post(tx: TxCtx, mail: OutgoingMail): Promise<void> {
  const { to, userId, topic, language, subject, letter } = mail;
  const [row] = await tx.db
    .insert(outbox)
    .values({ to, userId, topic, language, subject, html: letterHtml(letter, language), text: letterText(letter) })
    .returning({ id: outbox.id });
  await tx.jobs.enqueue(deliverMail, { mailId: row!.id });
}

/** Forgets mail that went out, or failed for good, a while ago. */
export async function sweepOutbox(ctx: Ctx): Promise<void> {
  const settled = or(isNotNull(outbox.sentAt), isNotNull(outbox.failedAt));
  await ctx.db.delete(outbox).where(and(settled, lt(outbox.createdAt, earlier(ctx.now(), LIMITS.outbox.kept))));
}

/** A mail that still has to go out; null when it went or was given up. */
export async function lookupUnsent(ctx: Ctx, mailId: string) {
  const [row] = await ctx.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.id, mailId), isNull(outbox.sentAt), isNull(outbox.failedAt)));
  return row ?? null;
}
