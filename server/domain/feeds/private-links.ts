import { randomBytes } from 'node:crypto';
import { and, desc, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { feedLinks } from '~/db/schema/feeds';
import { earlier } from '../../base/time';
import { PRIVATE_FEED_LIMITS, SHARING_LIMITS } from '../../limits/feeds';
import { requireUser } from '../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { getProduct } from '../products/product-catalog';
import type { FindProduct } from '../products/schema';
import type { ProductWithAudience } from '../products/views';
import { findHeardShow } from './heard-shows';
import { CREATORS_LINK, FEED_APP_NAMES, type FeedApp } from './kinds';
import { hashFeedToken } from './link-states';
import type { FindFeed, ReplaceLink } from './schema';

/**
 * The addresses of a listener's private feed of one show, one for each podcast app, so that each can be replaced
 * without the others (docs/decisions/0173). They are found by a hash; the encrypted token lets their owner see them
 * again.
 */
export type FeedLinkView = { app: FeedApp; url: string; createdAt: Date };

/** `sharedAt`: when we replaced the former address, because many people used it. */
export type OwnFeedLink = FeedLinkView & { sharedAt: Date | null };

/** Without a product, the owner of the feed with all of the listener's shows. */
type Owner = { userId: number; productId: number | null };

/**
 * The current user's addresses of a show's private feed, or of the feed with all shows, created now if missing.
 * @throws product.not_found
 */
export async function privateLinks(ctx: Ctx, { productId }: FindFeed): Promise<OwnFeedLink[]> {
  const { userId } = requireUser(ctx);
  if (productId !== null) await findHeardShow(ctx, productId);
  const links = await transact(ctx, (tx) => ensureLinks(tx, { userId, productId }));
  const shared = await listReplacedAsShared(ctx, { userId, productId });
  return links.map((link) => ({ ...link, sharedAt: shared.get(link.app) ?? null }));
}

/**
 * A public product with the address of the caller's own private feed: the address for other apps, because clients that
 * request one address give it to any app. Null without access. @throws product.not_found
 */
export async function getProductWithFeed(
  ctx: Ctx,
  input: FindProduct,
): Promise<ProductWithAudience & { privateFeedUrl: string | null }> {
  const product = await getProduct(ctx, input);
  if (ctx.actor.type !== 'user' || !product.isSubscribed) return { ...product, privateFeedUrl: null };
  const owner = { userId: ctx.actor.userId, productId: product.id };
  const links = await transact(ctx, (tx) => ensureLinks(tx, owner));
  return { ...product, privateFeedUrl: links.find(({ app }) => app === 'other')?.url ?? null };
}

/** The apps whose last address was recently replaced because it was shared, with the time. */
async function listReplacedAsShared({ db, now }: Pick<Ctx, 'db' | 'now'>, owner: Owner): Promise<Map<string, Date>> {
  const rows = await db
    .selectDistinctOn([feedLinks.app], {
      app: feedLinks.app,
      at: feedLinks.replacedAt,
      because: feedLinks.replacedBecause,
    })
    .from(feedLinks)
    .where(and(ownedBy(owner), isNotNull(feedLinks.replacedAt), ne(feedLinks.app, CREATORS_LINK)))
    .orderBy(feedLinks.app, desc(feedLinks.id))
    .limit(FEED_APP_NAMES.length);
  const since = earlier(now(), SHARING_LIMITS.shownFor);
  return new Map(rows.flatMap(({ app, at, because }) => (because && at && at > since ? [[app, at]] : [])));
}

/**
 * Gives the app a new address; the former one and all addresses of audio in it stop working. @throws product.not_found
 */
export async function replaceLink(ctx: Ctx, { productId, app }: ReplaceLink): Promise<void> {
  const { userId } = requireUser(ctx);
  if (productId !== null) await findHeardShow(ctx, productId);
  await transact(ctx, async (tx) => {
    const current = and(isOf({ userId, productId }), eq(feedLinks.app, app));
    await tx.db.update(feedLinks).set({ replacedAt: tx.now() }).where(current);
    await insertLinks(tx, { userId, productId }, [app]);
  });
}

/** Links in the order of the apps. If two requests create them at once, both get the same links. */
export async function ensureLinks(tx: TxCtx, owner: Owner): Promise<FeedLinkView[]> {
  const kept = await listLinks(tx, owner);
  const missing = FEED_APP_NAMES.filter((app) => !kept.some((link) => link.app === app));
  if (missing.length > 0) await insertLinks(tx, owner, missing);
  const links = missing.length > 0 ? await listLinks(tx, owner) : kept;
  return links.toSorted((a, b) => FEED_APP_NAMES.indexOf(a.app) - FEED_APP_NAMES.indexOf(b.app));
}

async function listLinks(ctx: Pick<Ctx, 'db' | 'vault' | 'urls'>, owner: Owner): Promise<FeedLinkView[]> {
  const rows = await ctx.db
    .select({ app: feedLinks.app, sealedToken: feedLinks.sealedToken, createdAt: feedLinks.createdAt })
    .from(feedLinks)
    .where(and(isOf(owner), ne(feedLinks.app, CREATORS_LINK)));
  return rows.map(({ app, sealedToken, createdAt }) => {
    const token = ctx.vault.open(sealedToken, sealFor(owner, app));
    return { app: app as FeedApp, url: ctx.urls.privateFeed(token), createdAt };
  });
}

async function insertLinks(tx: TxCtx, owner: Owner, apps: readonly FeedApp[]): Promise<void> {
  const rows = apps.map((app) => newLink(tx, owner, app).row);
  await tx.db.insert(feedLinks).values(rows).onConflictDoNothing();
}

/** A row with a new address. */
export function newLink(tx: TxCtx, owner: Owner, app: FeedApp | typeof CREATORS_LINK) {
  const token = randomBytes(PRIVATE_FEED_LIMITS.tokenBytes).toString('base64url');
  const sealedToken = tx.vault.seal(token, sealFor(owner, app));
  const row = { ...owner, app, tokenHash: hashFeedToken(token), sealedToken, createdAt: tx.now() };
  return { row, url: tx.urls.privateFeed(token) };
}

const sealFor = ({ userId, productId }: Owner, app: string) => `feed link ${userId} ${productId ?? 'all'} ${app}`;

const ownedBy = ({ userId, productId }: Owner) =>
  and(
    eq(feedLinks.userId, userId),
    productId === null ? isNull(feedLinks.productId) : eq(feedLinks.productId, productId),
  );

const isOf = (owner: Owner) => and(ownedBy(owner), isNull(feedLinks.replacedAt));

/** Deletes a person's addresses when their account is deleted. Repeating it is harmless. */
export async function eraseLinks(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await ctx.db.delete(feedLinks).where(eq(feedLinks.userId, userId));
}
