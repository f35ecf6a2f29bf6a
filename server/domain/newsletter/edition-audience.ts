import { type AnyColumn, and, eq, exists, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { contactSegments, contacts } from '~/db/schema/audience';
import { products } from '~/db/schema/products';
import type { EditionAudience, EditionGroup } from '~/db/values/editions';
import { CONTACT_LIMITS } from '../../limits/audience';
import { may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { isAboutBuyers, whereFound } from '../audience/contact-filter';
import { isActive } from '../audience/queries';
import type { ContactFilter } from '../audience/schema';
import { isAllowed } from '../audience/suppressions';

type Db = Pick<Ctx, 'db' | 'now'>;

/** The contacts who get an edition now: of its audience, active, and at an address that may be written to. */
export async function whereReached(ctx: Db, creatorId: number, audience: EditionAudience): Promise<SQL | undefined> {
  return and(eq(contacts.creatorId, creatorId), isActive(), isAllowed(), await inGroup(ctx, creatorId, audience));
}

/** Whether an audience tells who pays, so that only those who may read buyers can choose and count it. */
export async function tellsBuyers(ctx: Db, creatorId: number, { group, of = '' }: EditionAudience): Promise<boolean> {
  if (group === 'segment') return isAboutBuyers((await lookupSegment(ctx, creatorId, of)) ?? {});
  return IS_OF_SHOW.has(group);
}

/**
 * Whether an audience is people who have bought something, so that what is written to them is not for everyone. A segment
 * that was deleted may have been one of them.
 */
export async function isOfBuyers(ctx: Db, creatorId: number, { group, of = '' }: EditionAudience): Promise<boolean> {
  if (group !== 'segment') return group === 'subscribers' || group === 'buyers';
  const filter = await lookupSegment(ctx, creatorId, of);
  return !filter || isAboutBuyers(filter);
}

/**
 * Which audiences' numbers the user may see: all, or those that do not tell how many people pay. One query, for a list.
 */
export async function countsVisibleTo(ctx: Ctx, creatorId: number): Promise<(audience: EditionAudience) => boolean> {
  if (may(ctx, 'product.readBuyers', { creatorId })) return () => true;
  const rows = await ctx.db
    .select({ id: contactSegments.id, filter: contactSegments.filter })
    .from(contactSegments)
    .where(eq(contactSegments.creatorId, creatorId))
    .orderBy(contactSegments.id)
    .limit(CONTACT_LIMITS.segments);
  const open = rows.filter(({ filter }) => !isAboutBuyers(filter as ContactFilter)).map(({ id }) => String(id));
  // a segment that was deleted may have been about buyers
  return ({ group, of = '' }) => (group === 'segment' ? open.includes(of) : !IS_OF_SHOW.has(group));
}

const IS_OF_SHOW: ReadonlySet<EditionGroup> = new Set(['subscribers', 'buyers', 'followers']);
const NOBODY = sql`false`;

/** The contacts who now belong to an audience, whatever their state. */
export async function inGroup(
  ctx: Db,
  creatorId: number,
  { group, of = '' }: EditionAudience,
): Promise<SQL | undefined> {
  if (group === 'everyone') return undefined;
  if (group === 'tag') return whereFound(ctx, creatorId, { tag: of });
  if (group === 'segment') {
    const filter = await lookupSegment(ctx, creatorId, of);
    return filter ? whereFound(ctx, creatorId, filter) : NOBODY;
  }
  return holdsShow(ctx, creatorId, { group, slug: of });
}

type Held = { group: Exclude<EditionGroup, 'everyone' | 'tag' | 'segment'>; slug: string };

/** Subscribers have paid access now, buyers have paid at some time, followers have free access and never paid. */
function holdsShow({ db, now }: Db, creatorId: number, { group, slug }: Held): SQL {
  const states = {
    subscribers: gt(holders.paidUntil, now()),
    buyers: isNotNull(holders.paidSince),
    followers: and(gt(holders.until, now()), isNull(holders.paidSince)),
  };
  const isShow = and(eq(products.creatorId, creatorId), eq(products.slug, slug));
  return exists(
    db
      .select({ id: holders.userId })
      .from(holders)
      .innerJoin(products, eq(products.id, holders.productId))
      .where(and(eq(holders.userId, contacts.userId), eq(holders.creatorId, creatorId), isShow, states[group])),
  );
}

/** Whether a contact pays this creator for any show now: it gets the part for paying subscribers. */
export function paysNow(ctx: Db, creatorId: number | AnyColumn): SQL<boolean> {
  const paid = ctx.db
    .select({ id: holders.userId })
    .from(holders)
    .where(isPayer(ctx, { userId: contacts.userId, creatorId }));
  return sql<boolean>`exists ${paid}`;
}

/** The row of an account that pays a creator for any show now. */
export const isPayer = (
  { now }: Pick<Db, 'now'>,
  { userId, creatorId }: { userId: number | AnyColumn; creatorId: number | AnyColumn },
): SQL | undefined =>
  and(
    eq(holders.userId, userId),
    eq(holders.creatorId, creatorId),
    isNull(holders.productId),
    gt(holders.paidUntil, now()),
  );

async function lookupSegment({ db }: Db, creatorId: number, id: string): Promise<ContactFilter | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const isIts = and(eq(contactSegments.creatorId, creatorId), eq(contactSegments.id, Number(id)));
  const [row] = await db.select({ filter: contactSegments.filter }).from(contactSegments).where(isIts);
  return (row?.filter as ContactFilter | undefined) ?? null;
}

/** How many contacts get an edition now. */
export async function countReached(ctx: Db, creatorId: number, audience: EditionAudience): Promise<number> {
  return ctx.db.$count(contacts, await whereReached(ctx, creatorId, audience));
}
