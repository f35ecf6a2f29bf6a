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
  const plays = await api.listening.plays({ episodeIds: episodes.items.map(({ id }) => id) });
  const { domain } = product.creator;
  return {
    title: product.name,
    product,
    episodes: { ...episodes, items: episodes.items.map((episode) => ({ ...episode, plays: playsOf(episode, plays) })) },
    query,
    pageUrl: context.urls.product(domain, product.slug),
    feedUrl: context.urls.feed(domain, product.slug),
  };
});

function playsOf({ id }: { id: number }, all: { id: number; listens: number; downloads: number }[]): number {
  const found = all.find((row) => row.id === id);
  return found ? found.listens + found.downloads : 0;
}

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
