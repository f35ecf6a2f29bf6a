import { type ReceivedMessage, readMessage } from '../../bounces/read-message';
import type { Ctx } from '../../runtime/ctx';
import { leaveByEmail } from '../audience/leave-by-email';
import { stopByEmail } from '../notifications/stop-by-email';
import { recordDmarcReport } from './record-dmarc-report';
import { recordMailEvents } from './record-mail-events';
import { unzipReport } from './unzip-report';

export type MessageKind = 'bounce' | 'dmarc' | 'unsubscribe' | 'ignored';

/**
 * Handles an email that arrived at the address of bounces: a bounce or complaint, an email to unsubscribe, or a DMARC
 * report. Everything else is ignored. Repeating it changes nothing. @throws RejectedReport if it is too large
 */
export async function receiveMessage(ctx: Ctx, message: Buffer): Promise<MessageKind> {
  const received = await readMessage(message, {
    now: ctx.now(),
    unzip: unzipReport,
    server: ctx.settings.inboundServerId,
  });
  const kind = await handle(ctx, received);
  ctx.log.info({ kind }, 'message received');
  return kind;
}

async function handle(ctx: Ctx, received: ReceivedMessage): Promise<MessageKind> {
  if (received.kind === 'events') {
    await recordMailEvents(ctx, received.events);
    return 'bounce';
  }
  if (received.kind === 'dmarc') {
    const { report, signedBy } = received;
    return (await recordDmarcReport(ctx, report, signedBy)) ? 'dmarc' : 'ignored';
  }
  if (received.kind === 'other') return 'ignored';
  // a few addresses at most
  const left = await Promise.all(
    received.addresses.map(async (address) => (await leaveByEmail(ctx, address)) || stopByEmail(ctx, address)),
  );
  return left.includes(true) ? 'unsubscribe' : 'ignored';
}
