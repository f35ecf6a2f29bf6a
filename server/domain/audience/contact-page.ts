import { and, asc, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { contactConsents, contactSources, trackingConsents } from '~/db/schema/audience';
import { buyerMessages, buyerStates } from '~/db/schema/buyers';
import { announcements } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { BuyerState } from '~/db/values/buyer-states';
import { type ContactReason, type ContactSource, isBuyerSource } from '~/db/values/contacts';
import { withFallbacks } from '../../edition/render-web';
import { CONTACT_LIMITS } from '../../limits/audience';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreatorRecord } from '../creators/queries';
import { type ContactDetails, lookupContact, withoutPurchases } from './contact-list';
import { contactNotFound } from './errors';
import type { FindContact } from './schema';

type Dated = { at: Date };
/** `kind`: what the email was about; its title is the episode's name, or the subject. */
export type SentEmail = Dated & {
  kind: 'episode' | 'message' | 'join' | 'welcome' | 'edition' | 'automation';
  title: string;
};
/** `tellsPurchases`: who got it tells who has bought or follows something. */
type FlaggedEmail = SentEmail & { tellsPurchases?: boolean };

export type ContactHistory = {
  sources: (Dated & { source: ContactSource })[];
  consents: (Dated & { source: ContactSource; text: string })[];
  /** Consents that the creator sees when the person last read, and the UTC day of it. */
  tracking: (Dated & { text: string; withdrawnAt: Date | null; lastSeenOn: string | null })[];
  shows: { name: string; state: BuyerState; since: Date }[];
  emails: SentEmail[];
};
/** `isTracked`: the creator sees when this person last read, because they have agreed to it. */
export type ContactPageView = ContactHistory & { contact: ContactDetails; isTracked: boolean };

/** One contact, with all that the creator's team may know. @throws audience.contact_not_found, common.role_not_allowed */
export async function findContact(ctx: Ctx, { id }: FindContact): Promise<ContactPageView> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const contact = await lookupContact(ctx, { creatorId, id });
  if (!contact) throw contactNotFound();
  const mayKnowPurchases = may(ctx, 'product.readBuyers', { creatorId });
  const history = await historyOf(ctx, creatorId, contact, mayKnowPurchases);
  const { tracksReadersSince } = await findCreatorRecord(ctx, creatorId);
  const hasAgreed = history.tracking.some(({ withdrawnAt }) => withdrawnAt === null);
  const isTracked = tracksReadersSince !== null && hasAgreed;
  if (mayKnowPurchases) return { contact, isTracked, ...history };
  return {
    isTracked,
    contact: { ...withoutPurchases(contact), statusReason: withoutBuyerReason(contact.statusReason) },
    ...history,
    sources: history.sources.filter(({ source }) => !isBuyerSource(source)),
    shows: [],
  };
}

/** Callers check who may know it: the creator's team, or the person. */
export async function historyOf(
  ctx: Ctx,
  creatorId: number,
  contact: ContactDetails,
  withPurchases = true,
): Promise<ContactHistory> {
  const { id, userId } = contact;
  const [sources, consents, tracking, shows, emails] = await Promise.all([
    sourcesOf(ctx, id),
    consentsOf(ctx, id),
    trackingOf(ctx, id),
    userId === null ? [] : showsOf(ctx, creatorId, userId),
    emailsTo(ctx, creatorId, contact, withPurchases),
  ]);
  return { sources, consents, tracking, shows, emails };
}

const withoutBuyerReason = (reason: ContactReason | null) =>
  reason === 'purchase' || reason === 'subscription' ? null : reason;

const sourcesOf = ({ db }: Ctx, id: number) =>
  db
    .select({ source: contactSources.source, at: contactSources.createdAt })
    .from(contactSources)
    .where(eq(contactSources.contactId, id))
    .orderBy(asc(contactSources.createdAt), asc(contactSources.source));

const consentsOf = ({ db }: Ctx, id: number) =>
  db
    .select({ source: contactConsents.source, text: contactConsents.text, at: contactConsents.givenAt })
    .from(contactConsents)
    .where(eq(contactConsents.contactId, id))
    .orderBy(desc(contactConsents.givenAt), asc(contactConsents.source))
    .limit(CONTACT_LIMITS.emails);

const trackingOf = ({ db }: Ctx, id: number) =>
  db
    .select({
      text: trackingConsents.text,
      at: trackingConsents.givenAt,
      withdrawnAt: trackingConsents.withdrawnAt,
      lastSeenOn: trackingConsents.lastSeenOn,
    })
    .from(trackingConsents)
    .where(eq(trackingConsents.contactId, id))
    .orderBy(desc(trackingConsents.givenAt))
    .limit(CONTACT_LIMITS.emails);

function showsOf({ db, now }: Ctx, creatorId: number, userId: number) {
  const isCurrent = and(lte(buyerStates.begins, now()), gt(buyerStates.ends, now()));
  return db
    .select({ name: products.name, state: buyerStates.state, since: buyerStates.since })
    .from(buyerStates)
    .innerJoin(products, eq(products.id, buyerStates.productId))
    .where(and(eq(buyerStates.userId, userId), eq(products.creatorId, creatorId), isCurrent))
    .orderBy(asc(products.name), asc(products.id))
    .limit(CONTACT_LIMITS.follows);
}

/** The emails of this creator, never those of others to the same address: each source names its creator. */
async function emailsTo(
  ctx: Ctx,
  creatorId: number,
  contact: ContactDetails,
  withPurchases: boolean,
): Promise<SentEmail[]> {
  const { userId, email } = contact;
  const found: FlaggedEmail[][] = await Promise.all([
    userId === null ? [] : announced(ctx, creatorId, userId),
    userId === null ? [] : messages(ctx, creatorId, userId),
    newsletterEmails(ctx, creatorId, email),
    editionsTo(ctx, contact.id),
  ]);
  return found
    .flat()
    .filter(({ tellsPurchases }) => withPurchases || !tellsPurchases)
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, CONTACT_LIMITS.emails)
    .map(({ kind, title, at }) => ({ kind, title, at }));
}

const announced = ({ db }: Ctx, creatorId: number, userId: number) =>
  db
    .select({
      kind: sql<'episode'>`'episode'`,
      tellsPurchases: sql<true>`true`,
      title: episodes.name,
      at: announcements.createdAt,
    })
    .from(announcements)
    .innerJoin(episodes, eq(episodes.id, announcements.episodeId))
    .where(and(eq(announcements.userId, userId), eq(episodes.creatorId, creatorId)))
    .orderBy(desc(announcements.createdAt), desc(announcements.episodeId))
    .limit(CONTACT_LIMITS.emails);

const messages = ({ db }: Ctx, creatorId: number, userId: number) =>
  db
    .select({
      kind: sql<'message'>`'message'`,
      tellsPurchases: sql<true>`true`,
      title: buyerMessages.subject,
      at: buyerMessages.createdAt,
    })
    .from(buyerMessages)
    .where(and(eq(buyerMessages.userId, userId), eq(buyerMessages.creatorId, creatorId)))
    .orderBy(desc(buyerMessages.createdAt), desc(buyerMessages.id))
    .limit(CONTACT_LIMITS.emails);

const newsletterEmails = ({ db }: Ctx, creatorId: number, email: string) =>
  db
    .select({
      kind: sql<'join' | 'welcome'>`case ${outbox.topic} when 'join_newsletter' then 'join' else 'welcome' end`,
      title: outbox.subject,
      at: outbox.createdAt,
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.to, email),
        inArray(outbox.topic, ['join_newsletter', 'newsletter_welcome']),
        eq(outbox.creatorId, creatorId),
      ),
    )
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(CONTACT_LIMITS.emails);

/** The editions that the mail server accepted, with those of automations. */
async function editionsTo({ db }: Ctx, contactId: number): Promise<FlaggedEmail[]> {
  const rows = await db
    .select({
      title: editions.title,
      at: editionRecipients.settledAt,
      isOfAutomation: sql<boolean>`${editions.automationId} is not null`,
      group: sql<string>`${editions.audience}->>'group'`,
    })
    .from(editionRecipients)
    .innerJoin(editions, eq(editions.id, editionRecipients.editionId))
    .where(and(eq(editionRecipients.contactId, contactId), inArray(editionRecipients.state, ['sent', 'complained'])))
    .orderBy(desc(editionRecipients.settledAt), desc(editions.id))
    .limit(CONTACT_LIMITS.emails);
  return rows.flatMap(({ title, at, isOfAutomation, group }) =>
    at
      ? {
          kind: isOfAutomation ? 'automation' : 'edition',
          title: withFallbacks(title),
          at,
          // a purchase starts automations, and a segment may ask for one
          tellsPurchases: isOfAutomation || group !== 'everyone',
        }
      : [],
  );
}
