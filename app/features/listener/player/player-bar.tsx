import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { retryWhenOnline } from './engine';
import { isToRestore } from './remembered-positions';
import { announcement, type PlayerState } from './state';
import { usePlayer } from './use-player';

type ActivePlayer = typeof import('./active-player');

/**
 * The bar at the bottom of every page, including error pages (spec §2.4). `engine.ts` owns the audio. The bar's code
 * loads when an episode is in the player, because most visitors only read.
 */
export function PlayerBar() {
  const { t } = useTranslation('player');
  const state = usePlayer();
  const Bar = useActivePlayer(state.showPlayer);
  const message = announcement(state);
  return (
    <>
      <div className="hidden-visually" role="status">
        {message && state.track && t(message, { name: state.track.episodeName })}
      </div>
      {Bar && state.showPlayer && <Bar state={state} />}
    </>
  );
}

function useActivePlayer(isShown: boolean): ComponentType<{ state: PlayerState }> | null {
  const [active, setActive] = useState<ActivePlayer | null>(null);

  useEffect(() => {
    window.playerReady = true;
    window.dispatchEvent(new Event('playerready'));
    window.addEventListener('online', retryWhenOnline);
    const load = () => void loadActivePlayer().then(setActive, () => {});
    const loadIfLinked = () => isToRestore() && load();
    window.addEventListener('hashchange', loadIfLinked);
    loadIfLinked();
    return () => {
      window.removeEventListener('online', retryWhenOnline);
      window.removeEventListener('hashchange', loadIfLinked);
    };
  }, []);

  useEffect(() => {
    if (!isShown || active) return;
    const load = () => void loadActivePlayer().then(setActive, () => {});
    load();
    // the connection may have been lost after the audio was started
    const again = setInterval(load, LOADED_AGAIN_MS);
    return () => clearInterval(again);
  }, [isShown, active]);

  return active?.ActiveBar ?? null;
}

const LOADED_AGAIN_MS = 3000;

/** The next call retries a failed import: browsers keep no failures of dynamic imports' chunks forever. */
const loadActivePlayer = (): Promise<ActivePlayer> => import('./active-player');
