import { openTrack, pathOnly } from './adjacent-track';
import { currentState, player } from './engine';
import { readHandOver } from './hand-over';
import { loadPlayer } from './player-storage';

/** Restores the player after a reload, or takes it over from a fragment; also from one that is clicked later. */
export function restore() {
  addEventListener('hashchange', takeOver);
  if (readHandOver(location.hash)) return void takeOver();
  const saved = loadPlayer();
  if (saved) player.showPaused(saved);
}

/**
 * The player of another host, or a link to a time in an episode. Goes on playing, or stays paused at the position if
 * the browser forbids playing without a click.
 */
async function takeOver() {
  const found = readHandOver(location.hash);
  if (!found) return;
  const state = currentState();
  const { id, playing, speed = loadPlayer()?.speed ?? state.speed, ...saved } = found;
  history.replaceState(history.state, '', location.pathname + location.search);
  const { track: current } = state;
  if (current?.id === id) player.seek(saved.position);
  else {
    const track = await openTrack(id).catch(() => null); // another one may be chosen meanwhile
    if (!track || currentState().track !== current) return;
    if (current) player.close();
    player.showPaused({
      ...saved,
      speed,
      track: { ...track, url: pathOnly(track.url, location.href) },
      volume: currentState().volume,
    });
  }
  if (playing) player.play();
}
