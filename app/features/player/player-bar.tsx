import { useEffect } from 'react';
import { CloseIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { Controls, Cover, Volume } from './controls';
import { player, retryWhenOnline } from './engine';
import { ExpandedPlayer } from './expanded-player';
import { keyAction, keyContext } from './keys';
import { PlayerLink } from './player-link';
import { restore } from './restoring';
import { ScrollingTitle } from './scrolling-title';
import { SeekBar, Times } from './seek-bar';
import { SpeedMenu } from './speed-choice';
import { announcement, type PlayerState } from './state';
import { usePlayer } from './use-player';

/** The bar at the bottom of every page, including error pages (spec §2.4). `engine.ts` owns the audio. */
export function PlayerBar() {
  const { t } = useTranslation('player');
  const state = usePlayer();
  usePageBindings(state.showPlayer);
  const { track } = state;
  const message = announcement(state);

  return (
    <>
      <div className="hidden-visually" role="status">
        {message && track && t(message, { name: track.episodeName })}
      </div>
      {track && state.showPlayer && (
        <section className="player" data-player aria-label={t('player')}>
          <SeekBar />
          <button type="button" className="player-cover" onClick={() => player.expand(true)} aria-label={t('expand')}>
            <Cover state={state} />
          </button>
          <div className="player-names">
            <PlayerLink to={track.episodeRedirectUrl} className="player-title">
              <ScrollingTitle>{track.episodeName}</ScrollingTitle>
            </PlayerLink>
            <PlaybackNotice state={state} />
          </div>
          <Controls state={state} />
          <div className="player-more">
            <Times />
            <SpeedMenu speed={state.speed} />
            <Volume steps={state.volume} />
          </div>
          <button type="button" className="icon-button player-close" onClick={player.close} aria-label={t('close')}>
            <CloseIcon />
          </button>
          <ExpandedPlayer state={state} />
        </section>
      )}
    </>
  );
}

/**
 * Handles keyboard and online events and links to our other hosts, and reserves space for the bar at the end of the
 * page.
 */
function usePageBindings(isVisible: boolean) {
  useEffect(() => {
    window.playerReady = true;
    restore();
    window.dispatchEvent(new Event('playerready'));
    window.addEventListener('online', retryWhenOnline);
    return () => window.removeEventListener('online', retryWhenOnline);
  }, []);

  useEffect(() => {
    document.documentElement.classList.toggle('has-player', isVisible);
    if (!isVisible) return;
    // from now on, pages without a connection lead to the saved episodes
    import('./worker').then(({ registerWorker }) => registerWorker()).catch(() => {});
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', handOver);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('click', handOver);
    };
  }, [isVisible]);
}

/** A link to another of our hosts hands the player over, unless it opens in another tab. */
function handOver(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-our-host]') : null;
  const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link?.target;
  if (!link || isElsewhere || event.defaultPrevented) return;
  event.preventDefault();
  location.assign(player.handOver(link.href));
}

function onKey(event: KeyboardEvent) {
  const action = event.defaultPrevented ? null : keyAction(keyContext(event));
  if (!action) return;
  event.preventDefault();
  if (action.type === 'toggle') player.toggle();
  if (action.type === 'jump') player.jump(action.seconds);
  if (action.type === 'volume') player.setVolume(player.volume() + action.by);
}

function PlaybackNotice({ state }: { state: PlayerState }) {
  const { t } = useTranslation('player');
  const { track } = state;
  if (!track) return null;
  if (state.failed || state.networkIssue) {
    return <span className="player-by player-trouble">{t(state.failed ? 'notice.failed' : 'notice.network')}</span>;
  }
  return (
    <span className="player-by">
      {t('by')} <PlayerLink to={track.creatorDomainUrl ?? '#'}>{track.hostedBy}</PlayerLink>
    </span>
  );
}
