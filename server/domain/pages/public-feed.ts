import { and, eq, exists, or, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import { withPrefixes } from '~/db/values/measurement-prefixes';
import { markOldFeed } from '../../base/public-paths';
import type { FeedEpisode } from '../../feed/model';
import { isInPublicFeed, isProductPublic, whereInPublicFeed } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type EpisodeRecord, factsOf } from '../episodes/queries';
import { feedEmpty } from '../feeds/errors';
import { type Feed, feedPageOf, type Owner } from '../feeds/queries';
import { lookupRedirect } from '../moving/redirects/queries';
import { canUndo } from '../moving/redirects/rules';
import { productNotFound } from '../products/errors';
import { listShown } from '../recommendations/shown-recommendations';
import { findProductPage } from './find-page';

type FeedRequest = { domain: string; slug: string; page?: number; stays?: boolean; isMarked?: boolean };
/** `isReversible`: the redirect can still be undone, so caches must not keep it. */
type Moved = { movedTo: string; isReversible: boolean };

/**
 * A product's public feed, found like its page by current or former domain and slug.
 * @throws creator.not_found, creator.deleted, product.deleted; product.not_found, also for an archived product: apps keep the episodes that they have
 * loaded; feed.empty
 */
export async function publicFeed(
  ctx: Pick<Ctx, 'db' | 'urls' | 'settings' | 'now'>,
  { page = 1, stays = false, isMarked = false, ...address }: FeedRequest,
): Promise<Feed | Moved> {
  // checked before the show, which may be deleted by now
  const redirect = await lookupRedirect(ctx, address);
  if (redirect && !stays) return { movedTo: redirect.url, isReversible: canUndo(redirect.createdAt, ctx.now()) };
  const { creator, product, movedTo } = await findProductPage(ctx, address);
  if (!isProductPublic(product.product)) throw productNotFound();
  if (movedTo) return { movedTo: ctx.urls.feed(creator.domain, product.product.slug), isReversible: false };
  const reads = withMeasuredAudio(isMarked ? withMarkedAudio(ctx) : ctx, product.product.measurementPrefixes);
  const [feed, recommends] = await Promise.all([
    feedPageOf(reads, { product: product.product, creator }, page),
    listShown(ctx, product.product.id),
  ]);
  if (!feed) throw productNotFound();
  const stylesheet = product.product.language.startsWith('es') ? '/feed-es.css' : '/feed-en.css';
  const more = {
    stylesheet,
    podroll: recommends.map(({ product: { feedGuid, name }, feedUrl }) => ({ feedGuid, feedUrl, title: name })),
    hub: ctx.settings.webSubHub ?? undefined,
    movedTo: redirect?.url ?? (isMarked ? feed.show.self : undefined),
  };
  return { ...feed, show: { ...feed.show, ...more }, pages: await withEpisodes(feed.pages) };
}

/** @throws feed.empty before anything is written */
async function withEpisodes(pages: Feed['pages']): Promise<Feed['pages']> {
  const { value: first = [] } = await pages.next();
  if (first.length === 0) throw feedEmpty();
  return startWith(first, pages);
}

async function* startWith(first: FeedEpisode[], rest: Feed['pages']): Feed['pages'] {
  yield first;
  yield* rest;
}

/**
 * The address of a show's public feed; null while `publicFeed` has none.
 * @param shown episodes of the show that are loaded anyway: one of them usually saves a query
 */
export async function lookupFeedUrl(
  ctx: Pick<Ctx, 'db' | 'urls'>,
  { product, creator }: { product: Pick<Owner['product'], 'id' | 'slug'>; creator: Pick<Owner['creator'], 'domain'> },
  shown: EpisodeRecord[],
): Promise<string | null> {
  const hasFeed = shown.some((episode) => isInPublicFeed(factsOf(episode))) || (await answersFeed(ctx, product.id));
  return hasFeed ? ctx.urls.feed(creator.domain, product.slug) : null;
}

async function answersFeed({ db }: Pick<Ctx, 'db'>, productId: number): Promise<boolean> {
  const redirect = db.select({ one: sql`1` }).from(feedRedirects).where(eq(feedRedirects.productId, productId));
  const episode = db
    .select({ one: sql`1` })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), whereInPublicFeed()));
  return (await db.$count(products, and(eq(products.id, productId), or(exists(redirect), exists(episode))))) > 0;
}

/** For apps that followed the former host's redirect: their downloads are counted, and they learn the plain address. */
function withMarkedAudio<Reads extends Pick<Ctx, 'urls'>>(ctx: Reads): Reads {
  const { urls } = ctx;
  return { ...ctx, urls: { ...urls, audio: (id: number, slug: string) => markOldFeed(urls.audio(id, slug)) } };
}

/** Only in the public feed: private addresses contain a token, and no other site may see it. */
function withMeasuredAudio<Reads extends Pick<Ctx, 'urls'>>(ctx: Reads, prefixes: string[]): Reads {
  if (prefixes.length === 0) return ctx;
  const { urls } = ctx;
  const audio = (id: number, slug: string) => withPrefixes(urls.audio(id, slug), prefixes);
  return { ...ctx, urls: { ...urls, audio } };
}
