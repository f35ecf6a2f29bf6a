import '~/app/styles/episode.css';
import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { QueueMenu } from '~/app/features/listener/player/queue-menu';
import { SaveButton } from '~/app/features/listener/player/save-button';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { toAround } from '~/app/features/site/public/around.server';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { EpisodeFacts } from '~/app/features/site/public/episode-facts';
import { Chapters, OtherEpisodes, PrivateNotice } from '~/app/features/site/public/episode-parts';
import { ListenInApp } from '~/app/features/site/public/listen-in-app';
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
} from '~/app/features/site/public/page-data.server';
import { type PageMetadata, pageMeta } from '~/app/features/site/public/page-meta';
import { People, Transcript } from '~/app/features/site/public/people-and-transcript';
import { PlaybackFollower } from '~/app/features/site/public/playback-follower';
import { ShareEpisode } from '~/app/features/site/public/share-episode';
import { episodeJson } from '~/app/features/site/public/structured-data.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import { Link, useLoaderData } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** An episode's public page, at `/p/:slug/:episodeSlug` of the creator's host. */
export const loader = creatorsPage(async ({ api, context, params, request }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const { slug = '', episodeSlug = '' } = params;
  const result = await api.pages.episode({ domain, slug, episodeSlug });
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, product, episode, summary, feedUrl, around } = result;
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
    feedUrl,
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
    around: toAround(around, (other) => toListedEpisode(other, product.language, urls)),
  };
  return data(view, cacheTags(creator, [product]));
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function EpisodePage() {
  const { t } = useTranslation('public');
  const { creator, product, episode, feedUrl, metadata, around } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  return (
    <CreatorShell creator={creator} head={<EpisodeHead />} isReportable>
      <div className="columns section">
        <section aria-labelledby="about">
          <h2 id="about">{t('aboutEpisode')}</h2>
          {/* the server sanitised it when it was saved */}
          <div
            className="prose"
            {...inLanguage(episode.language)}
            dangerouslySetInnerHTML={{ __html: episode.description }}
          />
          <Chapters episodeId={episode.id} chapters={episode.chapters} language={episode.language} />
          <Transcript transcript={episode.transcript} language={episode.language} />
          <PlaybackFollower episodeId={episode.id} />
        </section>
        <aside className="side">
          <Link className="quiet-link" to={paths.product(product.slug)} prefetch="intent">
            {t('episode.back', { name: product.name })}
          </Link>
          <People people={episode.people} />
          <ShareEpisode episodeId={episode.id} url={metadata.urls['x-default']} name={episode.name} />
          {feedUrl !== null && <ListenInApp feedUrl={feedUrl} />}
        </aside>
      </div>
      <OtherEpisodes around={around} slug={product.slug} language={episode.language} />
    </CreatorShell>
  );
}

function EpisodeHead() {
  const { t } = useTranslation('public');
  const { product, episode, unpublished } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  return (
    <div className="product-intro">
      {unpublished && (
        <p className="notice whole" role="note">
          {t(`episode.onlyYou.${unpublished}`)}
        </p>
      )}
      <CoverPicture cover={episode.cover} alt="" wide={320} first />
      <div>
        <EpisodeFacts episode={{ ...episode, availableAt: undefined }} />
        <h1 {...inLanguage(episode.language)}>{episode.name}</h1>
        <p className="by">
          <Link to={paths.product(product.slug)} {...inLanguage(episode.language)}>
            {product.name}
          </Link>
        </p>
        <div className="start">
          {episode.track ? (
            <>
              <TrackPlayer track={episode.track}>{t('playEpisode')}</TrackPlayer>
              <SaveButton track={episode.track} />
              <QueueMenu track={episode.track} />
            </>
          ) : (
            <PrivateNotice product={product} episode={episode} />
          )}
        </div>
      </div>
    </div>
  );
}
