import { type AnyColumn, and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import {
  contactConsents,
  contactSources,
  contacts,
  contactTags,
  taggedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { inPages } from './rows';

const listOf = (rows: SQL) => sql<unknown[]>`coalesce((select json_agg(r) from (${rows}) r), '[]')`;
const isIts = (table: { contactId: AnyColumn }) => eq(table.contactId, contacts.id);
/** What belongs to a contact. */
const OF_CONTACT = {
  tags: listOf(sql`select ${contactTags.name} from ${taggedContacts} join ${contactTags}
    on ${contactTags.id} = ${taggedContacts.tagId} where ${isIts(taggedContacts)} order by 1`),
  sources: listOf(sql`select ${contactSources.source}, ${contactSources.createdAt} from ${contactSources}
    where ${isIts(contactSources)} order by 2, 1`),
  consents: listOf(sql`select ${contactConsents.givenAt}, ${contactConsents.source}, ${contactConsents.text}
    from ${contactConsents} where ${isIts(contactConsents)} order by 1`),
  tracking: listOf(sql`select ${trackingConsents.givenAt}, ${trackingConsents.withdrawnAt},
    ${trackingConsents.text}, ${trackingConsents.lastSeenOn}
    from ${trackingConsents} where ${isIts(trackingConsents)} order by 1`),
  editions: listOf(sql`select ${editions.title}, ${editionRecipients.state}, ${editionRecipients.settledAt}
    from ${editionRecipients} join ${editions} on ${editions.id} = ${editionRecipients.editionId}
    where ${isIts(editionRecipients)} order by ${editions.id}`),
};

/** The newsletters that the person's address is on. */
export function newslettersOf({ db }: Ctx, { email }: UserRow) {
  const { status, inactiveAs, statusReason, statusAt, name, language, since } = contacts;
  return db
    .select({
      creator: creators.name,
      name,
      status,
      inactiveAs,
      statusReason,
      statusAt,
      language,
      since,
      ...OF_CONTACT,
    })
    .from(contacts)
    .innerJoin(creators, eq(creators.id, contacts.creatorId))
    .where(eq(contacts.email, email));
}

/** A creator's audience. */
export const contactsOf = ({ db }: Ctx, creatorId: number) =>
  inPages(
    (after) =>
      db
        .select({ ...getTableColumns(contacts), ...OF_CONTACT })
        .from(contacts)
        .where(and(eq(contacts.creatorId, creatorId), gt(contacts.id, after)))
        .orderBy(asc(contacts.id))
        .limit(EXPORT_LIMITS.page),
    ({ id }) => id,
  );
