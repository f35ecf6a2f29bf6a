import { eq } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import type { Ctx } from '../../ctx';
import { LIMITS } from '../../limits';
import { lookupUnsent } from './outbox';

/**
 * Sends one mail of the outbox. Throws when it can't, so that the queue tries again; after the last attempt it is
 * marked as failed. A crash between sending and marking sends it twice under one Message-ID, which mail readers show once.
 */
export async function deliver(ctx: Ctx, { mailId }: { mailId: string }): Promise<void> {
  const mail = await lookupUnsent(ctx, mailId);
  if (!mail) return;
  const { id, to, subject, html, text } = mail;
  const attempts = mail.attempts + 1;
  try {
    await ctx.ports.mail.send({ id, to, subject, html, text });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const failedAt = attempts > LIMITS.mail.attempts ? ctx.now() : null;
    await ctx.db.update(outbox).set({ attempts, failure, failedAt }).where(eq(outbox.id, id));
    throw error;
  }
  await ctx.db.update(outbox).set({ attempts, sentAt: ctx.now(), failure: null }).where(eq(outbox.id, id));
}
