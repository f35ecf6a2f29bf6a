import { checkConnection, currentState, dispatch, player, playTrack, position, subscribe } from './engine';
import { episodePosition, seekEpisode } from './episode-position';
import { resetListenTimer, startListenTimer, stopListenTimer } from './listen-timer';
import { showInMediaSession, updateMediaSession } from './media-session';
import { announcePlaying, pauseForOtherTabs } from './one-tab';
import { clearPlayer, loadQueue, savePlayer, saveQueue } from './player-storage';
import { rememberPosition, takeFromAccount } from './positions';
import { setHasAccount } from './remembered-positions';
import { isTimeToSleep } from './sleep-timer';
import { loadParts, startedEpisode } from './started-episode';
import { INITIAL_STATE, type PlayerState, type Skip, type Track } from './state';

let previous = INITIAL_STATE;
/** The episode played at the last tick: when the listener chooses another one, the engine has already forgotten it. */
let lastPosition = 0;

/**
 * Follows the player from now on: counts listens, saves positions, updates the lock screen, pauses other tabs, and
 * finds requested episodes.
 */
export function followPlayer(): void {
  const queue = loadQueue();
  if (queue.length > 0) dispatch({ type: 'queued', queue });
  pauseForOtherTabs(() => currentState().audioPlayStatus && player.pause());
  document.addEventListener('visibilitychange', saveWhenHidden);
  addEventListener('pagehide', saveWhenHidden);
  subscribe(follow);
  follow();
}

function follow() {
  const [before, now] = [previous, currentState()];
  previous = now;
  if (before === now) return;
  const isOther = before.track?.id !== now.track?.id;
  if (isOther) onOtherTrack(before, now);
  if (isOther || before.audioPlayStatus !== now.audioPlayStatus) onPlayStatus(before, now);
  if (now.hasEnded && !before.hasEnded) onEnded(now);
  if (now.skip && (now.skip !== before.skip || isOther)) void fulfil(now.skip, now);
  if (now.queue !== before.queue) saveQueue(now.queue);
  if (now.sought !== before.sought) lastPosition = episodePosition();
  const { volume, speed, sought } = before;
  if (now.volume !== volume || now.speed !== speed || now.sought !== sought) savePlayer(now, episodePosition());
  updateMediaSession(now, position());
}

function onOtherTrack(before: PlayerState, { track, isOnRefresh }: PlayerState) {
  if (before.track && !before.hasEnded) rememberPosition(before.track.id, lastPosition, { now: true });
  stopListenTimer();
  lastPosition = episodePosition();
  if (!track) return clearPlayer();
  showInMediaSession(track, player);
  if (!isOnRefresh) void loadStarted(track);
}

/** Without an answer, playback continues; the pop-up only lacks these details. */
async function loadStarted(track: Track) {
  const started = await startedEpisode(track.id).catch(() => null);
  if (!started || currentState().track?.id !== track.id) return;
  setHasAccount(started.hasAccount);
  const elsewhere = takeFromAccount(track.id, started.position);
  if (elsewhere !== null) seekEpisode(elsewhere);
  dispatch({ type: 'description_loaded', id: track.id, description: started.episode.description });
  // without them, positions are those of what plays
  await loadParts(track.id).catch(() => {});
}

function onPlayStatus(before: PlayerState, { track, audioPlayStatus, hasEnded }: PlayerState) {
  if (!track) return;
  if (audioPlayStatus) {
    if (before.isOnRefresh && before.track?.id === track.id) void loadStarted(track);
    announcePlaying();
    return startListenTimer(track.id, everySecond);
  }
  stopListenTimer();
  if (!hasEnded) rememberPosition(track.id, episodePosition(), { now: true });
  savePlayer(currentState(), episodePosition());
}

function everySecond(nowMs: number): boolean {
  checkConnection(nowMs);
  const state = currentState();
  lastPosition = episodePosition();
  savePlayer(state, lastPosition);
  if (state.track && state.isPlaying) rememberPosition(state.track.id, lastPosition);
  if (isTimeToSleep(state.sleep, { ms: Date.now(), hasEnded: false })) {
    dispatch({ type: 'sleep', sleep: null });
    player.pause();
  }
  return state.isPlaying;
}

function onEnded({ track }: PlayerState) {
  stopListenTimer();
  if (track) rememberPosition(track.id, 0, { now: true, finished: true });
}

/** Plays the requested episode, from the queue first, then from the show. Clears the listen markers (spec §4). */
async function fulfil(to: Skip, { track, hasEnded, sleep, queue }: PlayerState) {
  if (!track) return;
  if (isTimeToSleep(sleep, { ms: 0, hasEnded })) {
    dispatch({ type: 'sleep', sleep: null });
    return dispatch({ type: 'no_episode' });
  }
  const [queued, ...rest] = to === 'next' ? queue : [];
  if (queued) dispatch({ type: 'queued', queue: rest });
  const found = queued ?? (await findOther(track, to).catch(() => null));
  const { track: current, skip } = currentState();
  if (current?.id !== track.id || skip !== to) return;
  if (!found) return dispatch({ type: 'no_episode' });
  resetListenTimer();
  playTrack(found);
}

/** Null at either end of the show, and without a connection. */
async function findOther(track: Track, to: Skip): Promise<Track | null> {
  const { findAdjacent } = await import('./adjacent-track');
  return findAdjacent(track, to);
}

function saveWhenHidden() {
  const { track, isPlaying } = currentState();
  if (document.visibilityState === 'hidden' && track && isPlaying)
    rememberPosition(track.id, episodePosition(), { now: true });
}
