import { and, desc, eq, gt } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import { AppError } from '../../../base/errors';
import { languagePrefix, UNDO_REDIRECT_PATH } from '../../../base/public-paths';
import { earlier } from '../../../base/time';
import { REDIRECT_LIMITS } from '../../../limits/moving';
import { type Allowed, authorize } from '../../../policy/authorize';
import { whereInPublicFeed } from '../../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { findUser } from '../../accounts/base/queries';
import { requireSecondFactor } from '../../accounts/second-factors/second-factor';
import { markCreatorChanged } from '../../creators/mark-creator-changed';
import { findCreator } from '../../creators/queries';
import { queueEmail } from '../../notifications/outbox';
import { readSignedToken, signToken } from '../../notifications/signed-tokens';
import { accountEmail } from '../../notifications/templates/account-email';
import { productNotFound } from '../../products/errors';
import { markProductChanged } from '../../products/mark-product-changed';
import { lockProduct } from '../../products/price-product';
import { findProductRecord, type ProductRow } from '../../products/queries';
import type { FindProduct } from '../../products/schema';
import { readFeed } from '../../rss-import/read-feed';
import { feedAddress } from '../../rss-import/rules';
import { recordAbout } from '../../team/activity';
import { ownFeed, redirectIsFinal, redirectLoop, undoLinkExpired } from './errors';
import { lookupRedirectOf, type RedirectView, toRedirectView } from './queries';
import { canUndo, type FoundFeed, type RedirectWarning, warningsOf } from './rules';
import type { CheckRedirect, RedirectFeed, UndoLink } from './schema';

const TOPIC = 'feed_redirected';
const PURPOSE = 'undo the redirect of a feed';

export type CheckedFeed = { url: string; title: string; episodes: number; warnings: RedirectWarning[] };

/**
 * Reads the target feed for a redirect of a show's public feed, and compares both feeds. Stores nothing.
 * @throws product.not_found, moving.own_feed, moving.redirect_loop, moving.redirect_final, fetch.*, import.not_a_feed,
 * import.no_episodes
 */
export async function checkRedirect(ctx: Ctx, input: CheckRedirect): Promise<CheckedFeed> {
  const product = await findOwn(ctx, input);
  await assertChangeable(ctx, product.id);
  return readTarget(ctx, product, input.url);
}

/**
 * Redirects the public feed permanently (301) to another host, even after the show or the account is deleted. The owner
 * gets an email with a link that undoes it, for a day. Private feeds stay. @throws as checkRedirect; also
 * account.second_factor_required, account.wrong_code
 */
export async function redirectFeed(ctx: Ctx, input: RedirectFeed): Promise<RedirectView> {
  const product = await findOwn(ctx, input);
  await assertChangeable(ctx, product.id);
  await requireSecondFactor(ctx, input);
  const { url } = await readTarget(ctx, product, input.url);
  return transact(ctx, async (tx) => {
    if (!(await lockProduct(tx, product.id))) throw productNotFound();
    await assertChangeable(tx, product.id);
    const row = { productId: product.id, url, createdAt: tx.now() };
    await tx.db.insert(feedRedirects).values(row).onConflictDoUpdate({ target: feedRedirects.productId, set: row });
    await recordAbout(tx, 'product.feed_redirected', product);
    await dropCached(tx, product);
    await queueUndo(tx, product, row);
    return toRedirectView(row, tx.now());
  });
}

/** Ends the redirect. @throws moving.redirect_final after a day, or if the feed does not redirect */
export async function undoRedirect(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const product = await findOwn(ctx, { id, kind });
  await transact(ctx, async (tx) => {
    await removeRedirect(tx, product);
    await recordAbout(tx, 'product.feed_redirect_undone', product);
  });
}

/**
 * The redirect that the email's link would undo, without undoing it: mail scanners open links. @throws
 * moving.undo_link_expired
 */
export async function undoRedirectLink(ctx: Ctx, input: UndoLink): Promise<{ show: string; url: string }> {
  const { product, url } = await findLinked(ctx, input);
  return { show: product.name, url };
}

/** @throws moving.undo_link_expired */
export async function undoRedirectByLink(ctx: Ctx, input: UndoLink): Promise<{ show: string }> {
  const { product } = await findLinked(ctx, input);
  await transact(ctx, (tx) => removeRedirect(tx, product));
  return { show: product.name };
}

type Redirected = Pick<ProductRow, 'id' | 'creatorId'>;

async function removeRedirect(tx: TxCtx, product: Redirected): Promise<void> {
  const undoable = gt(feedRedirects.createdAt, earlier(tx.now(), REDIRECT_LIMITS.undo));
  const removed = await tx.db
    .delete(feedRedirects)
    .where(and(eq(feedRedirects.productId, product.id), undoable))
    .returning({ id: feedRedirects.productId });
  if (removed.length === 0) throw redirectIsFinal();
  await dropCached(tx, product);
}

/** Removes the feed from our caches and from caches in front of us. */
async function dropCached(tx: TxCtx, { id, creatorId }: Redirected): Promise<void> {
  await markProductChanged(tx, id);
  await markCreatorChanged(tx, creatorId);
}

async function findOwn(ctx: Ctx, { id, kind }: FindProduct): Promise<Allowed<'product.handOver', ProductRow>> {
  const { product } = await findProductRecord(ctx, id, kind);
  return authorize(ctx, 'product.handOver', product);
}

/** @throws moving.redirect_final if the feed has redirected for more than a day */
async function assertChangeable(ctx: Pick<Ctx, 'db' | 'now'>, productId: number): Promise<void> {
  const row = await lookupRedirectOf(ctx, productId);
  if (row && !canUndo(row.createdAt, ctx.now())) throw redirectIsFinal();
}

async function readTarget(ctx: Ctx, product: ProductRow, entered: string): Promise<CheckedFeed> {
  const stopsAt = ctx.urls.isOwn;
  const url = feedAddress(entered);
  if (stopsAt(url)) throw ownFeed();
  const { feed, ...read } = await readFeed(ctx, url, { stopsAt }).catch((error) => {
    throw error instanceof AppError && error.code === 'fetch.redirected' ? redirectLoop() : error;
  });
  const newFeedUrl = feed.movedTo ?? null;
  if (newFeedUrl !== null && stopsAt(newFeedUrl)) throw redirectLoop();
  const guids = feed.episodes.map(({ guid }) => guid);
  const found: FoundFeed = { ...read, title: feed.title, guid: feed.guid, guids, newFeedUrl };
  const own = { title: product.name, guid: product.feedGuid, guids: await newestGuids(ctx, product.id) };
  return { url, title: feed.title, episodes: guids.length, warnings: warningsOf(own, found) };
}

async function newestGuids({ db }: Ctx, productId: number): Promise<string[]> {
  const rows = await db
    .select({ guid: episodes.guid })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.productId, productId), whereInPublicFeed()))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(REDIRECT_LIMITS.guids);
  return rows.map(({ guid }) => guid);
}

type Link = { productId: number; at: number };

/** Emails the owner, because the logged-in user may be another person, such as the thief of a session. */
async function queueUndo(tx: TxCtx, product: ProductRow, { url, createdAt }: { url: string; createdAt: Date }) {
  const owner = await findUser(tx, (await findCreator(tx, product.creatorId)).userId);
  const language = owner.language ?? tx.language;
  const translate = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const token = signToken(tx, `${product.id} ${createdAt.getTime()}`, PURPOSE);
  const link = tx.urls.app(`${languagePrefix(language)}${UNDO_REDIRECT_PATH}?token=${token}`);
  const facts = { name: owner.name, url: link, show: product.name, feed: url };
  const { subject, content } = accountEmail(translate, TOPIC, facts);
  await queueEmail(tx, { to: owner.email, userId: owner.id, topic: TOPIC, language, subject, content });
}

/** The link works for the redirect that it was sent for, not for a later one. */
async function findLinked(ctx: Ctx, { token }: UndoLink): Promise<{ product: ProductRow; url: string }> {
  const link = readLink(ctx, token);
  const row = link && (await lookupRedirectOf(ctx, link.productId));
  if (!row || row.createdAt.getTime() !== link.at || !canUndo(row.createdAt, ctx.now())) throw undoLinkExpired();
  const { product } = await findProductRecord(ctx, row.productId).catch(() => {
    throw undoLinkExpired();
  });
  return { product, url: row.url };
}

function readLink(ctx: Ctx, token: string): Link | null {
  const [, productId, at] = /^(\d{1,15}) (\d{1,15})$/.exec(readSignedToken(ctx, token, PURPOSE) ?? '') ?? [];
  return productId === undefined ? null : { productId: Number(productId), at: Number(at) };
}
