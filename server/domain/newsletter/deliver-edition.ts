import { and, eq, exists, inArray, isNotNull, min, or, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { BulkResult } from '../../adapters/mail/bulk/message';
import { later } from '../../base/time';
import { SENDING_LIMITS } from '../../limits/newsletter';
import { deliverEdition as deliverJob } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { composeMailing, type Mailing } from './compose-mailing';
import { type Leased, leaseEmails, type Outcome, recordOutcomes } from './lease-emails';
import { lookupOwnSender, type OwnSender } from './own-sender';
import { reserveShare } from './reserve-share';

/**
 * The job: sends the emails of an edition in batches until nobody waits, or for some minutes; then it enqueues its
 * continuation. Several workers can send one edition, because each recipient is leased by one of them. The first batches
 * are sent one by one, so that bad results stop the next one. Then two are under way: while the database leases and
 * records one, the mail server gets the other.
 */
export async function deliverEdition(ctx: Ctx, { editionId }: { editionId: number }): Promise<void> {
  const [edition] = await ctx.db.select().from(editions).where(eq(editions.id, editionId));
  if (edition?.status !== 'sending' || edition.automationId !== null) return;
  const own = await lookupOwnSender(ctx, edition.creatorId);
  const mailing = await composeMailing(ctx, edition, own);
  const turn = { editionId, mailing, own, end: later(ctx.now(), SENDING_LIMITS.turn), sent: 0, isOver: false };
  await sendInTurn(ctx, turn, { upTo: SENDING_LIMITS.watched, batch: SENDING_LIMITS.batch });
  const further = { upTo: Number.POSITIVE_INFINITY, batch: SENDING_LIMITS.furtherBatch };
  const lanes = await Promise.allSettled([1, 2].map(() => sendInTurn(ctx, turn, further)));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  await endOrContinue(ctx, editionId);
}

/** What the lanes of a job share. `isOver`: nobody waits, the time is up, or one of them has failed. */
type Turn = { editionId: number; mailing: Mailing; own: OwnSender | null; end: Date; sent: number; isOver: boolean };

/** Sends one batch after the other, until so many emails have been sent in this turn. */
async function sendInTurn(ctx: Ctx, turn: Turn, { upTo, batch }: { upTo: number; batch: number }): Promise<void> {
  const { editionId, mailing, own, end } = turn;
  try {
    while (!turn.isOver && turn.sent < upTo) {
      const { leased, done } = await leaseEmails(ctx, editionId, batch);
      if (!done) await sendBatch(ctx, editionId, { leased, mailing, own });
      turn.sent += leased.length;
      turn.isOver ||= done || ctx.now() > end;
    }
  } catch (error) {
    turn.isOver = true;
    throw error;
  }
}

type Batch = {
  leased: Leased[];
  mailing: Mailing;
  own?: OwnSender | null;
  takeBack?: Parameters<typeof recordOutcomes>[3];
};

/** Sends leased emails, and records what became of them. */
export async function sendBatch(ctx: Ctx, editionId: number, batch: Batch): Promise<void> {
  const { leased, mailing, own = null, takeBack } = batch;
  const contactIds = leased.map(({ contactId }) => contactId);
  const fromOwn = own ? await reserveShare(ctx, { editionId, domainId: own.domainId, contactIds }) : new Set<number>();
  const byId = new Map(leased.map((one) => [String(one.contactId), one]));
  await ctx.ports.bulkMail.send(
    leased.map((one) => mailing(one, fromOwn.has(one.contactId))),
    async (results) => {
      const outcomes = results.map((result) => toOutcome(result, byId.get(result.id)!));
      await recordOutcomes(ctx, editionId, outcomes, takeBack);
    },
  );
}

function toOutcome({ state, code, status, text, isHard, retryInMs }: BulkResult, leased: Leased): Outcome {
  const { contactId, attempts } = leased;
  return { contactId, attempts, state, isHard, retryInMs, answer: [code, status, text].filter(Boolean).join(' ') };
}

/**
 * The last email ends the edition, also one that was cancelled while its last emails left: it reached everybody. What was
 * deferred is sent when it is due.
 */
async function endOrContinue(ctx: Ctx, editionId: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const isOpen = and(
      eq(editionRecipients.editionId, editionId),
      sql`${editionRecipients.state} in ('waiting', 'leased')`,
    );
    const [row] = await tx.db
      .select({ next: min(editionRecipients.dueAt) })
      .from(editionRecipients)
      .where(isOpen);
    const now = tx.now();
    if (row?.next) {
      // rows that another worker holds now are due already: it is asked again a little later
      const soon = later(now, SENDING_LIMITS.unsentDelay);
      const isStopped = await endIfStopped(tx, editionId);
      if (!isStopped)
        await tx.jobs.enqueue(
          deliverJob,
          { editionId },
          { at: new Date(Math.max(row.next.getTime(), soon.getTime())) },
        );
      return;
    }
    await tx.db
      .update(editions)
      .set({ status: 'sent', endedAt: now, updatedAt: now })
      .where(and(eq(editions.id, editionId), inArray(editions.status, ['sending', 'cancelled'])));
  });
}

/** A creator who was taken down, or whose page was closed, sends nothing more. */
async function endIfStopped(tx: TxCtx, editionId: number): Promise<boolean> {
  const now = tx.now();
  const mayNot = or(
    isNotNull(creators.closedAt),
    isNotNull(creators.takenDownAt),
    isNotNull(creators.publishingStoppedAt),
  );
  const owner = tx.db
    .select({ id: creators.id })
    .from(creators)
    .where(and(eq(creators.id, editions.creatorId), mayNot));
  const ended = await tx.db
    .update(editions)
    .set({ status: 'cancelled', endedAt: now, updatedAt: now })
    .where(and(eq(editions.id, editionId), eq(editions.status, 'sending'), exists(owner)))
    .returning({ id: editions.id });
  return ended.length > 0;
}
