import type { Ctx } from '../../ctx';
import { type Feed, feedOf } from '../feeds/queries';
import { findProductPage } from './find-page';

/**
 * A product's public feed, found like its page by current or former domain and slug.
 * @throws creator.not_found, product.not_found
 */
export async function publicFeed(
  ctx: Pick<Ctx, 'db' | 'urls'>,
  address: { domain: string; slug: string },
): Promise<Feed | { movedTo: string }> {
  const { creator, product, movedTo } = await findProductPage(ctx, address);
  if (movedTo) return { movedTo: ctx.urls.feed(creator.domain, product.product.slug) };
  return feedOf(ctx, { product: product.product, creator });
}
