import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { feedFetches, feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { formatDate, localeOf } from '../../base/formats';
import { feedLinksPath, languagePrefix } from '../../base/public-paths';
import { earlier, later } from '../../base/time';
import { SHARING_LIMITS } from '../../limits/feeds';
import { dealWithSharing } from '../../queue/jobs/feeds';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { listProductsByIds } from '../products/queries';
import { sweepFetches } from './fetches';
import { CREATORS_LINK, FEED_APPS, type FeedApp } from './kinds';
import { type Fetched, looksShared } from './rules';

/**
 * Private feeds that more people use than live in a household (docs/decisions/0221). The operator chooses the reaction:
 * only a line in the log, an email to the listener, or after the email a new address.
 */
type FoundLink = Fetched & { linkId: number };
type SharedLink = NonNullable<Awaited<ReturnType<typeof lockShared>>>;

/** Finds shared feeds, and enqueues the reaction to each. Repeating it is harmless. */
export async function findSharedFeeds(ctx: Ctx): Promise<void> {
  await sweepFetches(ctx);
  await ctx.db.delete(sharedFeeds).where(lt(sharedFeeds.lastFoundAt, earlier(ctx.now(), SHARING_LIMITS.forgotten)));
  const found = await listShared(ctx, { since: earlier(ctx.now(), SHARING_LIMITS.window) });
  if (found.length === 0) return;
  await transact(ctx, async (tx) => {
    const isNew = await keepFindings(tx, found);
    for (const { linkId, networks, apps } of found)
      if (isNew.has(linkId)) tx.log.info({ linkId, networks, apps }, 'private feed looks shared');
    const due = tx.settings.sharedFeeds === 'watch' ? [] : await listDue(tx, found);
    await tx.jobs.enqueueAll(dealWithSharing, due);
  });
}

/** The links that look shared by the fetches since then, each with its most fetched episode. */
async function listShared({ db, now }: Pick<Ctx, 'db' | 'now'>, range: { since: Date; linkId?: number }) {
  const { linkId, network, app, at, episodeId } = feedFetches;
  const inDay = sql`filter (where ${at} > ${earlier(now(), SHARING_LIMITS.day).toISOString()}::timestamptz)`;
  const networksOfWeek = sql<number>`count(distinct ${network})::int`;
  const rows: FoundLink[] = await db
    .select({
      linkId,
      networks: sql<number>`(count(distinct ${network}) ${inDay})::int`,
      apps: sql<number>`(count(distinct ${app}) ${inDay})::int`,
      networksOfWeek,
    })
    .from(feedFetches)
    .innerJoin(feedLinks, eq(feedLinks.id, linkId))
    .where(and(gt(at, range.since), isNull(feedLinks.replacedAt), range.linkId ? eq(linkId, range.linkId) : undefined))
    .groupBy(linkId, episodeId)
    .having(sql`count(distinct ${network}) >= ${SHARING_LIMITS.networksOfApps}`)
    .orderBy(desc(networksOfWeek))
    .limit(SHARING_LIMITS.found);
  const shared = rows.filter(looksShared);
  return shared.filter(({ linkId }, i) => shared.findIndex((other) => other.linkId === linkId) === i);
}

/** @returns the links that were unknown */
async function keepFindings(tx: TxCtx, found: FoundLink[]): Promise<Set<number>> {
  const now = tx.now();
  const rows = found.map(({ linkId, networksOfWeek, apps }) => {
    return { linkId, networks: networksOfWeek, apps, foundAt: now, lastFoundAt: now };
  });
  const kept = await tx.db
    .insert(sharedFeeds)
    .values(rows.toSorted((a, b) => a.linkId - b.linkId))
    .onConflictDoUpdate({
      target: sharedFeeds.linkId,
      set: { networks: sql`excluded.networks`, apps: sql`excluded.apps`, lastFoundAt: now },
    })
    .returning({ linkId: sharedFeeds.linkId, isNew: sql<boolean>`xmax = 0` });
  return new Set(kept.flatMap(({ linkId, isNew }) => (isNew ? [linkId] : [])));
}

/** The links whose listener was not told yet, or was told long enough ago. */
function listDue(tx: TxCtx, found: FoundLink[]): Promise<{ linkId: number }[]> {
  const known = lte(sharedFeeds.notifiedAt, earlier(tx.now(), SHARING_LIMITS.grace));
  const ids = found.map(({ linkId }) => linkId);
  return tx.db
    .select({ linkId: sharedFeeds.linkId })
    .from(sharedFeeds)
    .innerJoin(feedLinks, eq(feedLinks.id, sharedFeeds.linkId))
    .where(
      and(
        inArray(sharedFeeds.linkId, ids),
        or(isNull(sharedFeeds.notifiedAt), known),
        // the listener does not decide who has it
        ne(feedLinks.app, CREATORS_LINK),
      ),
    )
    .limit(SHARING_LIMITS.found);
}

/**
 * Tells the listener once. If as many people still use the link after some time, replaces it: the feed then explains
 * this (notices.ts), and the page with the links has a new address.
 */
export async function dealWithSharedFeed(ctx: Ctx, { linkId }: { linkId: number }): Promise<void> {
  const mode = ctx.settings.sharedFeeds;
  if (mode === 'watch') return;
  await transact(ctx, async (tx) => {
    const shared = await lockShared(tx, linkId);
    if (!shared) return;
    if (shared.notifiedAt === null) return notifyListener(tx, shared);
    const since = later(shared.notifiedAt, SHARING_LIMITS.grace);
    const goesOn = mode === 'replace' && since < tx.now() && (await listShared(tx, { since, linkId })).length > 0;
    if (!goesOn) return;
    const replaced = { replacedAt: tx.now(), replacedBecause: 'shared' } as const;
    await tx.db.update(feedLinks).set(replaced).where(eq(feedLinks.id, linkId));
    tx.log.info({ linkId }, 'shared private feed replaced');
  });
}

/** A link that its owner has not replaced meanwhile. */
async function lockShared(tx: TxCtx, linkId: number) {
  const [row] = await tx.db
    .select({
      linkId: feedLinks.id,
      userId: feedLinks.userId,
      productId: feedLinks.productId,
      app: feedLinks.app,
      networks: sharedFeeds.networks,
      apps: sharedFeeds.apps,
      notifiedAt: sharedFeeds.notifiedAt,
    })
    .from(sharedFeeds)
    .innerJoin(feedLinks, eq(feedLinks.id, sharedFeeds.linkId))
    .where(and(eq(sharedFeeds.linkId, linkId), isNull(feedLinks.replacedAt)))
    .for('update');
  return row ?? null;
}

async function notifyListener(tx: TxCtx, shared: SharedLink): Promise<void> {
  await tx.db.update(sharedFeeds).set({ notifiedAt: tx.now() }).where(eq(sharedFeeds.linkId, shared.linkId));
  const { id: userId, email: to, name, language: chosen, country } = await findUser(tx, shared.userId);
  const language = chosen ?? DEFAULT_LANGUAGE;
  const t = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const page = `${languagePrefix(language)}${feedLinksPath(shared.productId)}?replace=${shared.app}`;
  const { subject, content } = accountEmail(t, 'feed_shared', {
    name,
    url: tx.urls.app(page),
    show: await showName(tx, shared, t),
    app: FEED_APPS[shared.app as FeedApp].name ?? t('mail:shared_feed.otherApp'),
    networks: String(shared.networks),
  });
  const until = formatDate(later(tx.now(), SHARING_LIMITS.grace), localeOf(language, country));
  const then = tx.settings.sharedFeeds === 'replace' ? [t('mail:shared_feed.replacing', { date: until })] : [];
  const paragraphs = [...content.paragraphs, ...then];
  await queueEmail(tx, { to, userId, topic: 'feed_shared', language, subject, content: { ...content, paragraphs } });
}

async function showName(tx: TxCtx, { productId }: SharedLink, t: (key: string) => string): Promise<string> {
  if (productId === null) return t('mail:shared_feed.allShows');
  const [found] = await listProductsByIds(tx, [productId]);
  return found?.product.name ?? '';
}
