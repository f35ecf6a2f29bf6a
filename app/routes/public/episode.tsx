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
import { useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** An episode's public page, at `/p/:slug/:episodeSlug` of the creator's host. */
export const loader = creatorsPage(episodePageData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [...pageMeta(data?.metadata), PAINT_WITH_HEAD];

export default function EpisodePage() {
  const { t } = useTranslation('public');
  const { creator, product, episode, around, unpublished } = useLoaderData<typeof loader>();
  return (
    <CreatorShell creator={creator} head={null} isReportable>
      <div className={episode.people.length > 0 ? 'show has-side' : 'show'}>
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
        {episode.people.length > 0 && (
          <aside className="side">
            <People people={episode.people} />
          </aside>
        )}
      </div>
      <OtherEpisodes around={around} product={product} language={episode.language} />
    </CreatorShell>
  );
}

/** The player of an episode, or of a locked one's promo, and what else can be done with it. */
function EpisodeSound() {
  const { product, episode, promo, offer, unsold, share, inApp } = useLoaderData<typeof loader>();
  const { t } = useTranslation('public');
  const { track } = episode;
  const ways = (
    <>
      <Share {...share} episodeId={episode.id} />
      {inApp && <ListenInApp {...inApp} />}
    </>
  );
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
        {unsold && <p className="muted">{unsold}</p>}
        <div className="further">{ways}</div>
      </div>
    );
  return (
    <div className="start below tools">
      <TrackPlayer track={track}>{t('playEpisode')}</TrackPlayer>
      <div className="further">
        <SaveButton track={track} />
        {ways}
        <QueueMore track={track} label={t('row.more', { name: episode.name })} />
      </div>
    </div>
  );
}
