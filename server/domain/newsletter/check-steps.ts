import { and, eq, exists, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { automationEmails, automationEnrolments, automations } from '~/db/schema/automations';
import { buyerStates } from '~/db/schema/buyers';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { SkipReason } from '~/db/values/automations';
import { utcMonth } from '../../base/time';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import type { TxCtx } from '../../runtime/ctx';
import { roomForEmails } from '../plans/quotas';
import { paysNow } from './edition-audience';
import type { Checked, LeasedRow } from './lease-emails';
import { mustWait, whySkipped } from './rules';

/**
 * Decides which leased emails of a step are sent: its recipients must still be those for whom it was written, and the
 * plan must have emails left in this month. Emails that are sent are counted at their first attempt. Thanks for a
 * subscription that is overdue or paused wait, and the later ones with them.
 */
export async function checkSteps(tx: TxCtx, editionId: number, rows: LeasedRow[]): Promise<Checked> {
  const facts = await factsOf(tx, editionId, rows);
  const refused = new Map<number, SkipReason>();
  const onHold: number[] = [];
  const wanted = rows.flatMap((row) => {
    const found = facts.get(Number(row.contact_id));
    const own = found && { ...found, mayGet: row.allowed, dueAt: new Date(row.was_due) };
    if (own && mustWait(own)) {
      onHold.push(Number(row.contact_id));
      return [];
    }
    const why = own ? whySkipped(own, tx.now()) : 'left';
    if (own && why === null) return [{ ...row, pays: own.pays }];
    refused.set(Number(row.contact_id), why ?? 'left');
    return [];
  });
  await postpone(tx, editionId, onHold);
  const fresh = wanted.filter(({ attempts }) => attempts === 1);
  const beyond = await takeRoom(tx, editionId, fresh);
  for (const id of beyond) refused.set(id, 'limit');
  return { allowed: wanted.filter(({ contact_id }) => !refused.has(Number(contact_id))), refused };
}

/** The emails of the people, and all that they get after them, wait: so the days in between stay. */
async function postpone(tx: TxCtx, editionId: number, contactIds: number[]): Promise<void> {
  if (contactIds.length === 0) return;
  const now = tx.now().toISOString();
  const wait = sql`make_interval(secs => ${AUTOMATION_LIMITS.holdCheck / 1000}::int)`;
  const isLeased = sql`r.edition_id = ${editionId}`;
  await tx.db.execute(sql`
    update ${editionRecipients} r set state = 'waiting',
      due_at = case when ${isLeased} then ${now}::timestamptz else r.due_at end + ${wait},
      attempts = r.attempts - case when ${isLeased} then 1 else 0 end
    where r.contact_id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(contactIds)}::text::jsonb))
      and (${isLeased} or (r.state = 'waiting' and r.due_at > ${now}::timestamptz and r.edition_id in (
        select other.id from ${editions} other join ${editions} own on own.automation_id = other.automation_id
        where own.id = ${editionId})))`);
}

async function factsOf(tx: TxCtx, editionId: number, rows: LeasedRow[]) {
  if (rows.length === 0) return new Map();
  const { trigger, creatorId } = automations;
  const found = await tx.db
    .select({
      id: contacts.id,
      trigger,
      hasLeft: sql<boolean>`${contacts.statusAt} > ${automationEnrolments.enrolledAt}`,
      keepsShow: sql<boolean>`${keepsShow(tx)}`,
      isOnHold: sql<boolean>`${isOnHold(tx)}`,
      pays: paysNow(tx, creatorId),
    })
    .from(automationEnrolments)
    .innerJoin(automations, eq(automations.id, automationEnrolments.automationId))
    .innerJoin(editions, eq(editions.automationId, automations.id))
    .innerJoin(contacts, eq(contacts.id, automationEnrolments.contactId))
    .where(
      and(
        eq(editions.id, editionId),
        inArray(
          automationEnrolments.contactId,
          rows.map(({ contact_id }) => Number(contact_id)),
        ),
      ),
    )
    .orderBy(contacts.id);
  return new Map(found.map(({ id, ...own }) => [id, own]));
}

/** Whether the contact's account has bought the show, or subscribes to it and has not cancelled. */
function keepsShow({ db, now }: TxCtx): SQL {
  return exists(
    db
      .select({ id: grants.id })
      .from(grants)
      .where(
        and(
          eq(grants.userId, contacts.userId),
          eq(grants.productId, automationEnrolments.productId),
          lte(grants.startsAt, now()),
          or(isNull(grants.endsAt), gt(grants.endsAt, now())),
          or(eq(grants.source, 'purchase'), and(eq(grants.source, 'subscription'), eq(grants.renews, true))),
        ),
      ),
  );
}

/** Whether the subscription of the contact's account is overdue or paused. */
function isOnHold({ db, now }: TxCtx): SQL {
  return exists(
    db
      .select({ id: buyerStates.userId })
      .from(buyerStates)
      .where(
        and(
          eq(buyerStates.userId, contacts.userId),
          eq(buyerStates.productId, automationEnrolments.productId),
          inArray(buyerStates.state, ['past_due', 'paused']),
          lte(buyerStates.begins, now()),
          gt(buyerStates.ends, now()),
        ),
      ),
  );
}

/** Counts the emails that the plan allows. @returns the contacts whose emails it does not */
async function takeRoom(tx: TxCtx, editionId: number, fresh: LeasedRow[]): Promise<number[]> {
  if (fresh.length === 0) return [];
  const [edition] = await tx.db
    .select({ creatorId: editions.creatorId })
    .from(editions)
    .where(eq(editions.id, editionId));
  if (!edition) return [];
  const room = await roomForEmails(tx, edition.creatorId);
  const taken = room === null ? fresh.length : Math.min(room, fresh.length);
  await countEmails(tx, edition.creatorId, taken);
  return fresh.slice(taken).map(({ contact_id }) => Number(contact_id));
}

/** @param emails negative for emails that were counted and did not leave */
export async function countEmails(tx: TxCtx, creatorId: number, emails: number): Promise<void> {
  if (emails === 0) return;
  const month = `${utcMonth(tx.now())}-01`;
  await tx.db
    .insert(automationEmails)
    .values({ creatorId, month, emails: Math.max(0, emails) })
    .onConflictDoUpdate({
      target: [automationEmails.creatorId, automationEmails.month],
      set: { emails: sql`greatest(0, ${automationEmails.emails} + ${emails}::int)` },
    });
}
