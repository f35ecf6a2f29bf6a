import type { BulkMessage, BulkResult } from '../../adapters/mail/bulk/message';
import { later } from '../../base/time';
import { BULK_EMAIL_LIMITS, MAIL_LIMITS } from '../../limits/notifications';
import { deliverBulkEmails as deliverJob } from '../../queue/jobs/newsletter';
import { type Ctx, transact } from '../../runtime/ctx';
import { markBounced } from '../audience/mark-bounced';
import type { ContactKey } from '../audience/queries';
import {
  type EmailOutcome,
  type LeasedEmail,
  leaseBulkEmails,
  recordEmailOutcomes,
} from '../notifications/bulk-outbox';
import { composeBulkEmail, findSendings, type Sending } from './bulk-emails';

/**
 * The job: sends emails in creators' names, such as those about new episodes, with the sender of newsletters: in batches
 * until none is due, or for some minutes; then it enqueues its continuation. Several workers can do it, because each
 * email is leased by one of them.
 */
export async function deliverBulkEmails(ctx: Ctx): Promise<void> {
  const end = later(ctx.now(), BULK_EMAIL_LIMITS.turn);
  for (;;) {
    const emails = await leaseBulkEmails(ctx);
    if (emails.length === 0) return;
    await sendBatch(ctx, emails);
    if (ctx.now() > end) break;
  }
  await transact(ctx, (tx) => tx.jobs.enqueue(deliverJob, {}));
}

async function sendBatch(ctx: Ctx, emails: LeasedEmail[]): Promise<void> {
  const sendings = await findSendings(ctx, emails);
  const byId = new Map(emails.map((email) => [email.id, email]));
  const messages: BulkMessage[] = [];
  const settled: EmailOutcome[] = [];
  for (const email of emails) {
    const { id, attempts } = email;
    const sending = sendings.get(id);
    // its lease has ended again and again
    if (attempts > MAIL_LIMITS.retryDelays.length + 1) settled.push({ id, attempts, state: 'unknown' });
    else if (!sending) settled.push({ id, attempts, state: 'skipped' });
    else compose(ctx, { email, sending, messages, settled });
  }
  await transact(ctx, (tx) => recordEmailOutcomes(tx, settled));
  await ctx.ports.bulkMail.send(messages, async (results) => {
    await ctx.reach('emails.sent');
    const outcomes = results.map((result) => toOutcome(result, byId.get(result.id)!));
    await record(ctx, outcomes, (id) => ({
      creatorId: sendings.get(id)!.creator.id,
      email: byId.get(id)!.to.toLowerCase(),
    }));
  });
}

type Composed = { email: LeasedEmail; sending: Sending; messages: BulkMessage[]; settled: EmailOutcome[] };

/** An email that can't be built must not keep the others from being sent. */
function compose(ctx: Ctx, { email, sending, messages, settled }: Composed): void {
  try {
    messages.push(composeBulkEmail(ctx, email, sending));
  } catch (error) {
    settled.push({ id: email.id, attempts: email.attempts, state: 'rejected', answer: String(error) });
  }
}

/** Listeners without a contact get these emails, too, so what ends is the address. */
async function record(ctx: Ctx, outcomes: EmailOutcome[], keyOf: (id: string) => ContactKey): Promise<void> {
  const gone = outcomes.filter(({ state }) => state === 'bounced').map(({ id }) => keyOf(id));
  await transact(ctx, async (tx) => {
    await recordEmailOutcomes(tx, outcomes);
    await markBounced(tx, { contactIds: [], addresses: gone });
  });
}

function toOutcome({ state, code, status, text, isHard, retryInMs }: BulkResult, leased: LeasedEmail): EmailOutcome {
  const outcome = {
    ...{ id: leased.id, attempts: leased.attempts, retryInMs },
    answer: [code, status, text].filter(Boolean).join(' '),
  };
  if (state === 'bounced') return { ...outcome, state: isHard ? 'bounced' : 'rejected' };
  // without a time to wait, the mail server was not reached: that counts as an attempt, so that an operator hears of it
  if (state === 'unsent') return { ...outcome, state: retryInMs === undefined ? 'deferred' : 'waits' };
  return { ...outcome, state };
}
