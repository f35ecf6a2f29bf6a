import { and, between, eq, exists, isNull, lte, notExists, or, type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { editionLinks, editionRecipients, editions } from '~/db/schema/newsletter';
import { AppError } from '../../base/errors';
import { earlier, later } from '../../base/time';
import { EDITING_LIMITS, SENDING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { deliverEdition, startEdition as startJob } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { lockCreator } from '../creators/queries';
import { requirePublishing } from '../creators/suspend-publishing';
import { requireRoomForEmails } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { paysNow, tellsBuyers, whereReached } from './edition-audience';
import { freeEditionSlug } from './edition-slugs';
import {
  contentRequired,
  editionChanged,
  editionNotSending,
  editionSent,
  nobodyToSendTo,
  notReady,
  scheduleInPast,
  scheduleTooFar,
  titleRequired,
} from './errors';
import { requireNewsletter } from './newsletter-settings';
import { whyNotReady } from './preview-edition';
import { type EditionRow, lockOrdinary } from './queries';
import { countedLinks } from './render-edition';
import { isOpen, isTooLate } from './rules';
import type { FindEdition, SendEdition } from './schema';

/**
 * Sends an edition now, or at a time. Repeating it sends nothing twice, because only an edition that waits can start.
 * @throws newsletter.settings_not_defined, newsletter.edition_not_found, newsletter.edition_changed,
 * newsletter.edition_sent, newsletter.title_required, newsletter.content_required, newsletter.schedule_in_past,
 * newsletter.nobody, plan.max_emails, account.email_not_verified, creator.publishing_stopped, common.role_not_allowed
 */
export async function sendEdition(ctx: Ctx, { id, revision, sendAt }: SendEdition): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await requireVerifiedEmail(ctx);
  await requireNewsletter(ctx, creatorId);
  await transact(ctx, async (tx) => {
    const edition = await lockOrdinary(tx, { creatorId, id });
    if (!isOpen(edition.status)) throw editionSent();
    if (edition.revision !== revision) throw editionChanged();
    await requireReady(tx, edition);
    // of those who pay, the count tells how many they are
    if (await tellsBuyers(tx, creatorId, edition.audience)) authorize(tx, 'product.readBuyers', { creatorId });
    if (sendAt) await schedule(tx, edition, sendAt);
    else await startSending(tx, edition);
    const action = sendAt ? 'edition.scheduled' : 'edition.sent';
    await recordActivity(tx, { creatorId, action, subjectId: id, params: { name: edition.title } });
  });
}

async function requireReady(tx: TxCtx, edition: EditionRow): Promise<void> {
  if (edition.title === '') throw titleRequired();
  if (edition.content === '') throw contentRequired();
  const why = await whyNotReady(tx, edition);
  if (why) throw notReady({ why });
}

async function schedule(tx: TxCtx, { id, revision }: EditionRow, scheduledAt: Date): Promise<void> {
  if (scheduledAt <= tx.now()) throw scheduleInPast();
  if (scheduledAt > later(tx.now(), EDITING_LIMITS.scheduleAhead)) throw scheduleTooFar();
  await tx.db
    .update(editions)
    .set({ status: 'scheduled', scheduledAt, problem: null, revision: revision + 1, updatedAt: tx.now() })
    .where(eq(editions.id, id));
  await tx.jobs.enqueue(startJob, { editionId: id }, { at: scheduledAt });
}

/** Freezes the recipients and enqueues the work, in one transaction: from now on, the audience does not change. */
async function startSending(tx: TxCtx, edition: EditionRow): Promise<void> {
  const { id, creatorId } = edition;
  // of two concurrent editions, the second one counts the first, and gets another slug
  await lockCreator(tx, creatorId);
  await requirePublishing(tx, creatorId);
  const recipients = await freezeRecipients(tx, edition);
  if (recipients === 0) throw nobodyToSendTo();
  await requireRoomForEmails(tx, { creatorId, more: recipients });
  const now = tx.now();
  const slug = edition.slug ?? (await freeEditionSlug(tx, edition));
  const state = { status: 'sending', startedAt: now, problem: null, slug, recipients } as const;
  await tx.db
    .update(editions)
    .set({ ...state, revision: edition.revision + 1, updatedAt: now })
    .where(eq(editions.id, id));
  const hrefs = await countedLinks(tx, edition);
  if (hrefs.length > 0)
    await tx.db.insert(editionLinks).values(hrefs.map((href, position) => ({ editionId: id, position, href })));
  await markCreatorChanged(tx, creatorId);
  await tx.jobs.enqueue(deliverEdition, { editionId: id });
}

/** @returns the number of recipients */
async function freezeRecipients(tx: TxCtx, { id, creatorId, audience }: EditionRow): Promise<number> {
  const reached = await whereReached(tx, creatorId, audience);
  const rows = await tx.db.execute(sql`
    insert into ${editionRecipients} (edition_id, contact_id, pays, due_at)
    select ${id}::bigint, ${contacts.id}, ${paysNow(tx, creatorId)}, ${tx.now().toISOString()}::timestamptz
    from ${contacts} where ${reached}`);
  return rows.count;
}

/**
 * The job: starts a scheduled edition. One that is hours late stays, because its creator is asked first; one that can't
 * be sent says why.
 */
export async function startScheduled(ctx: Ctx, { editionId }: { editionId: number }): Promise<void> {
  try {
    await transact(ctx, async (tx) => {
      const [edition] = await tx.db.select().from(editions).where(eq(editions.id, editionId)).for('update');
      const { status, scheduledAt } = edition ?? {};
      if (!edition || status !== 'scheduled' || !scheduledAt || scheduledAt > tx.now()) return;
      if (isTooLate(scheduledAt, tx.now())) return;
      await requireNewsletter(tx, edition.creatorId);
      // it may have been changed since it was scheduled
      await requireReady(tx, edition);
      await startSending(tx, edition);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // it may have been scheduled anew meanwhile
    const isIts = and(
      eq(editions.id, editionId),
      eq(editions.status, 'scheduled'),
      lte(editions.scheduledAt, ctx.now()),
    );
    await ctx.db.update(editions).set({ status: 'draft', problem: error.code, updatedAt: ctx.now() }).where(isIts);
  }
}

/**
 * Ends a sending, or takes a scheduled edition back. Who has the email keeps it; nobody else gets it.
 * @throws newsletter.edition_not_found, newsletter.edition_not_sending, common.role_not_allowed
 */
export async function cancelEdition(ctx: Ctx, { id }: FindEdition): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const { status, title, revision } = await lockOrdinary(tx, { creatorId, id });
    if (status !== 'scheduled' && status !== 'sending') throw editionNotSending();
    const now = tx.now();
    const state: Partial<EditionRow> = status === 'scheduled' ? { status: 'draft' } : await cancelled(tx, id);
    await tx.db
      .update(editions)
      .set({ ...state, revision: revision + 1, updatedAt: now })
      .where(eq(editions.id, id));
    await markCreatorChanged(tx, creatorId);
    await recordActivity(tx, { creatorId, action: 'edition.cancelled', subjectId: id, params: { name: title } });
  });
}

/**
 * An edition that reached nobody is not in the archive, and only emails that left count towards the plan. If all have left
 * already, there is nothing to cancel.
 */
async function cancelled(tx: TxCtx, id: number): Promise<Partial<EditionRow>> {
  const own = eq(editionRecipients.editionId, id);
  const waiting = await tx.db.$count(editionRecipients, and(own, eq(editionRecipients.state, 'waiting')));
  const leased = await tx.db.$count(editionRecipients, and(own, eq(editionRecipients.state, 'leased')));
  const total = await tx.db.$count(editionRecipients, own);
  const isUnseen = waiting === total;
  return {
    status: waiting + leased > 0 ? 'cancelled' : 'sent',
    endedAt: tx.now(),
    recipients: total - waiting,
    ...(isUnseen && { isInArchive: false }),
  };
}

/** Enqueues what a crash or a lost job has left: scheduled editions that are due, and those that are being sent. */
export async function recoverEditions(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const longAgo = earlier(now, SENDING_LIMITS.recoverAfter);
  await transact(ctx, async (tx) => {
    const due = await tx.db
      .select({ editionId: editions.id })
      .from(editions)
      // those that are later wait for an answer of their creators
      .where(
        and(
          eq(editions.status, 'scheduled'),
          between(editions.scheduledAt, earlier(now, EDITING_LIMITS.lateAfter), now),
        ),
      )
      .orderBy(editions.id)
      .limit(SENDING_LIMITS.batch);
    await tx.jobs.enqueueAll(startJob, due);
    const sending = await tx.db
      .select({ editionId: editions.id })
      .from(editions)
      .where(
        and(
          isNull(editions.automationId),
          sql`${editions.status} = 'sending'`,
          lte(editions.updatedAt, longAgo),
          needsJob(tx, longAgo),
        ),
      )
      .orderBy(editions.id)
      .limit(SENDING_LIMITS.batch);
    await tx.jobs.enqueueAll(deliverEdition, sending);
  });
}

/** Something has been due for long, or nothing waits and nobody has ended it. What is deferred has a job already. */
function needsJob({ db }: TxCtx, longAgo: Date): SQL | undefined {
  const waits = (more?: SQL) =>
    db
      .select({ id: editionRecipients.contactId })
      .from(editionRecipients)
      .where(
        and(
          eq(editionRecipients.editionId, editions.id),
          sql`${editionRecipients.state} in ('waiting', 'leased')`,
          more,
        ),
      );
  return or(exists(waits(lte(editionRecipients.dueAt, longAgo))), notExists(waits()));
}
