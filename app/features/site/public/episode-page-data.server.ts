import { data } from '@remix-run/node';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { toAround } from './around.server';
import { promoTrack, toListRow } from './list-row.server';
import { offersOf, unsoldText } from './offer-labels.server';
import {
  cacheTags,
  domainOf,
  embedOfEpisode,
  localizedUrls,
  opensText,
  redirectToMoved,
  toCreatorCard,
  toListedEpisode,
  toProductCard,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { feedInApps, sharedPage } from './shared-page.server';
import { episodeJson } from './structured-data.server';

/** The data of an episode's page. */
export async function episodePageData({ api, context, params, request }: Door) {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const { slug = '', episodeSlug = '' } = params;
  const result = await api.pages.episode({ domain, slug, episodeSlug });
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, product, episode, summary, feedUrl, around, isSold, isOnSale } = result;
  const metadata: PageMetadata = {
    title: `${episode.name} · ${product.name}`,
    description: summary.slice(0, 160),
    language: context.language,
    urls: localizedUrls(context, creator.domain, `/p/${product.slug}/${episode.slug}`),
    image: { url: result.shareImage, alt: `${episode.name} · ${product.name}`, isWide: true },
    audio: episode.url,
    feed: feedUrl === null ? null : { title: product.name, url: feedUrl },
    embed: embedOfEpisode(context, result),
  };
  context.structuredData.json = episodeJson(context, result);
  const urls = urlsOnThisHost(request);
  const view = {
    metadata,
    inApp: await feedInApps(feedUrl),
    share: await sharedPage(context, { name: episode.name, type: 'episode', metadata }),
    creator: toCreatorCard(creator),
    product: toProductCard(product),
    /** Set if only the owner sees the page. */
    unpublished: episode.status === 'published' ? null : episode.status,
    episode: {
      ...toListedEpisode(episode, product.language, urls),
      // links to times stay on this page, in the language in which it is open
      description: episode.description.replaceAll(
        `href="${context.urls.episode(creator.domain, product.slug, episode.slug)}#`,
        'href="#',
      ),
      ...{ cover: episode.cover, people: episode.people },
      opens: opensText(episode, context),
      ...{ transcript: result.transcript, chapters: result.chapters },
    },
    promo: promoTrack(episode, { page: context.language, urls }),
    /** The usual way to buy a locked episode's show. */
    offer: isSold && isOnSale ? (offersOf({ product, isOnSale }, context)[0] ?? null) : null,
    unsold: isSold && !isOnSale ? unsoldText(context) : null,
    around: toAround(around, product.kind, (other) =>
      toListRow(other, { page: context.language, content: product.language, urls }),
    ),
  };
  return data(view, cacheTags(creator, [product]));
}
