import { useMemo } from 'react';
import { LockIcon } from '~/app/components/icons';
import { QueueMore } from '~/app/features/listener/player/queue-more';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { useKeptRows } from '~/app/lib/kept-rows';
import { useOpenLink } from '~/app/lib/open-link';
import { type Packed, unpack } from '~/app/lib/packed';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import { EpisodeFacts } from './episode-facts';
import type { ListRow } from './list-row.server';

/**
 * Episodes in play order, each with a play button. The server reuses the rows of a list that it has rendered before.
 */
export function EpisodeList({ episodes: packed }: { episodes: Packed<ListRow[]> }) {
  const { language } = useTranslation('public');
  // the browser also needs these texts for reused rows
  useTranslation('player');
  const paths = usePublicPaths();
  const rows = useKeptRows(`${language} ${paths.creator} ${packed}`);
  if (rows !== null) return <ol className="episodes" dangerouslySetInnerHTML={{ __html: rows }} />;
  return (
    <ol className="episodes">
      <EpisodeRows packed={packed} />
    </ol>
  );
}

function EpisodeRows({ packed }: { packed: Packed<ListRow[]> }) {
  const episodes = useMemo(() => unpack(packed), [packed]);
  return episodes.map((episode) => <EpisodeRow key={episode.id} episode={episode} />);
}

function EpisodeRow({ episode }: { episode: ListRow }) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  const open = useOpenLink();
  const { name, track, promo, cover, excerpt, language } = episode;
  return (
    <li className={cover && 'with-cover'}>
      {cover && <RowCover cover={cover} />}
      {track ? <TrackPlayer track={track} /> : <Lock isPart={episode.isPart} />}
      <div>
        <EpisodeFacts episode={episode} />
        <h3 {...inLanguage(language)}>
          <a data-discover="true" href={paths.episode(episode.productSlug, episode.slug)} onClick={open}>
            {name}
          </a>
        </h3>
        {excerpt && (
          <p className="excerpt" {...inLanguage(language)}>
            {excerpt}
          </p>
        )}
        {promo && (
          <div className="taste">
            <TrackPlayer track={promo}>{t('promo.listen')}</TrackPlayer>
          </div>
        )}
      </div>
      {track && <QueueMore track={track} label={t('row.more', { name })} />}
    </li>
  );
}

function RowCover({ cover: { small, large } }: { cover: NonNullable<ListRow['cover']> }) {
  return (
    <img
      className="cover"
      src={small}
      srcSet={`${small} 96w, ${large} 320w`}
      sizes="64px"
      alt=""
      width={64}
      height={64}
      loading="lazy"
      decoding="async"
    />
  );
}

function Lock({ isPart }: Pick<ListRow, 'isPart'>) {
  const { t } = useTranslation('public');
  const text = t(isPart ? 'private.purchase' : 'private.subscription');
  return (
    <span className="locked" title={text}>
      <LockIcon />
      <span className="hidden-visually">{text}</span>
    </span>
  );
}
