import {
  checkConnection,
  currentState,
  dispatch,
  jump,
  pause,
  play,
  playFrom,
  position,
  seek,
  setVolume,
  showPaused,
  skip,
  subscribe,
  togglePlayback,
} from '~/app/features/listener/player/engine';
import { resetListenTimer, startListenTimer, stopListenTimer } from '~/app/features/listener/player/listen-timer';
import { showInMediaSession, updateMediaSession } from '~/app/features/listener/player/media-session';
import { announcePlaying, pauseForOtherTabs } from '~/app/features/listener/player/one-tab';
import { loadParts } from '~/app/features/listener/player/started-episode';
import type { PlayerState, Track } from '~/app/features/listener/player/state';
import { PLAYER_LIMITS } from '~/server/limits/player';

/** The site's player in a frame. It has no queue, stores no positions, and can't be closed. */
export const embedPlayer = {
  play,
  pause,
  close: pause,
  seek,
  jump,
  skip,
  /** Plays an episode from its beginning; toggles playback if it is the current one. */
  toggle(track?: Track) {
    if (track && track.id !== currentState().track?.id) playFrom(track, 0);
    else togglePlayback();
  },
  changeVolume: (steps: number) => setVolume(currentState().volume + steps),
};

/**
 * Follows the engine from now on: updates the page, counts listens, updates the lock screen, pauses other frames, and
 * finds requested episodes.
 */
export function followPlayer(tracks: Track[], show: (state: PlayerState, position: number) => void): void {
  let previous = currentState();
  subscribe(() => {
    const [before, now] = [previous, currentState()];
    previous = now;
    if (now !== before) follow(before, now);
    if (now.skip && now !== before) playOther(tracks, now);
    show(currentState(), position());
  });
  // also if one page contains several frames
  pauseForOtherTabs(pause);
}

/**
 * Shows the first episode, paused.
 * @param position seconds of the episode
 */
export function showFirst(track: Track, durationSeconds: number, position: number): void {
  showPaused({ track, durationSeconds, position, volume: PLAYER_LIMITS.volumeSteps, speed: 1 });
}

function follow(before: PlayerState, now: PlayerState) {
  const { track, audioPlayStatus, isPlaying } = now;
  const isOther = before.track?.id !== track?.id;
  // clears the listen markers of the previous episode (spec §4)
  if (isOther && before.track) resetListenTimer();
  if (!audioPlayStatus) stopListenTimer();
  else if (track && (isOther || !before.audioPlayStatus)) {
    showInMediaSession(track, embedPlayer);
    startListenTimer(track.id, everySecond);
    // without them, positions are those of what plays
    void loadParts(track.id).catch(() => {});
  }
  if (isPlaying && !before.isPlaying) announcePlaying();
  updateMediaSession(now, position());
}

function everySecond(nowMs: number): boolean {
  checkConnection(nowMs);
  return currentState().isPlaying;
}

function playOther(tracks: Track[], { track, skip: to }: PlayerState) {
  const current = tracks.findIndex(({ id }) => id === track?.id);
  const other = tracks[current + (to === 'next' ? 1 : -1)];
  if (other) playFrom(other, 0);
  else dispatch({ type: 'no_episode' });
}
