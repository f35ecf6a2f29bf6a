import { type ComponentType, useEffect, useState } from 'react';
import { CloseIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { Controls, Cover, Volume } from './controls';
import { player } from './engine';
import { followPlayer } from './follow-player';
import { keyAction, keyContext } from './keys';
import { PlayerLink } from './player-link';
import { isToRestore } from './remembered-positions';
import { ScrollingTitle } from './scrolling-title';
import { SeekBar, Times } from './seek-bar';
import { SpeedMenu } from './speed-choice';
import type { PlayerState } from './state';

/** Loads the code that restores a player from before a reload or from another host: most listeners just press play. */
const loadRestoring = () => import('./restoring');

followPlayer();
addEventListener('hashchange', restore);
restore();

function restore() {
  if (isToRestore()) void loadRestoring().then((restoring) => restoring.restore());
}

/** The bar itself. This file is loaded when an episode is chosen or restored. */
export function ActiveBar({ state }: { state: PlayerState }) {
  const { t } = useTranslation('player');
  useEffect(bindPage, []);
  const { track } = state;
  if (!track) return null;
  return (
    <section className="player" data-player aria-label={t('player')}>
      <SeekBar />
      <button
        type="button"
        className="player-cover"
        onPointerEnter={() => void loadPopUp().catch(() => {})}
        onClick={() => player.expand(true)}
        aria-label={t('expand')}
        aria-haspopup="dialog"
      >
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
      {state.expanded && <LazyPopUp state={state} />}
    </section>
  );
}

const loadPopUp = () => import('./expanded-player');

/** Without a connection, the pop-up closes again, and the bar keeps playing. */
function LazyPopUp({ state }: { state: PlayerState }) {
  const [PopUp, setPopUp] = useState<ComponentType<{ state: PlayerState }> | null>(null);
  useEffect(() => {
    loadPopUp().then(
      ({ ExpandedPlayer }) => setPopUp(() => ExpandedPlayer),
      () => player.expand(false),
    );
  }, []);
  return PopUp && <PopUp state={state} />;
}

/** Handles keys and links to our other hosts, and reserves space for the bar at the bottom of the page. */
function bindPage() {
  document.documentElement.classList.add('has-player');
  // from now on, pages that fail to load without a connection show the saved episodes
  import('./worker').then(({ registerWorker }) => registerWorker()).catch(() => {});
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', handOver);
  return () => {
    document.documentElement.classList.remove('has-player');
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('click', handOver);
  };
}

/** A link to another of our hosts passes on the player, unless it opens in another tab. */
function handOver(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-our-host]') : null;
  const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link?.target;
  if (!link || isElsewhere || event.defaultPrevented) return;
  event.preventDefault();
  const { href } = link;
  void loadRestoring().then(
    ({ handOverTo }) => location.assign(handOverTo(href)),
    () => location.assign(href),
  );
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
  const { track, failed } = state;
  if (!track) return null;
  if (failed || state.networkIssue) {
    const notice = failed === 'forbidden' ? 'notice.forbidden' : failed ? 'notice.failed' : 'notice.network';
    return <span className="player-by player-trouble">{t(notice)}</span>;
  }
  return (
    <span className="player-by">
      {t('by')} <PlayerLink to={track.creatorDomainUrl ?? '#'}>{track.hostedBy}</PlayerLink>
    </span>
  );
}
