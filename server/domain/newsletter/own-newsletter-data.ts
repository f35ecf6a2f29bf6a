import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import { withFallbacks } from '../../edition/render-web';
import { AUTOMATION_LIMITS, EDITING_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { findCurrent } from '../audience/linked-contact';
import { collectOwnData, type OwnData } from '../audience/own-contact';
import type { EmailLink } from '../audience/schema';

/** `sentOn`: a UTC day. An edition that came back was not received. */
export type ReceivedEdition = { title: string; sentOn: string | null };
/** `show`: the one that was bought or left, which started the automation. */
export type OwnAutomation = { name: string; since: Date; show: string | null };
export type OwnNewsletterData = OwnData & { editions: ReceivedEdition[]; automations: OwnAutomation[] };

/**
 * All that a creator holds about a contact, with the editions that it got and its automations, for the person. Null if the
 * creator has no data about them. @throws as findCurrent
 */
export async function collectOwnNewsletterData(ctx: Ctx, link: EmailLink): Promise<OwnNewsletterData | null> {
  const own = await collectOwnData(ctx, link);
  const { contact } = await findCurrent(ctx, link);
  if (!own || !contact) return null;
  const [received, enrolled] = await Promise.all([editionsOf(ctx, contact.id), automationsOf(ctx, contact.id)]);
  return { ...own, editions: received, automations: enrolled };
}

async function editionsOf({ db }: Ctx, contactId: number): Promise<ReceivedEdition[]> {
  const rows = await db
    .select({ title: editions.title, at: editionRecipients.settledAt })
    .from(editionRecipients)
    .innerJoin(editions, eq(editions.id, editionRecipients.editionId))
    .where(and(eq(editionRecipients.contactId, contactId), inArray(editionRecipients.state, ['sent', 'complained'])))
    .orderBy(desc(editionRecipients.settledAt), desc(editions.id))
    .limit(EDITING_LIMITS.editions);
  return rows.map(({ title, at }) => ({ title: withFallbacks(title), sentOn: at?.toISOString().slice(0, 10) ?? null }));
}

const automationsOf = ({ db }: Ctx, contactId: number): Promise<OwnAutomation[]> =>
  db
    .select({ name: automations.name, since: automationEnrolments.enrolledAt, show: products.name })
    .from(automationEnrolments)
    .innerJoin(automations, eq(automations.id, automationEnrolments.automationId))
    .leftJoin(products, eq(products.id, automationEnrolments.productId))
    .where(eq(automationEnrolments.contactId, contactId))
    .orderBy(asc(automationEnrolments.enrolledAt), asc(automations.id))
    .limit(AUTOMATION_LIMITS.automations);
