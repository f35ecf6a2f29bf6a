import { createHash } from 'node:crypto';
import { and, asc, eq, gt, gte, isNull } from 'drizzle-orm';
import { feedLinks } from '~/db/schema/feeds';
import { oldFeedAddresses } from '~/db/schema/moving';
import { oldFeedPath } from '../../../base/public-paths';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { authorize } from '../../../policy/authorize';
import { type Ctx, transact } from '../../../runtime/ctx';
import { ensureLinks } from '../../feeds/private-links';
import { findProductRecord } from '../../products/queries';
import type { ExportOldFeeds } from './schema';

/**
 * Addresses of private feeds at former hosts. They are found by a hash; the encrypted address is for the creator, who
 * gives the list of redirects to the former host (docs/decisions/0248).
 */
const SEALED_FOR = 'old feed address';

/**
 * The part that identifies an address: its host, path and query. The scheme and a trailing slash make no difference.
 */
export function hashOldFeed(address: string): Buffer | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname, search } = new URL(address);
  return createHash('sha256')
    .update(`${host}${pathname.replace(/\/+$/, '')}${search}`)
    .digest();
}

export const sealOldFeed = (ctx: Pick<Ctx, 'vault'>, address: string): string => ctx.vault.seal(address, SEALED_FOR);

/**
 * The private feed here for an address at the former host; null for an unknown address. `gone`: the listener has
 * replaced the feed's address here since, because another person knew it, perhaps through the old address.
 */
export async function findByOldFeed(ctx: Ctx, address: string): Promise<string | 'gone' | null> {
  const hash = hashOldFeed(address);
  if (!hash) return null;
  const [row] = await ctx.db.select().from(oldFeedAddresses).where(eq(oldFeedAddresses.hash, hash));
  if (!row) return null;
  const { userId, productId, createdAt } = row;
  const own = and(eq(feedLinks.userId, userId), eq(feedLinks.productId, productId), eq(feedLinks.app, APP));
  return transact(ctx, async (tx) => {
    const links = await ensureLinks(tx, { userId, productId });
    await tx.reach('old-feed.read');
    // checked after the address was read: its replacement must not be revealed here
    if ((await tx.db.$count(feedLinks, and(own, gte(feedLinks.replacedAt, createdAt)))) > 0) return 'gone';
    const isFirst = and(eq(oldFeedAddresses.hash, hash), isNull(oldFeedAddresses.usedAt));
    await tx.db.update(oldFeedAddresses).set({ usedAt: tx.now() }).where(isFirst);
    return links.find(({ app }) => app === APP)?.url ?? null;
  });
}

/** The app of an old address is unknown. */
const APP = 'other';

/**
 * `from`: the address at the former host; `to`: the target of its redirect. The list contains no address of a feed
 * here.
 */
export type OldFeedRedirect = { hash: string; from: string; to: string; usedAt: Date | null };

/** The next part of the list that the creator gives to the former host. @throws product.not_found */
export async function exportOldFeeds(ctx: Ctx, { id, kind, after }: ExportOldFeeds): Promise<OldFeedRedirect[]> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  const { hash, productId } = oldFeedAddresses;
  const rows = await ctx.db
    .select()
    .from(oldFeedAddresses)
    .where(and(eq(productId, show.id), after ? gt(hash, Buffer.from(after, 'hex')) : undefined))
    .orderBy(asc(hash))
    .limit(SUBSCRIBER_IMPORT_LIMITS.exported);
  return rows.map(({ hash: found, sealedUrl, usedAt }) => {
    const from = ctx.vault.open(sealedUrl, SEALED_FOR);
    return { hash: found.toString('hex'), from, to: ctx.urls.app(oldFeedPath(from)), usedAt };
  });
}
