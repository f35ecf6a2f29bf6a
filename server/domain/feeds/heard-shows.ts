import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { containsWords } from '~/db/search';
import { earlier } from '../../base/time';
import { BILLING_LIMITS } from '../../limits/billing';
import { PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import { requireUser } from '../../policy/actor';
import {
  isLiveGrant,
  isPaidGrant,
  isProductOffered,
  whereLiveGrant,
  whereProductOffered,
  whereQueued,
} from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type PageBrand, pageBrandOf } from '../creators/rules';
import { inPlayOrder, selectEpisodes } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { productNotFound } from '../products/errors';
import { findProductRecord, listProductsByIds } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import { asListener } from './feed-access';
import type { FindShow, ListHeardEpisodes } from './schema';

type Grant = Pick<typeof grants.$inferSelect, 'source' | 'endsAt' | 'renews'> & { isLive: boolean };
/** The listener's reasons to have access to a show, and its end. */
export type HeardShow = { product: ProductView; grants: Grant[]; isFollowed: boolean; isLive: boolean };
export type MyFeed = {
  shows: HeardShow[];
  /** Paid shows, including those whose access has ended. */
  purchases: HeardShow[];
};
/** `hasMore`: whether another page follows. */
export type HeardEpisodes = { items: EpisodeView[]; page: number; hasMore: boolean };

/** The shows that the current user follows or has bought, the newest first. */
export async function myFeed(ctx: Ctx): Promise<MyFeed> {
  const { userId } = requireUser(ctx);
  const heard = await listHeard(ctx, userId);
  const shows = heard.filter(({ isLive }) => isLive);
  const purchases = heard.filter((show) => show.grants.some(isPaidGrant));
  return { shows, purchases };
}

async function listHeard(ctx: Ctx, userId: number): Promise<HeardShow[]> {
  const found = await ctx.db
    .select({ grant: grants })
    .from(grants)
    .innerJoin(products, eq(products.id, grants.productId))
    .where(and(eq(grants.userId, userId), whereProductOffered()))
    .orderBy(desc(grants.startsAt), desc(grants.id))
    .limit(PRIVATE_FEED_LIMITS.listed);
  const rows = found.map(({ grant }) => grant);
  const ids = [...new Set(rows.map((row) => row.productId))];
  const records = new Map((await listProductsByIds(ctx, ids)).map((record) => [record.product.id, record]));
  return ids.flatMap((id) => {
    const record = records.get(id);
    if (!record) return [];
    const own = rows.filter((row) => row.productId === id).map((row) => toGrant(row, ctx.now()));
    const live = own.filter((grant) => grant.isLive);
    const isFollowed = live.some((grant) => !isPaidGrant(grant));
    return [{ product: toProductView(ctx, record), grants: own, isFollowed, isLive: live.length > 0 }];
  });
}

/** A grant that renews includes the days in which a failed payment is retried, so its renewal is before these days. */
function toGrant({ source, startsAt, endsAt, renews }: typeof grants.$inferSelect, now: Date): Grant {
  const isLive = isLiveGrant({ source, startsAt, endsAt }, now);
  return { source, endsAt: renews && endsAt ? earlier(endsAt, BILLING_LIMITS.grace) : endsAt, renews, isLive };
}

/**
 * A page of the newest episodes of the current user's shows; with words, those that have them in their name or in their
 * show's. It counts nothing, so that a page costs as much as its episodes.
 */
export async function listHeardEpisodes(ctx: Ctx, { page, search }: ListHeardEpisodes): Promise<HeardEpisodes> {
  const { userId } = requireUser(ctx);
  const listener = { ...ctx, actor: asListener(userId) };
  const now = ctx.now().toISOString();
  const heard = ctx.db
    .select({ id: grants.productId })
    .from(grants)
    .where(and(eq(grants.userId, userId), whereLiveGrant(now)));
  const named = (name: typeof episodes.name | typeof products.name) => containsWords(sql`search_text(${name})`, search);
  const found = search ? or(named(episodes.name), named(products.name)) : undefined;
  const { latest } = PRIVATE_FEED_LIMITS;
  const rows = await selectEpisodes(listener)
    .where(and(inArray(episodes.productId, heard), whereQueued({ type: 'user', userId, creatorId: null, now }), found))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(latest + 1)
    .offset((page - 1) * latest);
  const items = rows.slice(0, latest).map((row) => toEpisodeView(listener, row));
  return { items, page, hasMore: rows.length > latest };
}

/** A show to which the current user holds a live grant, in its creator's colours. @throws product.not_found */
export async function findHeardShow(ctx: Ctx, productId: number): Promise<ProductView & { brand: PageBrand | null }> {
  const { userId } = requireUser(ctx);
  const record = await findProductRecord(ctx, productId);
  if (!isProductOffered(record.product)) throw productNotFound();
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId));
  if ((await ctx.db.$count(grants, and(own, whereLiveGrant(ctx.now().toISOString())))) === 0) throw productNotFound();
  return { ...toProductView(ctx, record), brand: pageBrandOf(record.creator) };
}

/**
 * The first episode for a listener who has just paid for a show: a private one if there is any, the newest of a podcast
 * or the first part of an audio series. Null without episodes. @throws product.not_found
 */
export async function firstToHear(ctx: Ctx, { productId }: FindShow): Promise<EpisodeView | null> {
  const { userId } = requireUser(ctx);
  const { kind } = await findHeardShow(ctx, productId);
  const listener = { ...ctx, actor: asListener(userId) };
  const now = ctx.now().toISOString();
  const [row] = await selectEpisodes(listener)
    .where(and(eq(episodes.productId, productId), whereQueued({ type: 'user', userId, creatorId: null, now })))
    .orderBy(desc(eq(episodes.type, 'private')), ...inPlayOrder(kind))
    .limit(1);
  return row ? toEpisodeView(listener, row) : null;
}
