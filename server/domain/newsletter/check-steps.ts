import { and, eq, exists, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { automationEmails, automationEnrolments, automations } from '~/db/schema/automations';
import { editions } from '~/db/schema/newsletter';
import type { SkipReason } from '~/db/values/automations';
import { utcMonth } from '../../base/time';
import type { TxCtx } from '../../runtime/ctx';
import { roomForEmails } from '../plans/quotas';
import { paysNow } from './edition-audience';
import type { Checked, LeasedRow } from './lease-emails';
import { whySkipped } from './rules';

/**
 * Decides which leased emails of a step are sent: its recipients must still be those for whom it was written, and the
 * plan must have emails left in this month. Emails that are sent are counted at their first attempt.
 */
export async function checkSteps(tx: TxCtx, editionId: number, rows: LeasedRow[]): Promise<Checked> {
  const facts = await factsOf(tx, editionId, rows);
  const refused = new Map<number, SkipReason>();
  const wanted = rows.flatMap((row) => {
    const own = facts.get(Number(row.contact_id));
    const dueAt = new Date(row.was_due);
    const why = own ? whySkipped({ ...own, mayGet: row.allowed, dueAt }, tx.now()) : 'left';
    if (own && why === null) return [{ ...row, pays: own.pays }];
    refused.set(Number(row.contact_id), why ?? 'left');
    return [];
  });
  const fresh = wanted.filter(({ attempts }) => attempts === 1);
  const beyond = await takeRoom(tx, editionId, fresh);
  for (const id of beyond) refused.set(id, 'limit');
  return { allowed: wanted.filter(({ contact_id }) => !refused.has(Number(contact_id))), refused };
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
