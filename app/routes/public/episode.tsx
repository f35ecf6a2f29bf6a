import '~/app/styles/episode.css';
import '~/app/styles/show.css';
import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { QueueMore } from '~/app/features/listener/player/queue-more';
import { SaveButton } from '~/app/features/listener/player/save-button';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { EpisodeFacts } from '~/app/features/site/public/episode-facts';
import { EpisodeMasthead } from '~/app/features/site/public/episode-masthead';
import { episodePageData } from '~/app/features/site/public/episode-page-data.server';
import { Chapters, OtherEpisodes, PrivateNotice } from '~/app/features/site/public/episode-parts';
import { ListenInApp } from '~/app/features/site/public/listen-in-app';
import { HEAD_END, PAINT_WITH_HEAD, pageMeta } from '~/app/features/site/public/page-meta';
import { People, Transcript } from '~/app/features/site/public/people-and-transcript';
import { PlaybackFollower } from '~/app/features/site/public/playback-follower';
import { Share } from '~/app/features/site/public/share';
import { Link, useLoaderData } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** An episode's public page, at `/p/:slug/:episodeSlug` of the creator's host. */
export const loader = creatorsPage(episodePageData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [...pageMeta(data?.metadata), PAINT_WITH_HEAD];

export default function EpisodePage() {
  const { t } = useTranslation('public');
  const { creator, product, episode, inApp, share, around, unpublished } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  return (
    <CreatorShell creator={creator} head={null} isReportable>
      <div className="show has-side">
        <EpisodeMasthead
          {...{ product, unpublished }}
          {...{ cover: episode.cover, title: episode.name, language: episode.language }}
          facts={<EpisodeFacts episode={{ ...episode, availableAt: undefined }} />}
        >
          <EpisodeSound />
        </EpisodeMasthead>
        <span id={HEAD_END} hidden />
        <div className="show-main">
          <section aria-labelledby="about">
            <h2 id="about">{t('aboutEpisode')}</h2>
            {/* the server sanitised it when it was saved */}
            <div
              className="prose"
              {...inLanguage(episode.language)}
              dangerouslySetInnerHTML={{ __html: episode.description }}
            />
          </section>
          <Chapters episodeId={episode.id} chapters={episode.chapters} language={episode.language} />
          <Transcript transcript={episode.transcript} language={episode.language} />
          <PlaybackFollower episodeId={episode.id} />
        </div>
        <aside className="side">
          <Link className="quiet-link" to={paths.product(product.slug)} prefetch="intent">
            {t('episode.back', { name: product.name })}
          </Link>
          <People people={episode.people} />
          <Share {...share} episodeId={episode.id} />
          {inApp && <ListenInApp {...inApp} />}
        </aside>
      </div>
      <OtherEpisodes around={around} slug={product.slug} language={episode.language} />
    </CreatorShell>
  );
}

/** The player of an episode; of a locked one, its promo. */
function EpisodeSound() {
  const { product, episode, promo, offer } = useLoaderData<typeof loader>();
  const { t } = useTranslation('public');
  const { track } = episode;
  if (!track)
    return (
      <div className="start below">
        {promo && <TrackPlayer track={promo}>{t('promo.listen')}</TrackPlayer>}
        <PrivateNotice product={product} episode={episode} />
        {offer?.path && (
          <a className="button" href={offer.path}>
            {offer.label}
          </a>
        )}
      </div>
    );
  return (
    <div className="start below">
      <TrackPlayer track={track}>{t('playEpisode')}</TrackPlayer>
      <div className="further needs-js">
        <SaveButton track={track} />
        <QueueMore track={track} label={t('row.more', { name: episode.name })} />
      </div>
    </div>
  );
}
