import { useEffect, useState } from 'react';
import { AddressLink } from '~/app/components/address-link';
import { EmptyState, SavedPicture } from '~/app/components/empty-state';
import { Mark } from '~/app/components/icons';
import { SaveButton } from '~/app/features/listener/player/save-button';
import type { SavedEpisode } from '~/app/features/listener/player/saved-episodes';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { pathOnThisHost } from '~/app/lib/paths';
import { useAppUrl } from '~/app/lib/root-data';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { isOutdated } from '~/app/service-worker/stored';
import { formatNumber, type Locale } from '~/server/base/formats';

/**
 * The saved episodes of this browser. The service worker stores the page itself, so scripts must not change its URL.
 */
export function SavedEpisodes() {
  const { t } = useTranslation('saved');
  // rows need these texts when they appear, possibly without a connection
  useTranslation('player');
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  const { episodes, reload } = useSaved();
  return (
    <SiteShell>
      <div className="wrap section narrow saved" data-needs-app="now">
        <h1>{t('title')}</h1>
        <noscript>
          <p className="notice">{t('needsScript')}</p>
        </noscript>
        <Unopened />
        {episodes?.length === 0 && (
          <EmptyState
            picture={<SavedPicture />}
            title={t('none')}
            action={
              <AddressLink className="button" href={appUrl + paths.discover}>
                {t('find')}
              </AddressLink>
            }
          >
            {t('noneHelp')}
          </EmptyState>
        )}
        {episodes && episodes.length > 0 && (
          <>
            <p className="muted">{t('help')}</p>
            <RemoveAll episodes={episodes} onRemoved={reload} />
            <ol className="saved-list">
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
  const { t, locale } = useTranslation('saved');
  const { track, bytes, picture } = episode;
  return (
    <li>
      {picture ? (
        <img className="cover" src={picture} alt="" width={72} height={72} />
      ) : (
        <span className="cover cover-blank">
          <Mark />
        </span>
      )}
      <div>
        <p className="facts">
          <span dir="auto">{track.podcastName}</span>
          {bytes !== undefined && <span>{t('size', { size: megabytes(bytes, locale) })}</span>}
        </p>
        <h2 dir="auto">
          <a href={track.episodeRedirectUrl}>{track.episodeName}</a>
        </h2>
        {isOutdated(episode, Date.now()) && <p className="muted">{t('outdated')}</p>}
        <SaveButton track={track} onRemoved={onRemoved} />
      </div>
      <TrackPlayer track={track} />
    </li>
  );
}

const megabytes = (bytes: number, locale: Locale) =>
  formatNumber(bytes / 1_000_000, locale, { maximumFractionDigits: 1 });

/** How much the episodes take up, and the button that removes them all once the listener has confirmed it. */
function RemoveAll({ episodes, onRemoved }: { episodes: SavedEpisode[]; onRemoved: () => void }) {
  const { t, locale } = useTranslation('saved');
  const [step, setStep] = useState<'start' | 'asks' | 'kept'>('start');
  const [hasFailed, setFailed] = useState(false);
  // older records have no size
  const isKnown = episodes.every(({ bytes }) => bytes !== undefined);
  const sum = episodes.reduce((total, { bytes = 0 }) => total + bytes, 0);
  function remove() {
    import('~/app/features/listener/player/saved-episodes')
      .then((saved) => saved.removeAllSaved())
      .then(onRemoved, () => setFailed(true));
  }
  if (step !== 'asks')
    return (
      <p className="actions">
        {isKnown && <span>{t('total', { count: episodes.length, size: megabytes(sum, locale) })}</span>}
        {/* biome-ignore lint/a11y/noAutofocus: the button that had the focus is gone */}
        <button type="button" className="button plain slim" autoFocus={step === 'kept'} onClick={() => setStep('asks')}>
          {t('removeAll')}
        </button>
      </p>
    );
  return (
    <div className="notice bad" role="alertdialog" aria-label={t('removeAll')}>
      <p>{t('removeAllAsk')}</p>
      <p className="actions">
        <button type="button" className="button plain slim danger" onClick={remove}>
          {t('removeAllConfirm')}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the button that had the focus is gone */}
        <button type="button" className="button plain slim" autoFocus onClick={() => setStep('kept')}>
          {t('keep')}
        </button>
      </p>
      {hasFailed && <p role="alert">{t('removeAllFailed')}</p>}
    </div>
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
