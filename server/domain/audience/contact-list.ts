import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import {
  contactSegments,
  contactSources,
  contacts,
  contactTags,
  taggedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import { subscriptions } from '~/db/schema/billing';
import { products } from '~/db/schema/products';
import {
  type ContactOrder,
  type ContactReason,
  type ContactSource,
  type ContactState,
  isBuyerSource,
} from '~/db/values/contacts';
import { CONTACT_LIMITS } from '../../limits/audience';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreatorRecord } from '../creators/queries';
import { countFound, type Found, foundOf, isAboutBuyers, whereFound } from './contact-filter';
import { cursorOf, isByTime, type Place, readCursor } from './rules';
import type { ContactFilter, ExportContacts, ListContacts } from './schema';

/** `months`: as a subscriber of any show, up to now; null for contacts who never were. */
export type ContactView = {
  id: number;
  email: string;
  name: string;
  state: ContactState;
  /** Whether the creator's team made it inactive. */
  isByTeam: boolean;
  since: Date;
  months: number | null;
  tags: string[];
  sources: ContactSource[];
  /** The UTC day on which they last read; null without their consent, or if they have not read since. */
  lastSeenOn: string | null;
};

/** `before` and `after`: the cursors of the pages before and after this one; null at an end of the list. */
export type ContactPage = {
  items: ContactView[];
  found: Found;
  before: string | null;
  after: string | null;
  tags: string[];
  shows: { slug: string; name: string }[];
  segments: { id: number; name: string; filter: ContactFilter }[];
  /** Whether the user may see who pays; otherwise, the page tells nothing about it. */
  readsBuyers: boolean;
  /** Whether the creator sees when contacts who agree to it last read. */
  tracksReaders: boolean;
};

/** A page of the contacts of the creator for whom the user works. @throws common.role_not_allowed */
export async function listContacts(
  ctx: Ctx,
  { sort, after, before, limit, ...filter }: ListContacts,
): Promise<ContactPage> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  if (isAboutBuyers(filter)) authorize(ctx, 'product.readBuyers', { creatorId });
  const readsBuyers = may(ctx, 'product.readBuyers', { creatorId });
  const where = await whereFound(ctx, creatorId, filter);
  const place = placeOf({ sort, after, before, limit });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { found, ids } = isFiltered
    ? await findFew(ctx, where, place)
    : { found: await countFound(ctx, where), ids: null };
  const [page, tags, shows, segments, creator] = await Promise.all([
    selectPage(ctx, ids ? sql`${contacts.id} = any (${plainArray(ids)}::bigint[])` : and(where, beyond(place)), place),
    tagsOf(ctx, creatorId),
    readsBuyers ? showsOf(ctx, creatorId) : [],
    segmentsOf(ctx, creatorId),
    findCreatorRecord(ctx, creatorId),
  ]);
  return {
    ...page,
    items: readsBuyers ? page.items : page.items.map(withoutPurchases),
    ...{ found, tags, shows, readsBuyers },
    tracksReaders: creator.tracksReadersSince !== null,
    segments: readsBuyers ? segments : segments.filter((segment) => !isAboutBuyers(segment.filter)),
  };
}

/** For members of the team who may not see who pays. */
export const withoutPurchases = <View extends ContactView>(view: View): View => ({
  ...view,
  months: null,
  sources: view.sources.filter((source) => !isBuyerSource(source)),
});

/** The next part of a list of all contacts, for a file. @throws common.role_not_allowed */
export async function exportContacts(ctx: Ctx, { after }: ExportContacts): Promise<ContactView[]> {
  const { id: creatorId } = authorize(ctx, 'creator.exportContacts', currentCreator(ctx));
  const rows = await selectContacts(ctx, sql`''`)
    .where(and(eq(contacts.creatorId, creatorId), gt(contacts.id, after)))
    .orderBy(asc(contacts.id))
    .limit(CONTACT_LIMITS.exported);
  return rows.map(({ key: _, ...row }) => row);
}

/**
 * `mayActivate`: the creator's team ended its emails, and may undo that. `statusReason`: null if it is a purchase and the
 * user may not see who pays.
 */
export type ContactDetails = ContactView & {
  userId: number | null;
  statusReason: ContactReason | null;
  statusAt: Date;
  mayActivate: boolean;
};

export async function lookupContact(ctx: Ctx, key: { creatorId: number; id: number }): Promise<ContactDetails | null> {
  const isIts = and(eq(contacts.creatorId, key.creatorId), eq(contacts.id, key.id));
  const [row] = await selectContacts(ctx, sql`''`).where(isIts);
  const { userId, status, statusReason, statusAt } = contacts;
  const [state] = await ctx.db.select({ userId, status, statusReason, statusAt }).from(contacts).where(isIts);
  if (!row || !state) return null;
  const { key: _, ...view } = row;
  const { status: shown, ...facts } = state;
  return { ...view, ...facts, mayActivate: shown === 'inactive' && facts.statusReason === 'creator' };
}

/** What each order compares, the type of its cursor, and whether it descends. Indexes have the same expressions. */
const ORDERS: Record<ContactOrder, { by: SQL; type: SQL; descends: boolean }> = {
  newest: { by: sql`${contacts.since}`, type: sql`timestamptz`, descends: true },
  oldest: { by: sql`${contacts.since}`, type: sql`timestamptz`, descends: false },
  name: {
    by: sql`lower(coalesce(nullif(${contacts.name}, ''), ${contacts.email}))`,
    type: sql`text`,
    descends: false,
  },
  email: { by: sql`${contacts.email}`, type: sql`text`, descends: false },
};

type Order = (typeof ORDERS)[ContactOrder];
/** Where a page begins: null for the start of the list. The page before is read backwards. */
type PagePlace = { order: Order; from: Place | null; isBackwards: boolean; goesDown: boolean; limit: number };

type Asked = Pick<ListContacts, 'sort' | 'after' | 'before' | 'limit'>;

function placeOf({ sort, after, before, limit }: Asked): PagePlace {
  const order = ORDERS[sort];
  const from = readCursor(before ?? after, { isTime: isByTime(sort) });
  const isBackwards = before !== undefined && from !== null;
  return { order, from, isBackwards, goesDown: order.descends !== isBackwards, limit };
}

function beyond({ order, from, goesDown }: PagePlace, key: SQL = order.by, id: SQL = sql`${contacts.id}`) {
  return from
    ? sql`(${key}, ${id}) ${goesDown ? sql`<` : sql`>`} (${from.key}::${order.type}, ${from.id}::bigint)`
    : undefined;
}

const directionOf = ({ goesDown }: PagePlace): SQL => (goesDown ? sql`desc` : sql`asc`);
/** One more than a page has, to know whether another page follows. */
const readFor = ({ limit }: PagePlace): number => limit + 1;

/**
 * Counts what a filter finds. If it finds few, they are sorted at once, because walking through the list in its order would
 * read all of it to find them, and the planner, which knows little of how facts go together, often chooses that.
 * @returns the ids of the page; null if there are more than `CONTACT_LIMITS.counted`
 */
async function findFew(
  { db }: Ctx,
  where: SQL | undefined,
  place: PagePlace,
): Promise<{ found: Found; ids: number[] | null }> {
  const few = db
    .select({ id: contacts.id, key: sql`${place.order.by}`.as('key') })
    .from(contacts)
    .where(where);
  const limit = CONTACT_LIMITS.counted;
  const [row] = await db.execute<{ count: number; ids: number[] }>(sql`
    with few as materialized (${few.limit(limit + 1)})
    select (select count(*)::int from few) as count, to_json(array(
      select id from few where (select count(*) from few) <= ${limit} and ${beyond(place, sql`key`, sql`id`) ?? sql`true`}
      order by key ${directionOf(place)}, id ${directionOf(place)} limit ${readFor(place)})) as ids`);
  const found = foundOf(row!.count);
  return { found, ids: found.isMore ? null : row!.ids };
}

async function selectPage(ctx: Ctx, where: SQL | undefined, place: PagePlace) {
  const { order, from, isBackwards, limit } = place;
  const rows = await selectContacts(ctx, sql`(${order.by})::text`)
    .where(where)
    .orderBy(sql`${order.by} ${directionOf(place)}`, sql`${contacts.id} ${directionOf(place)}`)
    .limit(readFor(place));
  const goesOn = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (isBackwards) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    items: shown.map(({ key: _, ...row }) => row),
    before: first && (isBackwards ? goesOn : from !== null) ? cursorOf(first) : null,
    after: last && (isBackwards || goesOn) ? cursorOf(last) : null,
  };
}

function selectContacts({ db, now }: Ctx, key: SQL) {
  const { id, email, name, since } = contacts;
  return db
    .select({ id, email, name, since, key: sql<string>`${key}`, ...factsOf(now()) })
    .from(contacts)
    .$dynamic();
}

/** The columns that are computed for the rows of a page only. */
function factsOf(now: Date) {
  const isOwn = and(eq(subscriptions.userId, contacts.userId), eq(subscriptions.creatorId, contacts.creatorId));
  const until = sql`case when bool_or(${subscriptions.endedAt} is null) then ${now.toISOString()}::timestamptz
    else max(${subscriptions.endedAt}) end`;
  const time = sql`select age(${until}, min(${subscriptions.startedAt})) as length from ${subscriptions}
    where ${isOwn} and ${subscriptions.purpose} = 'show'`;
  const tags = sql`select ${contactTags.name} from ${taggedContacts} join ${contactTags}
    on ${contactTags.id} = ${taggedContacts.tagId} where ${eq(taggedContacts.contactId, contacts.id)}
    order by lower(${contactTags.name}) limit ${CONTACT_LIMITS.tagsOfContact}`;
  const sources = sql`select ${contactSources.source} from ${contactSources}
    where ${eq(contactSources.contactId, contacts.id)} order by ${contactSources.createdAt}, ${contactSources.source}`;
  const state = sql`case when ${contacts.status} = 'inactive' then coalesce(${contacts.inactiveAs}, 'unsubscribed')
    else ${contacts.status} end`;
  const lastSeen = sql`select ${trackingConsents.lastSeenOn}::text from ${trackingConsents}
    where ${eq(trackingConsents.contactId, contacts.id)} and ${trackingConsents.withdrawnAt} is null`;
  return {
    state: sql<ContactState>`${state}`,
    isByTeam: sql<boolean>`${contacts.status} = 'inactive' and ${contacts.statusReason} = 'creator'`,
    months: sql<
      number | null
    >`(select (extract(year from t.length) * 12 + extract(month from t.length))::int from (${time}) t)`,
    tags: sql<string[]>`array(${tags})`,
    sources: sql<ContactSource[]>`array(${sources})`,
    lastSeenOn: sql<string | null>`(${lastSeen})`,
  };
}

async function tagsOf({ db }: Ctx, creatorId: number): Promise<string[]> {
  const rows = await db
    .select({ name: contactTags.name })
    .from(contactTags)
    .where(eq(contactTags.creatorId, creatorId))
    .orderBy(sql`lower(${contactTags.name})`)
    .limit(CONTACT_LIMITS.tags);
  return rows.map(({ name }) => name);
}

const showsOf = ({ db }: Ctx, creatorId: number) =>
  db
    .select({ slug: products.slug, name: products.name })
    .from(products)
    .where(eq(products.creatorId, creatorId))
    .orderBy(asc(products.name), asc(products.id))
    .limit(CONTACT_LIMITS.follows);

const segmentsOf = ({ db }: Ctx, creatorId: number) =>
  db
    .select({
      id: contactSegments.id,
      name: contactSegments.name,
      filter: sql<ContactFilter>`${contactSegments.filter}`,
    })
    .from(contactSegments)
    .where(eq(contactSegments.creatorId, creatorId))
    .orderBy(sql`lower(${contactSegments.name})`)
    .limit(CONTACT_LIMITS.segments);
