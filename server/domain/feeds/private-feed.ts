import { createHash } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { creators } from '~/db/schema/creators';
import { feedLinks } from '~/db/schema/feeds';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import {
  actorInQuery,
  whereLiveGrant,
  whereOpeningGrant,
  whereProductVisible,
  whereQueued,
} from '../../policy/visibility';
import { feedNotFound } from './errors';
import { asListener, feedAccess } from './feed-access';
import { hashFeedToken } from './private-links';
import { type FeedContents, readFeed } from './queries';

type Reads = Pick<Ctx, 'db' | 'urls' | 'vault' | 'now'>;

/** `read` queries the episodes: a client that has this version already needs none of them. */
export type PrivateFeed = { version: string; read(): FeedContents };

/** Raised when feeds change their form, so that podcast apps load them again. */
const FORM = 1;

/**
 * A listener's private feed of a show: every episode that they may hear, with addresses that work for them only. One
 * query decides, each time, so that a feed begins and ends with the grant.
 * @throws feed.not_found if the token is unknown or has been replaced, or if the access has ended
 */
export async function findPrivateFeed(ctx: Reads, token: string): Promise<PrivateFeed> {
  const found = await lookupLink(ctx, token);
  if (!found) throw feedNotFound();
  const { link, product, creator, isOpened } = found;
  const facts = [FORM, link.id, product.version, creator.updatedAt.getTime(), isOpened];
  const version = createHash('sha256').update(facts.join(' ')).digest('base64url').slice(0, 22);
  const listener = actorInQuery({ actor: asListener(link.userId), now: ctx.now });
  const reader = {
    self: ctx.urls.privateFeed(token),
    where: () => whereQueued(listener),
    access: (episodeId: number) => feedAccess(ctx, { linkId: link.id, episodeId }),
  };
  return { version, read: () => readFeed(ctx, { product, creator }, reader) };
}

/** Any live grant keeps the feed alive; which of the episodes it opens is asked of each (docs/decisions/0152). */
async function lookupLink(ctx: Reads, token: string) {
  const now = ctx.now().toISOString();
  const own = and(eq(grants.userId, feedLinks.userId), eq(grants.productId, products.id));
  const [found] = await ctx.db
    .select({
      link: { id: feedLinks.id, userId: feedLinks.userId },
      product: products,
      creator: creators,
      isOpened: sql<boolean>`exists (select from ${grants} where ${own} and ${whereOpeningGrant(now)})`,
    })
    .from(feedLinks)
    .innerJoin(products, eq(products.id, feedLinks.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(
      and(
        eq(feedLinks.tokenHash, hashFeedToken(token)),
        isNull(feedLinks.replacedAt),
        whereProductVisible(),
        sql`exists (select from ${grants} where ${own} and ${whereLiveGrant(now)})`,
      ),
    );
  return found ?? null;
}
