import type { Ctx } from '../../ctx';
import { isProductPublic } from '../../policy/visibility';
import { type Feed, feedPageOf } from '../feeds/queries';
import { productNotFound } from '../products/errors';
import { findProductPage } from './find-page';

/**
 * A product's public feed, found like its page by current or former domain and slug.
 * @throws creator.not_found; product.not_found, also for an archived product: its readers keep what they have loaded
 */
export async function publicFeed(
  ctx: Pick<Ctx, 'db' | 'urls' | 'settings'>,
  { page = 1, ...address }: { domain: string; slug: string; page?: number },
): Promise<Feed | { movedTo: string }> {
  const { creator, product, movedTo } = await findProductPage(ctx, address);
  if (!isProductPublic(product.product)) throw productNotFound();
  if (movedTo) return { movedTo: ctx.urls.feed(creator.domain, product.product.slug) };
  const feed = await feedPageOf(ctx, { product: product.product, creator }, page);
  if (!feed) throw productNotFound();
  const stylesheet = product.product.language.startsWith('es') ? '/feed-es.css' : '/feed-en.css';
  return { ...feed, show: { ...feed.show, stylesheet, hub: ctx.settings.webSubHub ?? undefined } };
}
