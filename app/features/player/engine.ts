import { PLAYER_LIMITS } from '~/server/limits/player';
import { adjacentId, openTrack, toAdjacentTrack } from './adjacent-track';
import { withHandOver } from './hand-over';
import { resetListenTimer, startListenTimer, stopListenTimer } from './listen-timer';
import { showInMediaSession, updateMediaSession } from './media-session';
import { clearPlayer, type PlayerData, savePlayer } from './player-storage';
import { checkProgress, type Progress, retryDelay } from './recovery';
import { INITIAL_STATE, type PlayerEvent, type PlayerState, reduce, type Skip, type Track } from './state';

/**
 * The site's only audio element. It lives outside React and the document, so that no navigation or error page stops it.
 * Its media events become events of `state.ts`. Components call the functions of `player`.
 */
let state: PlayerState = INITIAL_STATE;
let audio: HTMLAudioElement | null = null;
/** The position to start from once a source is loaded; after a reload, the restored position. */
let startAt = 0;
let attempts = 0;
let hasPlayed = false;
let retry: ReturnType<typeof setTimeout> | null = null;
let progress: Progress | null = null;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const currentState = () => state;

/** Seconds into the episode. It changes on every frame, so it is not part of the state. */
export function position(): number {
  return audio?.src && audio.readyState > 0 ? audio.currentTime : startAt;
}

function dispatch(event: PlayerEvent) {
  const previous = state;
  state = reduce(state, event);
  if (state === previous) return;
  updateMediaSession(state, position());
  for (const listener of listeners) listener();
}

function audioElement(element = new Audio()): HTMLAudioElement {
  if (audio) return audio;
  element.preload = 'none';
  element.addEventListener('loadedmetadata', () => {
    if (startAt > 0) element.currentTime = startAt;
    element.playbackRate = state.speed;
  });
  element.addEventListener('canplay', onCanPlay);
  element.addEventListener('durationchange', onCanPlay);
  element.addEventListener('playing', onPlaying);
  element.addEventListener('pause', onPaused);
  element.addEventListener('waiting', () => dispatch({ type: 'not_playing' }));
  element.addEventListener('ended', onEnded);
  element.addEventListener('error', onError);
  audio = element;
  return element;
}

function onCanPlay() {
  const { duration = 0 } = audio ?? {};
  dispatch({ type: 'can_play', durationSeconds: Number.isFinite(duration) ? duration : 0 });
}

function onPlaying() {
  attempts = 0;
  hasPlayed = true;
  dispatch({ type: 'playing' });
}

/** A pause that we did not request, such as unplugged headphones or another app, counts as the user's pause. */
function onPaused() {
  const isExternal = audio?.paused && !audio.ended && !audio.error && state.audioPlayStatus;
  if (isExternal) return pause();
  dispatch({ type: 'not_playing' });
}

function onEnded() {
  dispatch({ type: 'ended' });
  stopTimer();
  void skip('next');
}

/** A media element never recovers from an error, so this reloads the source and continues from the same position. */
function onError() {
  if (!state.audioPlayStatus || !audio?.error) return;
  const wait = retryDelay(attempts, hasPlayed);
  startAt = audio.currentTime || startAt;
  if (wait === null) {
    stopTimer();
    return dispatch({ type: 'failed' });
  }
  dispatch({ type: 'stalled' });
  attempts += 1;
  if (retry) clearTimeout(retry);
  retry = setTimeout(reload, wait);
}

function reload() {
  retry = null;
  if (!state.audioPlayStatus) return;
  audioElement().load();
  startPlayback();
}

/**
 * Play and abort errors are ignored (spec §8): the browser may require a user gesture first, or a newer source replaced
 * this one.
 */
function startPlayback() {
  const element = audioElement();
  element.volume = state.volume / PLAYER_LIMITS.volumeSteps;
  element.defaultPlaybackRate = state.speed;
  element.playbackRate = state.speed;
  element.play().catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') pause();
  });
  if (state.track) startListenTimer(state.track.id, everySecond);
}

function everySecond(now: number): boolean {
  const current = checkProgress(progress, position(), now);
  const hasMoved = progress !== null && progress.position !== current.position;
  progress = current;
  if (current.stalled && !audio?.error) dispatch({ type: 'stalled' });
  if (hasMoved && state.networkIssue && !audio?.error) dispatch({ type: 'playing' });
  savePlayer(state, position());
  return state.isPlaying;
}

/** Saves the position, so that a reload can restore it. */
function stopTimer() {
  stopListenTimer();
  progress = null;
  savePlayer(state, position());
}

function playTrack(track: Track, from = 0, early?: HTMLAudioElement) {
  if (retry) clearTimeout(retry);
  stopTimer();
  startAt = from;
  attempts = 0;
  hasPlayed = false;
  const element = audioElement(early);
  if (element !== early) element.src = track.url;
  dispatch({ type: 'track_chosen', track });
  showInMediaSession(track, player);
  if (element === early) return catchUp(element);
  early?.pause();
  startPlayback();
}

/** With an element that has played since before the player was loaded, or was paused again. */
function catchUp(element: HTMLAudioElement) {
  if (element.readyState > element.HAVE_CURRENT_DATA) onCanPlay();
  if (element.paused && !element.error) return pause();
  startPlayback();
  if (element.error) onError();
  else if (element.readyState > element.HAVE_CURRENT_DATA) onPlaying();
}

function resume() {
  const { track, hasEnded } = state;
  if (!track) return;
  if (!audio?.src) {
    const from = startAt;
    return playTrack(track, from);
  }
  dispatch({ type: 'play' });
  if (hasEnded) audio.currentTime = 0;
  if (audio.error) audioElement().load();
  startPlayback();
}

function pause() {
  if (retry) clearTimeout(retry);
  dispatch({ type: 'pause' });
  audio?.pause();
  stopTimer();
}

function seek(seconds: number) {
  const end = state.durationSeconds || Number.POSITIVE_INFINITY;
  startAt = Math.min(Math.max(0, seconds), end);
  progress = null;
  if (audio?.src && audio.readyState > 0) audio.currentTime = startAt;
  updateMediaSession(state, startAt);
  savePlayer(state, startAt);
}

/** Plays the adjacent episode. The listen markers of the old episode are cleared (spec §4). */
async function skip(to: Skip) {
  const { track } = state;
  if (!track) return;
  dispatch({ type: 'skip', to });
  try {
    const id = await adjacentId(track.id, to);
    if (state.track?.id !== track.id) return;
    if (id === null) return dispatch({ type: 'no_episode' });
    const adjacentTrack = await openTrack(id);
    if (state.track?.id !== track.id) return;
    resetListenTimer();
    playTrack(toAdjacentTrack(track, adjacentTrack, location.href));
  } catch {
    dispatch({ type: 'no_episode' });
  }
}

/** Lists contain no descriptions, so the expanded player loads it when it opens. */
async function loadDescription() {
  const { track } = state;
  if (!track || track.description !== null) return;
  const details = await openTrack(track.id).catch(() => null);
  if (details) dispatch({ type: 'description_loaded', id: track.id, description: details.description ?? '' });
}

function close() {
  if (retry) clearTimeout(retry);
  stopTimer();
  audio?.pause();
  audio?.removeAttribute('src');
  audio?.load();
  startAt = 0;
  dispatch({ type: 'close' });
  clearPlayer();
}

/** Shows a player that comes from this host before a reload, or from another host: paused, at the same position. */
function showPaused(saved: PlayerData) {
  if (state.track) return;
  startAt = saved.position;
  dispatch({ type: 'restored', ...saved });
  showInMediaSession(saved.track, player);
}

export function retryWhenOnline() {
  if (!state.networkIssue || !retry) return;
  clearTimeout(retry);
  reload();
}

export const player = {
  /** Plays an episode; toggles playback if it is the current one. */
  toggle(track?: Track) {
    if (track && state.track?.id !== track.id) return playTrack(track);
    if (state.audioPlayStatus && !state.failed) return pause();
    resume();
  },
  adopt: (track: Track, early: HTMLAudioElement) => playTrack(track, early.currentTime, early),
  showPaused,
  play: resume,
  pause,
  seek,
  jump: (seconds: number) => seek(position() + seconds),
  skip: (to: Skip) => void skip(to),
  close,
  volume: () => state.volume,
  setVolume(steps: number) {
    dispatch({ type: 'volume', steps });
    if (audio) audio.volume = state.volume / PLAYER_LIMITS.volumeSteps;
    savePlayer(state, position());
  },
  setSpeed(speed: number) {
    dispatch({ type: 'speed', speed });
    if (audio) audio.defaultPlaybackRate = audio.playbackRate = speed;
    savePlayer(state, position());
  },
  /**
   * The address of a page on another of our hosts, with what its player needs to go on; unchanged without an episode.
   */
  handOver(href: string): string {
    const { track, durationSeconds, speed, audioPlayStatus } = state;
    if (!track) return href;
    return withHandOver(href, { id: track.id, position: position(), durationSeconds, speed, playing: audioPlayStatus });
  },
  expand(open: boolean) {
    dispatch({ type: 'expand', open });
    if (open) void loadDescription();
  },
};
