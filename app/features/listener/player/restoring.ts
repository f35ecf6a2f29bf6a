import { openTrack, pathOnly } from './adjacent-track';
import { currentState, player, showPaused } from './engine';
import { episodePosition, seekEpisode } from './episode-position';
import { readHandOver, withHandOver } from './hand-over';
import { loadPlayer } from './player-storage';
import { isPromo } from './state';

/** Restores the player after a reload, or takes it over from a fragment. */
export function restore(): void {
  if (readHandOver(location.hash)) return void takeOver();
  const saved = loadPlayer();
  if (saved && !currentState().track) showPaused(saved);
}

/**
 * Restores the player of another host, or a link to a time in an episode. It plays, or stays paused at the position if
 * the browser forbids playback without a click.
 */
async function takeOver() {
  const found = readHandOver(location.hash);
  if (!found) return;
  const { track: current, volume, speed: ownSpeed } = currentState();
  const { id, playing, speed = loadPlayer()?.speed ?? ownSpeed, ...saved } = found;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (current?.id === id) seekEpisode(saved.position);
  else {
    const track = await openTrack(id).catch(() => null); // another one may be chosen meanwhile
    if (!track || currentState().track !== current) return;
    if (current) player.close();
    showPaused({ ...saved, speed, track: { ...track, url: pathOnly(track.url, location.href) }, volume });
  }
  if (playing) player.play();
}

/** The URL of a page on another of our hosts, with the state that its player needs to continue. */
export function handOverTo(href: string): string {
  const { track, durationSeconds, speed, audioPlayStatus } = currentState();
  if (!track || isPromo(track.id)) return href;
  return withHandOver(href, {
    id: track.id,
    position: episodePosition(),
    durationSeconds,
    speed,
    playing: audioPlayStatus,
  });
}
