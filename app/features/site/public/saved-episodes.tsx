import { useEffect, useState } from 'react';
import { SaveButton } from '~/app/features/listener/player/save-button';
import type { SavedEpisode } from '~/app/features/listener/player/saved-episodes';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { pathOnThisHost } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { isOutdated } from '~/app/service-worker/stored';

/**
 * The saved episodes of this browser. The service worker stores the page itself, so scripts must not change its URL.
 */
export function SavedEpisodes() {
  const { t } = useTranslation('saved');
  // rows need these texts when they appear, possibly without a connection
  useTranslation('player');
  const { episodes, reload } = useSaved();
  return (
    <SiteShell>
      <div className="wrap section narrow saved" data-needs-app="now">
        <h1>{t('title')}</h1>
        <Unopened />
        {episodes?.length === 0 && (
          <>
            <p className="lead">{t('none')}</p>
            <p>{t('noneHelp')}</p>
          </>
        )}
        {episodes && episodes.length > 0 && (
          <>
            <p className="muted">{t('help')}</p>
            <ol className="episodes">
              {episodes.map((episode) => (
                <SavedRow key={episode.track.id} episode={episode} onRemoved={reload} />
              ))}
            </ol>
          </>
        )}
      </div>
    </SiteShell>
  );
}

function SavedRow({ episode, onRemoved }: { episode: SavedEpisode; onRemoved: () => void }) {
  const { t } = useTranslation('saved');
  const { track } = episode;
  return (
    <li>
      <TrackPlayer track={track} />
      <div>
        <p className="small muted" dir="auto">
          {track.podcastName}
        </p>
        <h2 dir="auto">
          <a href={track.episodeRedirectUrl}>{track.episodeName}</a>
        </h2>
        {isOutdated(episode, Date.now()) && <p className="muted">{t('outdated')}</p>}
        <SaveButton track={track} onRemoved={onRemoved} />
      </div>
    </li>
  );
}

/** The URL of the page that could not be loaded, which the service worker adds to the address. */
function Unopened() {
  const { t } = useTranslation('saved');
  const [from, setFrom] = useState<string | null>(null);
  useEffect(() => {
    setFrom(pathOnThisHost(new URLSearchParams(location.search).get('from')));
  }, []);
  return (
    from && (
      <p className="notice" role="status">
        {t('offline')} <a href={from}>{t('retry')}</a>
      </p>
    )
  );
}

/** Null until the browser has answered. Episodes that the listener may no longer play disappear. */
function useSaved() {
  const [episodes, setEpisodes] = useState<SavedEpisode[] | null>(null);
  const reload = () =>
    void import('~/app/features/listener/player/saved-episodes')
      .then((saved) => saved.listSaved())
      .then(setEpisodes, () => setEpisodes([]));
  useEffect(() => {
    reload();
    import('~/app/features/listener/player/saved-episodes').then((saved) => saved.checkSaved()).then(reload, () => {});
  }, []);
  return { episodes, reload };
}
