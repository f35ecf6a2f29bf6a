import { and, eq, inArray, isNull, lte, notExists, or, type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import type { AutomationTrigger } from '~/db/values/automations';
import { deliverStep } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { isActive } from '../audience/queries';
import { isAllowed } from '../audience/suppressions';

/** The contact, or the user and the show that they have bought or left. `at`: when that was, in ISO 8601. */
type Event = { trigger: AutomationTrigger; contactId?: number; userId?: number; productId?: number; at: string };

/**
 * The job: enrols a contact in the automations that an event starts, once in each, and plans an email for each of their
 * steps. Automations that were switched on after the event are not about it, and those with a stopped step enrol nobody. People who are not on the list, or have left
 * it, are not enrolled.
 */
export async function enrolContact(ctx: Ctx, event: Event): Promise<void> {
  await transact(ctx, async (tx) => {
    const contact = await lookupReached(tx, event);
    if (!contact) return;
    await tx.reach('enrolment.contact_found');
    const started = await startedBy(tx, contact.creatorId, event);
    const enrolled = await enrol(tx, contact.id, { automationIds: started, productId: event.productId ?? null });
    if (enrolled.length > 0) await planEmails(tx, contact.id, enrolled);
  });
}

type Reached = { id: number; creatorId: number };

async function lookupReached({ db }: TxCtx, { contactId, userId, productId }: Event): Promise<Reached | null> {
  const [row] = await db
    .select({ id: contacts.id, creatorId: contacts.creatorId })
    .from(contacts)
    .where(and(whose({ contactId, userId, productId }), isActive(), isAllowed()));
  return row ?? null;
}

function whose({ contactId, userId, productId }: Partial<Event>): SQL | undefined {
  if (contactId !== undefined) return eq(contacts.id, contactId);
  const creatorId = sql`(select ${products.creatorId} from ${products} where ${products.id} = ${productId ?? null})`;
  return and(eq(contacts.userId, userId ?? 0), eq(contacts.creatorId, creatorId));
}

/** Locked, so that an automation that is switched off at the same time finds all emails that it drops. */
async function startedBy({ db }: TxCtx, creatorId: number, { trigger, productId, at }: Event): Promise<number[]> {
  const isOfShow = or(
    isNull(automations.productId),
    productId === undefined ? undefined : eq(automations.productId, productId),
  );
  // the others would get a series without one of its emails
  const stopped = db
    .select({ id: editions.id })
    .from(editions)
    .where(and(eq(editions.automationId, automations.id), eq(editions.status, 'stopped')));
  const rows = await db
    .select({ id: automations.id })
    .from(automations)
    .where(
      and(
        eq(automations.creatorId, creatorId),
        eq(automations.trigger, trigger),
        eq(automations.isActive, true),
        lte(automations.activeSince, new Date(at)),
        isOfShow,
        isNull(automations.removedAt),
        notExists(stopped),
      ),
    )
    .orderBy(automations.id)
    .for('share');
  return rows.map(({ id }) => id);
}

type Enrolment = { automationIds: number[]; productId: number | null };

/** @returns the automations in which the contact was not before */
async function enrol(tx: TxCtx, contactId: number, { automationIds, productId }: Enrolment): Promise<number[]> {
  if (automationIds.length === 0) return [];
  const enrolledAt = tx.now();
  const rows = await tx.db
    .insert(automationEnrolments)
    .values(automationIds.map((automationId) => ({ automationId, contactId, productId, enrolledAt })))
    .onConflictDoNothing()
    .returning({ id: automationEnrolments.automationId });
  return rows.map(({ id }) => id);
}

/** Who pays is read when an email is leased. Emails without a delay are sent at once, others by `sendDueSteps`. */
async function planEmails(tx: TxCtx, contactId: number, automationIds: number[]): Promise<void> {
  const isOpen = and(inArray(editions.automationId, automationIds), eq(editions.status, 'sending'));
  const now = sql`${tx.now().toISOString()}::timestamptz`;
  await tx.db.execute(sql`
    insert into ${editionRecipients} (edition_id, contact_id, pays, due_at)
    select ${editions.id}, ${contactId}::bigint, false, ${now} + make_interval(hours => ${editions.delayHours})
    from ${editions} where ${isOpen} on conflict do nothing`);
  const immediate = await tx.db
    .select({ editionId: editions.id })
    .from(editions)
    .where(and(isOpen, eq(editions.delayHours, 0)))
    .orderBy(editions.id);
  await tx.jobs.enqueueAll(deliverStep, immediate);
}
