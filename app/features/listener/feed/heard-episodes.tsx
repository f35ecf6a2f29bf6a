import type { ReactNode } from 'react';
import { MoreMenu } from '~/app/components/more-menu';
import { QueueMenu } from '~/app/features/listener/player/queue-menu';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { EpisodeFacts } from '~/app/features/site/public/episode-facts';
import { roundedLength } from '~/app/features/site/public/rounded-length';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { HeardEpisode } from './heard-data.server';

/** The episodes that the listener has started, on any device. The player continues where they stopped. */
export function Unfinished({ episodes }: { episodes: HeardEpisode[] }) {
  const { t } = useTranslation('follow');
  return (
    <section className="feed-continue" aria-labelledby="continue">
      <h2 id="continue">{t('mine.continue')}</h2>
      <ul className="feed-cards">
        {episodes.map((episode) => (
          <HeardRow key={episode.id} episode={episode} />
        ))}
      </ul>
    </section>
  );
}

export function NewestEpisodes({ episodes }: { episodes: HeardEpisode[] }) {
  return (
    <ol className="feed-episodes">
      {episodes.map((episode) => (
        <HeardRow key={episode.id} episode={episode}>
          <EpisodeFacts episode={episode} />
        </HeardRow>
      ))}
    </ol>
  );
}

function HeardRow({ episode, children }: { episode: HeardEpisode; children?: ReactNode }) {
  const { name, show, url, language, cover, track, isPlayed } = episode;
  return (
    <li className={isPlayed ? 'feed-episode played' : 'feed-episode'}>
      <CoverPicture cover={cover} alt="" wide={72} />
      <div>
        {children}
        <h3 {...inLanguage(language)}>
          <a href={url}>{name}</a>
        </h3>
        <p className="small muted" {...inLanguage(language)}>
          {show}
        </p>
        <HeardSoFar episode={episode} />
      </div>
      {track && <TrackPlayer track={track} />}
      <EpisodeMenu episode={episode} />
    </li>
  );
}

function HeardSoFar({ episode: { seconds, durationSeconds, isPlayed } }: { episode: HeardEpisode }) {
  const { t } = useTranslation('follow');
  if (isPlayed) return <p className="small muted">✓ {t('mine.played')}</p>;
  if (seconds === 0 || durationSeconds === null) return null;
  const { unit, count } = roundedLength(durationSeconds - seconds);
  const left = t(`mine.left.${unit}`, { count });
  return (
    <p className="feed-progress small muted">
      <progress max={durationSeconds} value={Math.min(seconds, durationSeconds)} aria-label={left} />
      {left}
    </p>
  );
}

/** Marks the episode as played or not, and queues it. Closes when the mark changes. */
function EpisodeMenu({ episode: { id, name, track, isPlayed } }: { episode: HeardEpisode }) {
  const { t } = useTranslation('follow');
  return (
    <MoreMenu key={String(isPlayed)} label={t('mine.more', { name })}>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="episodeId" value={id} />
        <button type="submit" name="intent" value={isPlayed ? 'unplayed' : 'played'}>
          {t(isPlayed ? 'mine.markUnplayed' : 'mine.markPlayed')}
        </button>
      </Form>
      {track && <QueueMenu track={track} />}
    </MoreMenu>
  );
}
