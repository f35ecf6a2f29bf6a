import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { notificationOptOuts } from '~/db/schema/accounts';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import type { Language } from '~/locales/languages';
import { earlier } from '../../base/time';
import { OUTBOX_LIMITS } from '../../limits/notifications';
import { deliverBulkEmails } from '../../queue/jobs/newsletter';
import { deliverEmail } from '../../queue/jobs/notifications';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { BULK_TOPICS, isOptionalTopic } from './kinds';
import { type EmailContent, renderHtml, renderText } from './templates/layout';

export type OutgoingEmail = {
  /** Set for an email that may be queued again, for example by a repeated job: it is sent once. */
  id?: string;
  to: string;
  userId: number | null;
  /** The creator in whose name it is sent. */
  creatorId?: number;
  /** The show that it is about. */
  productId?: number;
  /** The kind of email, for opt-outs and statistics. */
  topic: string;
  language: Language;
  subject: string;
  content: EmailContent;
  /** Additional headers, such as Reply-To. */
  headers?: Record<string, string>;
};

/**
 * Queues an email in the caller's transaction: the email is sent if and only if the transaction commits. Does nothing
 * for a user who has turned its topic off.
 */
export const queueEmail = (tx: TxCtx, email: OutgoingEmail): Promise<void> => queueEmails(tx, [email]);

/** Queues several emails with the same number of queries as one. A batch has at most some hundreds. */
export async function queueEmails(tx: TxCtx, emails: readonly OutgoingEmail[]): Promise<void> {
  const wanted = await withoutOptedOut(tx, emails);
  await queueRenderedEmails(
    tx,
    wanted.map((email) => toRow(email, tx.now())),
  );
}

/** Queues emails that were rendered elsewhere. */
export async function queueRenderedEmails(tx: TxCtx, emails: (typeof outbox.$inferInsert)[]): Promise<void> {
  if (emails.length === 0) return;
  const values = emails.map((email) => ({ ...email, dueAt: isBulk(email) ? tx.now() : null }));
  const rows = await tx.db
    .insert(outbox)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: outbox.id, dueAt: outbox.dueAt });
  await enqueueDelivery(tx, rows);
}

/** One job for each single email, and one for all that leave through the sender of newsletters. */
export async function enqueueDelivery(tx: TxCtx, emails: readonly { id: string; dueAt: Date | null }[]): Promise<void> {
  const single = emails.filter(({ dueAt }) => dueAt === null);
  await tx.jobs.enqueueAll(
    deliverEmail,
    single.map(({ id }) => ({ emailId: id, attempt: 0 })),
  );
  if (single.length < emails.length) await tx.jobs.enqueue(deliverBulkEmails, {});
}

const isBulk = ({ topic, creatorId }: typeof outbox.$inferInsert): boolean =>
  creatorId != null && BULK_TOPICS.includes(topic);

function toRow({ content, ...email }: OutgoingEmail, createdAt: Date): typeof outbox.$inferInsert {
  return { ...email, html: renderHtml(content, email.language), text: renderText(content), createdAt };
}

async function withoutOptedOut(tx: TxCtx, emails: readonly OutgoingEmail[]): Promise<readonly OutgoingEmail[]> {
  const userIds = emails.flatMap(({ userId, topic }) => (userId !== null && isOptionalTopic(topic) ? [userId] : []));
  if (userIds.length === 0) return emails;
  const choices = await tx.db.select().from(notificationOptOuts).where(inArray(notificationOptOuts.userId, userIds));
  const off = new Set(choices.map(({ userId, topic }) => `${userId} ${topic}`));
  return emails.filter(({ userId, topic }) => !off.has(`${userId} ${topic}`));
}

type Counted = { to: string; topic: string; since: Date; creatorId?: number };

/** The number of emails about a topic, or of one creator about it, that were queued for an address, sent or not. */
export async function countEmails(ctx: Ctx, { to, topic, since, creatorId }: Counted) {
  const isIts = creatorId === undefined ? undefined : eq(outbox.creatorId, creatorId);
  return ctx.db.$count(outbox, and(eq(outbox.to, to), eq(outbox.topic, topic), gt(outbox.createdAt, since), isIts));
}

/** Those of the addresses for which so many emails about a topic were queued, sent or not. */
export async function listFull(
  { db }: Ctx,
  { emails, topic, since, most }: { emails: string[]; topic: string; since: Date; most: number },
): Promise<Set<string>> {
  const isOne = sql`${outbox.to} in (select jsonb_array_elements_text(${JSON.stringify(emails)}::text::jsonb))`;
  const rows = await db
    .select({ to: outbox.to })
    .from(outbox)
    .where(and(eq(outbox.topic, topic), gt(outbox.createdAt, since), isOne))
    .groupBy(outbox.to)
    .having(sql`count(*) >= ${most}`);
  return new Set(rows.map(({ to }) => to));
}

/** The number of emails about a topic that an account has caused since an instant, to any address. */
export async function countEmailsOf(
  ctx: Ctx,
  { userId, topic, since }: { userId: number; topic: string; since: Date },
) {
  return ctx.db.$count(outbox, and(eq(outbox.userId, userId), eq(outbox.topic, topic), gt(outbox.createdAt, since)));
}

/**
 * Deletes a person's emails and unsubscriptions. Rows of an address that they have not verified stay, because they may
 * belong to another person.
 */
export async function eraseEmails(
  tx: TxCtx,
  { id, email, emailVerifiedAt }: { id: number; email: string; emailVerifiedAt: Date | null },
): Promise<void> {
  await tx.db.delete(outbox).where(eq(outbox.userId, id));
  if (!emailVerifiedAt) return;
  await tx.db.delete(outbox).where(eq(outbox.to, email));
  await tx.db.delete(episodeEmailOptOuts).where(eq(episodeEmailOptOuts.email, email));
}

/** Deletes the emails that a condition on them finds, also those that wait. */
export async function eraseFoundEmails(tx: TxCtx, which: SQL): Promise<void> {
  await tx.db.delete(outbox).where(which);
}

/** Deletes old emails that were sent or failed permanently. */
export async function sweepOutbox(ctx: Ctx): Promise<void> {
  const settled = or(isNotNull(outbox.sentAt), isNotNull(outbox.failedAt));
  await ctx.db.delete(outbox).where(and(settled, lt(outbox.createdAt, earlier(ctx.now(), OUTBOX_LIMITS.retention))));
}

/** Returns a single email that is still waiting; null if it was sent or failed permanently. */
export async function lookupUnsentEmail(ctx: Ctx, emailId: string) {
  const [row] = await ctx.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.id, emailId), isNull(outbox.sentAt), isNull(outbox.failedAt), isNull(outbox.dueAt)));
  return row ?? null;
}
