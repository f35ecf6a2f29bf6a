import { useLoaderData } from '@remix-run/react';
import { EpisodeList } from '~/app/features/episode/episode-list';
import { episodeQuery } from '~/app/features/episode/episode-query';
import { ProductHeader } from '~/app/features/product/product-header';
import { page } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { titleMeta } from '~/app/lib/title-meta';

/** A product with its episodes. Search, filter, order and page are in the URL. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const ref = productRef(door);
  const query = episodeQuery(url.searchParams);
  const [product, episodes] = await Promise.all([
    api.products.forEditing(ref),
    api.episodes.list({ kind: ref.kind, productId: ref.id, ...query }),
  ]);
  const { domain } = product.creator;
  return {
    title: product.name,
    product,
    episodes,
    query,
    pageUrl: context.urls.product(domain, product.slug),
    feedUrl: context.urls.feed(domain, product.slug),
  };
});

export const meta = titleMeta;

export default function ShowProduct() {
  const { product, episodes, query, pageUrl, feedUrl } = useLoaderData<typeof loader>();
  return (
    <>
      <ProductHeader product={product} pageUrl={pageUrl} feedUrl={feedUrl} />
      <EpisodeList key={product.id} product={product} episodes={episodes} query={query} />
    </>
  );
}
