import type { Ctx } from '../../runtime/ctx';
import { resendFailedEmails } from '../notifications/deliver-email';
import { type Operator, recordOperation } from '../operators/record-operation';
import { nothingToDo } from './errors';

/**
 * Sends one failed email or all of them again, after the mail server has recovered. The processes that run jobs send
 * them.
 * @returns the number of emails
 */
export function resendEmails(ctx: Ctx, { operator, id }: { operator: Operator; id?: string }): Promise<number> {
  const target = id ? `email/${id}` : 'emails';
  return resendFailedEmails(
    ctx,
    (tx, ids) => recordOperation(tx, operator, { action: 'mail.resent', target, details: { emails: ids.length } }),
    id,
  );
}

/** @throws console.nothing_to_do if the email was sent or does not exist */
export async function resendEmail(ctx: Ctx, step: { operator: Operator; id: string }): Promise<void> {
  if ((await resendEmails(ctx, step)) === 0) throw nothingToDo();
}
