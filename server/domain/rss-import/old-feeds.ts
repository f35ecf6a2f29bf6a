import { and, asc, desc, eq, inArray, isNotNull, lt } from 'drizzle-orm';
import { oldFeeds, rssImports } from '~/db/schema/rss-import';
import { OPEN_STATUSES } from '~/db/values/rss-import';
import { markOldFeed } from '../../base/public-paths';
import { DAYS, earlier, utcDay } from '../../base/time';
import { IMPORT_LIMITS, OLD_FEED_LIMITS } from '../../limits/rss-import';
import { authorize } from '../../policy/authorize';
import { pollOldFeed } from '../../queue/jobs/rss-import';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { downloadsSince } from '../listening/queries';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import { noOldFeed } from './errors';
import type { FindOldFeed, FollowOldFeed } from './schema';
import { type ImportRow, type OldFeedReport, type OldFeedRow, type OldFeedView, toOldFeedView } from './views';

/** Begins to follow or watch the feed of an imported show. Another import of the feed does not end the following. */
export async function keepOldFeed(tx: TxCtx, row: Omit<Source, 'productId'> & { productId: number | null }) {
  const { productId, creatorId, userId, feedUrl, keepsFollowing } = row;
  if (productId === null) return;
  const [known] = await tx.db.select().from(oldFeeds).where(eq(oldFeeds.productId, productId)).for('update');
  const isFollowed = keepsFollowing || (known?.state === 'following' && known.feedUrl === feedUrl);
  // made private while this import waited or ran
  const isPrivate = row.isPrivate || (known?.isPrivate ?? false);
  const source = { productId, creatorId, userId, feedUrl, isPrivate, keepsFollowing: isFollowed };
  await beginPolling(tx, source, known?.step ?? 0);
}

type Source = Pick<ImportRow, 'creatorId' | 'userId' | 'feedUrl' | 'isPrivate' | 'keepsFollowing'> & {
  productId: number;
};

/** The validators are forgotten, so that the next poll compares all episodes. */
async function beginPolling(tx: TxCtx, { keepsFollowing, ...source }: Source, step: number): Promise<void> {
  const state = keepsFollowing ? ('following' as const) : ('watching' as const);
  const fresh = { etag: null, lastModified: null, failures: 0, failureReason: null, failureParams: {} };
  const times = { since: tx.now(), nextAt: tx.now() };
  const values = { ...source, ...fresh, ...times, state, endedBecause: null, step: step + 1 };
  await tx.db.insert(oldFeeds).values(values).onConflictDoUpdate({ target: oldFeeds.productId, set: values });
  await tx.jobs.enqueue(pollOldFeed, { productId: source.productId, step: step + 1 });
}

/** Starts or stops following the feed at the former host. @throws import.no_old_feed if the show was not imported */
export async function followOldFeed(ctx: Ctx, { productId, follows }: FollowOldFeed): Promise<OldFeedView> {
  const { product: found } = await findProductRecord(ctx, productId);
  const product = authorize(ctx, 'product.manage', found);
  await transact(ctx, async (tx) => {
    const [known] = await tx.db.select().from(oldFeeds).where(eq(oldFeeds.productId, productId)).for('update');
    const source = known ?? (await lookupSource(tx, productId));
    if (!source) throw noOldFeed();
    const { creatorId, userId, feedUrl, isPrivate } = source;
    const feed = { productId, creatorId, userId, feedUrl, isPrivate, keepsFollowing: follows };
    await beginPolling(tx, feed, known?.step ?? 0);
    await recordAbout(tx, follows ? 'import.following' : 'import.not_following', product);
  });
  return findOldFeedView(ctx, productId);
}

export async function isOldFeedPrivate(ctx: Pick<Ctx, 'db'>, productId: number): Promise<boolean> {
  return (await lookupOldFeed(ctx, productId))?.isPrivate ?? false;
}

/** New episodes of the former host's feed will be private, too, also those of imports that wait or run. */
export async function makeOldFeedPrivate(ctx: Pick<Ctx, 'db'>, productId: number): Promise<void> {
  const isOpen = and(eq(rssImports.productId, productId), inArray(rssImports.status, OPEN_STATUSES));
  await ctx.db.update(oldFeeds).set({ isPrivate: true }).where(eq(oldFeeds.productId, productId));
  await ctx.db.update(rssImports).set({ isPrivate: true }).where(isOpen);
}

/** The feed of a show's last import that a user has requested. */
async function lookupSource(ctx: Pick<Ctx, 'db'>, productId: number): Promise<ImportRow | null> {
  const [row] = await ctx.db
    .select()
    .from(rssImports)
    .where(and(eq(rssImports.productId, productId), eq(rssImports.status, 'imported')))
    .orderBy(desc(rssImports.id))
    .limit(1);
  return row ?? null;
}

/** The state of a show's feed at its former host. @throws import.no_old_feed */
export async function getOldFeed(ctx: Ctx, { productId }: FindOldFeed): Promise<OldFeedReport> {
  const { product, creator } = await findProductRecord(ctx, productId);
  authorize(ctx, 'product.read', product);
  const { counted: days } = OLD_FEED_LIMITS;
  const since = utcDay(earlier(ctx.now(), DAYS(days - 1)));
  const [view, downloads] = await Promise.all([
    findOldFeedView(ctx, productId),
    downloadsSince(ctx, { creatorId: product.creatorId, productId }, since),
  ]);
  return { ...view, redirectTo: markOldFeed(ctx.urls.feed(creator.domain, product.slug)), days, downloads };
}

/** Whether a show came from another host. */
export async function hasOldFeed(ctx: Ctx, { productId }: FindOldFeed): Promise<boolean> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'product.read', product);
  return (await lookupOldFeed(ctx, productId)) !== null;
}

async function findOldFeedView(ctx: Pick<Ctx, 'db'>, productId: number): Promise<OldFeedView> {
  const row = await lookupOldFeed(ctx, productId);
  if (!row) throw noOldFeed();
  return toOldFeedView(row);
}

export async function lookupOldFeed(ctx: Pick<Ctx, 'db'>, productId: number): Promise<OldFeedRow | null> {
  const [row] = await ctx.db.select().from(oldFeeds).where(eq(oldFeeds.productId, productId));
  return row ?? null;
}

/** Enqueues polls again whose job was lost. A second job is harmless: only one of them counts. */
export async function recoverPolls(tx: TxCtx): Promise<void> {
  const lost = await tx.db
    .select({ productId: oldFeeds.productId, step: oldFeeds.step })
    .from(oldFeeds)
    .where(and(isNotNull(oldFeeds.nextAt), lt(oldFeeds.nextAt, earlier(tx.now(), IMPORT_LIMITS.overdue))))
    .orderBy(asc(oldFeeds.nextAt))
    .limit(IMPORT_LIMITS.recoveredAtOnce);
  await tx.jobs.enqueueAll(pollOldFeed, lost);
}
