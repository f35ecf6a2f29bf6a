import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { TrackPlayer } from '~/app/features/player/track-player';
import { inLanguage } from '~/app/features/public/content-language';
import { CoverPicture } from '~/app/features/public/cover-picture';
import { CreatorShell } from '~/app/features/public/creator-shell';
import { creatorsPage } from '~/app/features/public/creators-page.server';
import { EpisodeList, Pager } from '~/app/features/public/episode-list';
import { truncate } from '~/app/features/public/excerpt';
import { LinkedText } from '~/app/features/public/linked-text';
import { ListenInApp } from '~/app/features/public/listen-in-app';
import { Listings } from '~/app/features/public/listings';
import {
  cacheTags,
  domainOf,
  listingsOf,
  localizedUrls,
  productJson,
  redirectToMoved,
  toCreatorCard,
  toListedEpisode,
  toPriceLabels,
  toProductCard,
  urlsOnThisHost,
} from '~/app/features/public/page-data.server';
import { type PageMetadata, pageMeta } from '~/app/features/public/page-meta';
import { notFound } from '~/app/features/site/not-found.server';
import { pack } from '~/app/lib/packed';
import { usePublicPaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { KINDS } from '~/server/domain/products/kinds';
import { splitAtLinks } from '~/server/html';

/** The public page of a podcast or audio series, at `/p/:slug` of the creator's host. */
export const loader = creatorsPage(async ({ api, context, params, request, url }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const requestedPage = Number(url.searchParams.get('page') ?? 1);
  const input = {
    domain,
    slug: params.slug ?? '',
    page: Number.isInteger(requestedPage) && requestedPage > 0 ? requestedPage : 1,
  };
  const result = await api.pages.product(input);
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, product, episodes, trailer, feedUrl } = result;
  const pages = Math.max(1, Math.ceil(episodes.total / episodes.pageSize));
  if (input.page > pages) throw notFound();
  const path = `/p/${product.slug}${input.page > 1 ? `?page=${input.page}` : ''}`;
  const metadata: PageMetadata = {
    title: `${product.name} · ${creator.name}`,
    description: truncate(product.description, 160),
    language: context.language,
    urls: localizedUrls(context, creator.domain, path),
    image: context.urls.media(product.cover.jpg),
    audio: null,
    feed: { title: product.name, url: feedUrl },
  };
  context.structuredData.json = productJson(context, result);
  const first = trailer ?? episodes.items[0];
  const urls = urlsOnThisHost(request);
  const view = {
    metadata,
    feedUrl,
    pages,
    page: input.page,
    creator: toCreatorCard(creator),
    product: {
      ...toProductCard(product),
      description: splitAtLinks(product.description),
      price: toPriceLabels(product, context.language),
    },
    listings: listingsOf(product),
    featured:
      first && input.page === 1
        ? { ...toListedEpisode(first, product.language, urls), isTrailer: trailer !== null }
        : null,
    episodes:
      episodes.items.length > 0
        ? pack(episodes.items.map((episode) => toListedEpisode(episode, product.language, urls)))
        : null,
  };
  return data(view, cacheTags(creator, [product]));
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function ProductPage() {
  const { t } = useTranslation('public');
  const { creator, product, episodes, page, pages } = useLoaderData<typeof loader>();
  return (
    <CreatorShell creator={creator} head={<ProductHead />}>
      <div className="columns section">
        <aside>
          <h2>{t('about')}</h2>
          <p className="prose about" {...inLanguage(product.language)}>
            <LinkedText parts={product.description} />
          </p>
        </aside>
        <section aria-labelledby="episodes">
          <h2 id="episodes">{t('episodes')}</h2>
          {episodes ? <EpisodeList episodes={episodes} /> : <p className="muted">{t('episodes.none')}</p>}
          <Pager page={page} pages={pages} />
        </section>
      </div>
    </CreatorShell>
  );
}

function ProductHead() {
  const { t } = useTranslation('public');
  const { creator, product, featured, feedUrl, listings } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  const first = KINDS[product.kind].playOrder === 'oldest_first' ? 'playFirst' : 'playLatest';
  return (
    <div className="product-intro">
      <CoverPicture cover={product.cover} alt="" wide={320} first />
      <div>
        <p className="facts">
          <span>{t(`kind.${product.kind}`)}</span>
          <span>{t('episodes.count', { count: product.episodesCount })}</span>
        </p>
        <h1 {...inLanguage(product.language)}>{product.name}</h1>
        <p className="by">
          <Link to={paths.creator}>{t('by', { name: creator.name })}</Link>
        </p>
        {product.price && (
          <div className="price">
            <p>
              <strong>{product.price.price}</strong>
              {product.price.yearly && <span>{product.price.yearly}</span>}
              {product.price.saving && <span className="badge">{product.price.saving}</span>}
            </p>
            <p className="small">{product.price.access}</p>
          </div>
        )}
        <div className="start">
          {featured?.track && (
            <TrackPlayer track={featured.track}>{t(featured.isTrailer ? 'playTrailer' : first)}</TrackPlayer>
          )}
          <ListenInApp feedUrl={feedUrl} />
        </div>
        <Listings listings={listings} />
      </div>
    </div>
  );
}
