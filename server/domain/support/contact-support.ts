import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, isNotNull, lt, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contactMessages } from '~/db/schema/support';
import { earlier, wholeSeconds } from '../../base/time';
import { CONTACT_LIMITS } from '../../limits/support';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueEmail } from '../notifications/outbox';
import { tooManyMessages } from './errors';
import type { SendMessage } from './schema';

/**
 * Stores a message and emails it to the operator, who answers with an ordinary reply. The sender gets no copy, because
 * the form could otherwise send emails to any address. @throws support.too_many_messages
 */
export async function sendMessage(ctx: Ctx, input: SendMessage): Promise<void> {
  const userId = ctx.actor.type === 'user' ? ctx.actor.userId : null;
  await transact(ctx, async (tx) => {
    const threadId = await findThread(tx, input.email);
    const { language } = ctx;
    await tx.db.insert(contactMessages).values({ ...input, threadId, userId, language, createdAt: tx.now() });
    await queueForOperator(tx, input, threadId);
  });
}

/** The conversation that a message from this address continues, or a new one. @throws support.too_many_messages */
async function findThread(tx: TxCtx, email: string): Promise<string> {
  // concurrent messages from one address are counted one after the other
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`);
  const since = (age: number) =>
    and(eq(contactMessages.email, email), gt(contactMessages.createdAt, earlier(tx.now(), age)));
  const { perAddress, window, thread } = CONTACT_LIMITS;
  if ((await tx.db.$count(contactMessages, since(window))) >= perAddress)
    throw tooManyMessages({ email: tx.settings.operator.email, seconds: wholeSeconds(window) });
  const [last] = await tx.db
    .select({ threadId: contactMessages.threadId })
    .from(contactMessages)
    .where(since(thread))
    .orderBy(desc(contactMessages.createdAt))
    .limit(1);
  return last?.threadId ?? randomUUID();
}

async function queueForOperator(
  tx: TxCtx,
  { name, email, subject, text }: SendMessage,
  threadId: string,
): Promise<void> {
  const root = `<contact.${threadId}@${new URL(tx.urls.settings.appUrl).hostname}>`;
  await queueEmail(tx, {
    to: tx.settings.operator.email,
    userId: null,
    topic: 'contact',
    language: tx.language,
    subject,
    content: {
      heading: subject,
      paragraphs: text.split(/\n{2,}/),
      footer: tx.translate('mail:contact.footer', { name, email }),
    },
    // a person wrote it, so help desks may send an automatic answer
    headers: { 'Reply-To': email, References: root, 'In-Reply-To': root, 'Auto-Submitted': 'no' },
  });
}

/** Deletes messages that are older than the privacy policy allows. */
export async function sweepMessages(ctx: Ctx): Promise<void> {
  await ctx.db.delete(contactMessages).where(lt(contactMessages.createdAt, earlier(ctx.now(), CONTACT_LIMITS.kept)));
}

/** Deletes a person's messages, written while logged in or with the same verified address. Repeating it is harmless. */
export async function eraseMessages(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const address = ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  await ctx.db
    .delete(contactMessages)
    .where(or(eq(contactMessages.userId, userId), sql`${contactMessages.email} = (${address})`));
}
