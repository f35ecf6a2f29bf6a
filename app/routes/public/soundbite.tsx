import '~/app/styles/episode.css';
import '~/app/styles/show.css';
import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { EpisodeMasthead } from '~/app/features/site/public/episode-masthead';
import { HEAD_END, PAINT_WITH_HEAD, pageMeta } from '~/app/features/site/public/page-meta';
import { PlaybackFollower } from '~/app/features/site/public/playback-follower';
import { Share } from '~/app/features/site/public/share';
import { soundbitePageData } from '~/app/features/site/public/soundbite-page-data.server';
import { formatClock, isoDuration } from '~/app/lib/clock';
import { useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** A soundbite's public page, at `/p/:slug/:episodeSlug/soundbites/:soundbiteId` of the creator's host. */
export const loader = creatorsPage(soundbitePageData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [...pageMeta(data?.metadata), PAINT_WITH_HEAD];

export default function SoundbitePage() {
  const { t } = useTranslation('public');
  const { creator, product, episode, soundbite, share, track, unpublished } = useLoaderData<typeof loader>();
  const seconds = (soundbite.endMs - soundbite.startMs) / 1000;
  return (
    <CreatorShell creator={creator} head={null} isReportable>
      <div className="show has-side">
        <EpisodeMasthead
          {...{ product, unpublished }}
          {...{ cover: episode.cover, title: soundbite.title, language: product.language }}
          facts={
            <p className="facts">
              <span>{t('soundbite.name')}</span>
              <time dateTime={isoDuration(seconds)}>{formatClock(seconds)}</time>
            </p>
          }
        >
          <div className="start below">
            <TrackPlayer track={track}>{t('soundbite.play')}</TrackPlayer>
            <a className="button plain" href={episode.path}>
              {t('soundbite.whole')}
            </a>
          </div>
        </EpisodeMasthead>
        <span id={HEAD_END} hidden />
        <div className="show-main">
          <Captions />
        </div>
        <aside className="side">
          <p>
            {t('soundbite.from')}{' '}
            <a href={episode.path} {...inLanguage(product.language)}>
              {episode.name}
            </a>
          </p>
          <Share {...share} episodeId={null} />
        </aside>
      </div>
    </CreatorShell>
  );
}

/** What is said, which follows playback. */
function Captions() {
  const { t } = useTranslation('public');
  const { product, soundbite, track } = useLoaderData<typeof loader>();
  if (soundbite.captions.length === 0) return null;
  return (
    <section aria-labelledby="said">
      <h2 id="said">{t('soundbite.said')}</h2>
      <div className="prose transcript" {...inLanguage(product.language)}>
        {soundbite.captions.map(({ startMs, speaker, text }) => (
          <p key={`${startMs} ${text}`}>
            {speaker && <strong>{speaker}: </strong>}
            <span data-at={startMs / 1000}>{text}</span>
          </p>
        ))}
      </div>
      <PlaybackFollower episodeId={track.id} />
    </section>
  );
}
