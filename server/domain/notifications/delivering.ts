import { eq } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import type { Ctx } from '../../ctx';
import { MAIL_LIMITS } from '../../limits/notifications';
import { lookupUnsentEmail } from './outbox';

/**
 * Sends one email from the outbox. Throws on failure so that the queue retries; the last attempt marks the email as
 * failed. A crash between sending and marking sends it twice with the same Message-ID, which mail clients show once.
 */
export async function deliverEmail(ctx: Ctx, { emailId }: { emailId: string }): Promise<void> {
  const email = await lookupUnsentEmail(ctx, emailId);
  if (!email) return;
  const { id, to, subject, html, text } = email;
  const attempts = email.attempts + 1;
  try {
    await ctx.ports.mail.send({ id, to, subject, html, text });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const failedAt = attempts > MAIL_LIMITS.attempts ? ctx.now() : null;
    await ctx.db.update(outbox).set({ attempts, failure, failedAt }).where(eq(outbox.id, id));
    throw error;
  }
  await ctx.db.update(outbox).set({ attempts, sentAt: ctx.now(), failure: null }).where(eq(outbox.id, id));
}
