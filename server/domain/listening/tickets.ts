import { SECONDS, wholeSeconds } from '../../base/time';
import { LISTEN_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';
import { isSignature } from '../notifications/signed-tokens';
import { ticketInvalid, ticketTooEarly } from './errors';

const SIGNED_FOR = 'listen ticket';

/** A ticket allows one listen of one episode in one session. */
type Subject = { id: number; session: string };
type Signer = Pick<Ctx, 'vault' | 'now'>;

/**
 * Creates a ticket, which later proves that playback was started now. Nothing is stored: the ticket is signed with the
 * installation's secret.
 */
export function issueTicket(ctx: Signer, { id, session }: Subject): string {
  const issuedAt = ctx.now().getTime();
  return `${issuedAt}.${signatureOf(ctx, { id, session, issuedAt })}`;
}

/**
 * Allows a listen to be counted more than 60 seconds after its ticket was issued, and at most a day after it. A ticket
 * counts once, because its session counts each episode once (listens.ts).
 * @throws listening.ticket_invalid; listening.ticket_too_early with the `seconds` to wait
 */
export function checkTicket(ctx: Signer, { ticket = '', ...subject }: Subject & { ticket?: string }): void {
  const issuedAt = ticketIssuedAt(ctx, { ticket, ...subject });
  const wait = SECONDS(LISTEN_LIMITS.countedAfterSeconds) - (ctx.now().getTime() - issuedAt.getTime());
  if (wait >= 0) throw ticketTooEarly({ seconds: wholeSeconds(wait + 1) });
}

/** When a ticket was issued, less than a day ago. @throws listening.ticket_invalid */
export function ticketIssuedAt(ctx: Signer, { ticket = '', ...subject }: Subject & { ticket?: string }): Date {
  const [, issued = '', signature = ''] = /^(\d{1,15})\.([\w-]{20,100})$/.exec(ticket) ?? [];
  const issuedAt = Number(issued);
  const expected = signatureOf(ctx, { ...subject, issuedAt });
  const age = ctx.now().getTime() - issuedAt;
  const isValid = isSignature(signature, expected) && age < LISTEN_LIMITS.ticketValidFor;
  if (!isValid) throw ticketInvalid();
  return new Date(issuedAt);
}

const signatureOf = ({ vault }: Signer, { id, session, issuedAt }: Subject & { issuedAt: number }): string =>
  vault.fingerprint(`${id} ${session} ${issuedAt}`, SIGNED_FOR);
