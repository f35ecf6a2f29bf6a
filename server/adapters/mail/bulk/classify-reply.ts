import type { BulkResult } from './message';
import type { SmtpReply } from './smtp-reply';

/** The command that a server has answered. */
export type SmtpStep = 'reset' | 'mail' | 'rcpt' | 'data' | 'end';

/** Enhanced codes of addresses that don't exist (RFC 3463 §3.2, 3.3; RFC 7505). */
const HARD_STATUS = /^5\.(?:1\.(?:0|1|2|3|6|10)|2\.1)$/;
/** Basic codes, if there is no enhanced one. */
const HARD_CODES = [550, 551, 553];

/** The result of an email whose command `step` was answered. A rejection of the sender or the content is never hard. */
export function classifyReply(id: string, step: SmtpStep, { code, status, text }: SmtpReply): BulkResult {
  const answer = { id, code, ...(status && { status }), text };
  if (code < 400) return { ...answer, state: 'sent' };
  if (code < 500) return { ...answer, state: 'deferred' };
  const isHard = status ? isHardStatus(status) : step === 'rcpt' && HARD_CODES.includes(code);
  return { ...answer, state: 'bounced', isHard: isHard && step !== 'mail' };
}

/** Whether no email will ever reach the address. Full mailboxes and rejected contents are soft. */
export const isHardStatus = (status: string): boolean => HARD_STATUS.test(status);

/** Whether the receiving domain asks for fewer emails. */
export function asksToSlowDown({ state, code, status }: BulkResult): boolean {
  return state === 'deferred' && ([421, 450, 454].includes(code ?? 0) || (status?.startsWith('4.7.') ?? false));
}
