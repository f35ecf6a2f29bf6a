import { isHardCode, isHardStatus } from '../../../base/mail-status';
import type { BulkResult } from './message';
import type { SmtpReply } from './smtp-reply';

/** The command that a server has answered. */
export type SmtpStep = 'reset' | 'mail' | 'rcpt' | 'data' | 'end';

/** The result of an email whose command `step` was answered. A rejection of the sender or the content is never hard. */
export function classifyReply(id: string, step: SmtpStep, { code, status, text }: SmtpReply): BulkResult {
  const answer = { id, code, ...(status && { status }), text };
  if (code < 400) return { ...answer, state: 'sent' };
  if (code < 500) return { ...answer, state: 'deferred' };
  const isHard = status ? isHardStatus(status) : step === 'rcpt' && isHardCode(code);
  return { ...answer, state: 'bounced', isHard: isHard && step !== 'mail' };
}

/** Whether the receiving domain asks for fewer emails. */
export function asksToSlowDown({ state, code, status }: BulkResult): boolean {
  return state === 'deferred' && ([421, 450, 454].includes(code ?? 0) || (status?.startsWith('4.7.') ?? false));
}
