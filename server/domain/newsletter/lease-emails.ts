import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { contacts, trackingConsents } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { SkipReason } from '~/db/values/automations';
import type { DeliveryState } from '~/db/values/editions';
import type { Language } from '~/locales/languages';
import { later } from '../../base/time';
import { SENDING_LIMITS } from '../../limits/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockContacts, markBounced } from '../audience/mark-bounced';
import { isActive } from '../audience/queries';
import { isAllowed } from '../audience/suppressions';
import { dropWaiting } from './drop-waiting';
import { findUnreachable } from './find-unreachable';
import { mustStop, nextAttempt } from './rules';

/** A recipient whose email only this worker may send until the lease ends. `attempts`: with this one. */
export type Leased = {
  contactId: number;
  email: string;
  name: string;
  language: Language;
  pays: boolean;
  /** Whether the creator may see when this person last read. */
  isTracked: boolean;
  attempts: number;
};

/**
 * Leases the next recipients of an edition that is being sent. Those who have left since it was frozen, or whose address
 * was suppressed, are skipped. Leases that have ended return: a killed worker may have sent those emails, so a lease that
 * ends again and again leaves the email as unknown.
 * @param check decides which of them are sent
 * @returns `done`: nobody waits any more, but others may still be sending
 */
export async function leaseEmails(
  ctx: Ctx,
  editionId: number,
  batch: number = SENDING_LIMITS.batch,
  check: Check = checkContacts,
): Promise<{ leased: Leased[]; done: boolean }> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    // statistics know nothing of an edition that was just frozen: with its id as a constant, a plan may compare all of
    // its rows with all of the batch
    const until = later(now, SENDING_LIMITS.lease).toISOString();
    const rows = (await tx.db.execute(sql`
      with due as (
        select edition_id, contact_id, due_at from ${editionRecipients}
        where edition_id = ${editionId} and state in ('waiting', 'leased') and due_at <= ${now.toISOString()}::timestamptz
          and exists (select from ${editions} e join ${creators} c on c.id = e.creator_id
            where e.id = ${editionId} and e.status = 'sending' and c.closed_at is null and c.taken_down_at is null
            and c.publishing_stopped_at is null)
        order by due_at limit ${batch} for update skip locked
      ), leased as (
        update ${editionRecipients} r set due_at = ${until}::timestamptz, attempts = attempts + 1,
          state = case when attempts < ${SENDING_LIMITS.leases} then 'leased' else 'unknown' end
        from due where r.edition_id = due.edition_id and r.contact_id = due.contact_id
        returning r.contact_id, r.pays, r.attempts, r.state, due.due_at as was_due
      )
      select leased.contact_id, leased.pays, leased.attempts, ${contacts.email} as email, ${contacts.name} as name,
        ${contacts.language} as language, (${isActive()} and ${isAllowed()}) as allowed,
        leased.state, leased.was_due, ${isTracked(editionId)} as tracked
      from leased join ${contacts} on ${contacts.id} = leased.contact_id`)) as unknown as LeasedRow[];
    const current = rows.filter(({ state }) => state === 'leased');
    const { allowed, refused } = await check(tx, editionId, current);
    if (refused.size > 0) await skip(tx, editionId, refused);
    return { leased: allowed.map(toLeased), done: rows.length === 0 };
  });
}

/** The setting is read once, and consents only while it is on. */
const isTracked = (editionId: number) => sql`
  case when (select c.tracks_readers_since is not null from ${editions} e join ${creators} c on c.id = e.creator_id
      where e.id = ${editionId})
    then exists (select from ${trackingConsents} t where t.contact_id = ${contacts.id} and t.withdrawn_at is null)
    else false end`;

/** `refused`: the contacts whose emails are skipped, with the reason that is stored. */
export type Checked = { allowed: LeasedRow[]; refused: Map<number, SkipReason | null> };
type Check = (tx: TxCtx, editionId: number, rows: LeasedRow[]) => Promise<Checked>;

const checkContacts: Check = async (_, __, rows) => ({
  allowed: rows.filter(({ allowed }) => allowed),
  refused: new Map(rows.filter(({ allowed }) => !allowed).map(({ contact_id }) => [Number(contact_id), null])),
});

async function skip(tx: TxCtx, editionId: number, refused: Checked['refused']): Promise<void> {
  // no constants, as above
  const rows = [...refused].map(([contactId, reason]) => ({ editionId, contactId, reason }));
  await tx.db.execute(sql`
    update ${editionRecipients} r
    set state = 'skipped', due_at = null, settled_at = ${tx.now().toISOString()}::timestamptz, answer = o.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as o ("editionId" bigint, "contactId" bigint, reason text)
    where r.edition_id = o."editionId" and r.contact_id = o."contactId"`);
}

export type LeasedRow = {
  contact_id: string;
  pays: boolean;
  attempts: number;
  email: string;
  name: string;
  language: Language;
  allowed: boolean;
  tracked: boolean;
  state: DeliveryState;
  /** When it was due before it was leased. */
  was_due: string;
};

const toLeased = ({ contact_id, allowed: _, state: __, was_due: ___, tracked, ...row }: LeasedRow): Leased => ({
  ...row,
  isTracked: tracked,
  contactId: Number(contact_id),
});

/** What became of one email. `unsent`: it certainly did not reach the server, so it is sent again at once. */
export type Outcome = {
  contactId: number;
  attempts: number;
  state: 'sent' | 'deferred' | 'bounced' | 'unsent' | 'unknown';
  /** Whether the address will never accept an email. */
  isHard?: boolean;
  /** How long its receiving domain is slowed down. */
  retryInMs?: number;
  answer?: string;
};

/**
 * Records a batch of outcomes. Only a row that is still leased by this worker changes: an email that a bounce has settled
 * meanwhile keeps that, and so does one that another worker has leased since. Ends the emails to addresses that do not
 * exist, or from which emails have come back for weeks, and stops the edition if too many of the first ones bounced. Nothing waits for another attempt in a step that was removed.
 * @param takeBack gets the number of emails that wait again as if nothing had been tried, in the same transaction
 */
export async function recordOutcomes(
  ctx: Ctx,
  editionId: number,
  outcomes: Outcome[],
  takeBack: TakeBack = async () => {},
): Promise<void> {
  if (outcomes.length === 0) return;
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const gone = outcomes.filter(({ isHard }) => isHard).map(({ contactId }) => contactId);
    const returned = outcomes.filter((outcome) => !outcome.isHard && hasReturned(outcome, now));
    const soft = returned.map(({ contactId }) => contactId);
    await lockContacts(tx, { contactIds: [...gone, ...soft], addresses: [] });
    // no constants, as above; in the order in which reports and deletions lock them
    const inOrder = [...outcomes].sort((a, b) => a.contactId - b.contactId);
    const rows = inOrder.map((outcome) => ({
      editionId,
      former: 'leased',
      contactId: outcome.contactId,
      attempts: outcome.attempts,
      is_unsent: outcome.state === 'unsent',
      ...settled(outcome, now),
    }));
    const recorded = await tx.db.execute<{ is_untried: boolean }>(sql`
      update ${editionRecipients} r
      set state = o.state, due_at = o.due_at, answer = o.answer, settled_at = o.settled_at,
        attempts = r.attempts - case when o.is_unsent then 1 else 0 end
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as o
        ("editionId" bigint, former text, "contactId" bigint, attempts integer, state text, due_at timestamptz, answer text, settled_at timestamptz, is_unsent boolean)
      where r.edition_id = o."editionId" and r.contact_id = o."contactId" and r.state = o.former
        and r.attempts = o.attempts
      returning o.is_unsent and r.attempts = 0 as is_untried`);
    const unreachable = await findUnreachable(tx, soft);
    await markBounced(tx, { contactIds: [...gone, ...unreachable], addresses: [] });
    if (outcomes.some(({ state }) => state === 'bounced')) await stopIfBad(tx, editionId);
    // recipients first, then the edition: removing a step relies on this order of locks
    const [edition] = await tx.db
      .update(editions)
      .set({ updatedAt: now })
      .where(eq(editions.id, editionId))
      .returning({ removedAt: editions.removedAt });
    if (edition?.removedAt) await dropWaiting(tx, [editionId]);
    await takeBack(tx, recorded.filter(({ is_untried }) => is_untried).length);
  });
}

type TakeBack = (tx: TxCtx, emails: number) => Promise<void>;

type SettledRow = { state: DeliveryState; due_at: Date | null; answer: string | null; settled_at: Date | null };
const ANSWER_LENGTH = 300;

function settled({ state, attempts, retryInMs = 0, answer = '' }: Outcome, now: Date): SettledRow {
  // half a character, which a cut can leave, is no JSON
  const text = answer.slice(0, ANSWER_LENGTH).toWellFormed().replaceAll('\0', '') || null;
  const soon = later(now, Math.max(retryInMs, SENDING_LIMITS.unsentDelay));
  if (state === 'unsent') return { state: 'waiting', due_at: soon, answer: null, settled_at: null };
  const again = state === 'deferred' ? nextAttempt(attempts, now) : null;
  if (again) return { state: 'waiting', due_at: again, answer: text, settled_at: null };
  return { state: state === 'deferred' ? 'failed' : state, due_at: null, answer: text, settled_at: now };
}

/** Whether an email will not be tried again, although its mail server answered. */
const hasReturned = (outcome: Outcome, now: Date): boolean =>
  ['bounced', 'failed'].includes(settled(outcome, now).state);

const WATCHED_STATES = ['sent', 'bounced', 'complained'] as const;

/** Also called when a bounce or a complaint arrives later. The first results are those of the oldest contacts. */
export async function stopIfBad(tx: TxCtx, editionId: number): Promise<void> {
  const first = tx.db
    .select({
      state: editionRecipients.state,
      place: sql<number>`row_number() over (order by ${editionRecipients.contactId})`.as('place'),
    })
    .from(editionRecipients)
    .where(and(eq(editionRecipients.editionId, editionId), inArray(editionRecipients.state, [...WATCHED_STATES])))
    .orderBy(editionRecipients.contactId)
    // only the first results decide, so that a long list is not counted again and again
    .limit(SENDING_LIMITS.watched + 1)
    .as('first');
  const isLater = sql<boolean>`${first.place} > ${SENDING_LIMITS.watched}`;
  const rows = await tx.db
    .select({ state: first.state, isLater: isLater.as('is_later'), count: count() })
    .from(first)
    .groupBy(first.state, sql`is_later`);
  const watched = rows.filter((row) => !row.isLater).map(({ state, count: number }) => [state, number]);
  const tally = { sent: 0, bounced: 0, complained: 0, ...Object.fromEntries(watched) };
  if (
    !mustStop(
      tally,
      rows.some((row) => row.isLater),
    )
  )
    return;
  const now = tx.now();
  await tx.db
    .update(editions)
    .set({ status: 'stopped', endedAt: now, updatedAt: now })
    .where(and(eq(editions.id, editionId), eq(editions.status, 'sending')));
}
