import { and, eq, exists, gt, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { contactSources, contacts, taggedContacts, trackingConsents } from '~/db/schema/audience';
import { buyerStates } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { lastSeen } from '~/db/search';
import { isBuyerSource, type StatusFilter } from '~/db/values/contacts';
import { monthsLater, utcDay } from '../../base/time';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { Ctx } from '../../runtime/ctx';
import { lookupTag } from './contact-tags';
import { hasText } from './contact-words';
import { isActive } from './queries';
import type { ContactFilter } from './schema';

type Db = Pick<Ctx, 'db' | 'now'>;
/** Whether a filter tells who has bought what: only those who may read the buyers of shows can use it. */
export const isAboutBuyers = ({ show, subscription, source }: ContactFilter): boolean =>
  show !== undefined || subscription !== undefined || (source !== undefined && isBuyerSource(source));

/** No row has this id: an unknown tag or show finds nobody. */
const UNKNOWN = -1;

/** The filter as a condition on `contacts`. Tags and shows are looked up first, so that the plan knows how common they are. */
export async function whereFound(ctx: Db, creatorId: number, filter: ContactFilter): Promise<SQL | undefined> {
  const { search, status, tag, show, subscription, source, since, unseen } = filter;
  const [tagId, productId] = await Promise.all([
    tag === undefined ? undefined : lookupTag(ctx, creatorId, tag),
    show === undefined ? undefined : showAt(ctx, creatorId, show),
  ]);
  const isBuyer = productId !== undefined || subscription !== undefined;
  return and(
    eq(contacts.creatorId, creatorId),
    status && hasStatus(status),
    search ? hasText(search) : undefined,
    tagId === undefined ? undefined : await hasTag(ctx, tagId ?? UNKNOWN),
    isBuyer ? isBuyerOf(ctx, { creatorId, productId, subscription }) : undefined,
    source === undefined ? undefined : hasSource(ctx, creatorId, source),
    since === undefined ? undefined : gte(contacts.since, new Date(`${since}T00:00:00Z`)),
    unseen === undefined ? undefined : await hasNotRead(ctx, creatorId, unseen),
  );
}

/**
 * Whether a contact who agreed to be seen has not read for so many months. Only while the creator's setting is on, and if
 * setting and consent are that old: before, nobody looked.
 */
async function hasNotRead({ db, now }: Db, creatorId: number, months: number): Promise<SQL> {
  const from = monthsLater(now(), -months);
  const isOn = and(eq(creators.id, creatorId), lte(creators.tracksReadersSince, from));
  if ((await db.$count(creators, isOn)) === 0) return sql`false`;
  const { contactId, withdrawnAt, givenAt, lastSeenOn } = trackingConsents;
  const where = and(
    eq(trackingConsents.creatorId, creatorId),
    isNull(withdrawnAt),
    lte(givenAt, from),
    sql`${lastSeen(lastSeenOn)} < ${utcDay(from)}::date`,
  );
  return isAmong({ db }, { table: trackingConsents, id: contactId, where });
}

/** The number of contacts that a filter finds, up to a limit: counting all of a long list would take too long. */
export async function countFound({ db }: Db, where: SQL | undefined): Promise<Found> {
  const some = db
    .select({ id: contacts.id })
    .from(contacts)
    .where(where)
    .limit(CONTACT_LIMITS.counted + 1)
    .as('some');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some);
  return foundOf(row?.count ?? 0);
}

/** @param count up to one more than is counted */
export const foundOf = (count: number): Found => ({
  count: Math.min(count, CONTACT_LIMITS.counted),
  isMore: count > CONTACT_LIMITS.counted,
});

/** `isMore`: there are more than `count`. */
export type Found = { count: number; isMore: boolean };

/** Literals, so that the partial indexes of statuses are used. */
function hasStatus(status: StatusFilter): SQL | undefined {
  if (status === 'active') return isActive();
  const isInactive = sql`${contacts.status} <> 'active'`;
  if (status === 'inactive') return isInactive;
  if (status === 'pending') return and(isInactive, eq(contacts.status, 'pending'));
  return and(sql`${contacts.status} = 'inactive'`, sql`coalesce(${contacts.inactiveAs}, 'unsubscribed') = ${status}`);
}

const hasTag = (ctx: Pick<Ctx, 'db'>, tagId: number): Promise<SQL> =>
  isAmong(ctx, { table: taggedContacts, id: taggedContacts.contactId, where: eq(taggedContacts.tagId, tagId) });

type Rows = {
  table: PgTable;
  id: typeof taggedContacts.contactId | typeof trackingConsents.contactId;
  where: SQL | undefined;
};

/**
 * Whether a contact is in some rows. Few are read first, as an array: with a join, the planner may read all contacts, because
 * it knows nothing of how these rows and statuses go together.
 */
async function isAmong({ db }: Pick<Ctx, 'db'>, { table, id, where }: Rows): Promise<SQL> {
  const some = db
    .select({ id })
    .from(table)
    .where(where)
    .limit(CONTACT_LIMITS.counted + 1)
    .as('some');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some);
  const ids = db.select({ id }).from(table);
  return (row?.count ?? 0) > CONTACT_LIMITS.counted
    ? exists(ids.where(and(where, eq(id, contacts.id))))
    : sql`${contacts.id} = any(array(${ids.where(where)}))`;
}

const hasSource = ({ db }: Db, creatorId: number, source: NonNullable<ContactFilter['source']>): SQL =>
  exists(
    db
      .select({ id: contactSources.contactId })
      .from(contactSources)
      .where(
        and(
          eq(contactSources.creatorId, creatorId),
          eq(contactSources.source, source),
          eq(contactSources.contactId, contacts.id),
        ),
      ),
  );

type Bought = { creatorId: number; productId: number | undefined; subscription: ContactFilter['subscription'] };

/** Whether the contact's account follows or has bought a show, or any show, and is in a state there now. */
function isBuyerOf({ db, now }: Db, { creatorId, productId, subscription }: Bought): SQL {
  const at = now();
  const shows = db.select({ id: products.id }).from(products).where(eq(products.creatorId, creatorId));
  return exists(
    db
      .select({ id: buyerStates.userId })
      .from(buyerStates)
      .where(
        and(
          eq(buyerStates.userId, contacts.userId),
          productId === undefined ? inArray(buyerStates.productId, shows) : eq(buyerStates.productId, productId),
          subscription && eq(buyerStates.state, subscription),
          and(lte(buyerStates.begins, at), gt(buyerStates.ends, at)),
        ),
      ),
  );
}

async function showAt({ db }: Db, creatorId: number, slug: string): Promise<number> {
  const isIts = and(eq(products.creatorId, creatorId), eq(products.slug, slug));
  const [row] = await db.select({ id: products.id }).from(products).where(isIts);
  return row?.id ?? UNKNOWN;
}
