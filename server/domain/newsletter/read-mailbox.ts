import { isDatabaseAway } from '../../base/database-errors';
import { RejectedReport } from '../../bounces/mail-event';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { receiveMessage } from './receive-message';

/**
 * The job: reads the mailbox with bounces, some messages a turn. A message is marked as done after its changes are
 * committed, so a killed job repeats it without harm. One that can't be handled is flagged and never blocks the next.
 */
export async function readMailbox(ctx: Ctx): Promise<void> {
  const { mailbox } = ctx.ports;
  if (!mailbox) return;
  const limits = { messages: INBOUND_LIMITS.messages, bytes: INBOUND_LIMITS.messageBytes };
  const read = await mailbox.readNew(limits, (message) => receive(ctx, message));
  if (read > 0) ctx.log.info({ messages: read }, 'mailbox read');
}

/** @returns whether it could be handled @throws if the database is away: the message then stays new */
async function receive(ctx: Ctx, message: Buffer): Promise<boolean> {
  try {
    await receiveMessage(ctx, message);
    return true;
  } catch (err) {
    for (let error = err; error instanceof Error; error = error.cause) if (isDatabaseAway(error)) throw err;
    ctx.log[err instanceof RejectedReport ? 'info' : 'error']({ err }, 'message not handled');
    return false;
  }
}
