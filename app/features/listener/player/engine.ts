import { PLAYER_LIMITS } from '~/server/limits/player';
import { checkProgress, isFinal, type Progress, RELOADS_AFTER_MS, retryDelay } from './recovery';
import { rememberedPosition } from './remembered-positions';
import { INITIAL_STATE, type PlayerEvent, type PlayerState, reduce, type Skip, type Track } from './state';

/**
 * The only audio element of a page or frame. It lives outside React and the document, so that no navigation or error
 * page stops it. Its media events become events of `state.ts`. Components call the functions of `player`. Code that is
 * needed only after an episode was chosen follows the state from a file that loads then (active-player.ts).
 */
let state: PlayerState = INITIAL_STATE;
let audio: HTMLAudioElement | null = null;
/** The position at which a source starts once it has loaded; after a reload, the restored position. */
let startAt = 0;
/** Whether `startAt` is a time of the episode, whose place in what plays was not known (episode-position.ts). */
let startsAtEpisodeTime = false;
let attempts = 0;
let hasPlayed = false;
let retry: ReturnType<typeof setTimeout> | null = null;
let progress: Progress | null = null;
const listeners = new Set<() => void>();

/** Listeners run on each change of the state, and several times a second while the position advances. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const currentState = () => state;

/** Seconds into what plays, clips included. It changes on every frame, so it is not part of the state. */
export function position(): number {
  return audio?.src && audio.readyState > 0 ? audio.currentTime : startAt;
}

export const episodeStart = () => (startsAtEpisodeTime ? startAt : null);

export function dispatch(event: PlayerEvent) {
  const previous = state;
  state = reduce(state, event);
  if (state !== previous) notify();
}

function notify() {
  for (const listener of listeners) listener();
}

function audioElement(): HTMLAudioElement {
  if (audio) return audio;
  const element = new Audio();
  element.preload = 'none';
  return listenTo(element);
}

function listenTo(element: HTMLAudioElement): HTMLAudioElement {
  element.addEventListener('loadedmetadata', () => {
    if (startAt > 0) element.currentTime = startAt;
    element.playbackRate = state.speed;
  });
  element.addEventListener('canplay', onCanPlay);
  element.addEventListener('durationchange', onCanPlay);
  element.addEventListener('playing', onPlaying);
  element.addEventListener('pause', onPaused);
  element.addEventListener('timeupdate', notify);
  element.addEventListener('waiting', () => dispatch({ type: 'not_playing' }));
  element.addEventListener('ended', () => dispatch({ type: 'ended' }));
  element.addEventListener('error', () => void onError());
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

/** A media element never recovers from an error, so this reloads the source and continues from the same position. */
async function onError() {
  const { track } = state;
  if (!track || !state.audioPlayStatus || !audio?.error) return;
  startAt = audio.currentTime || startAt;
  dispatch({ type: 'stalled' });
  const answer = await fetch(track.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (state.track !== track || !state.audioPlayStatus) return;
  if (answer && isFinal(answer.status)) return dispatch({ type: 'failed', because: 'forbidden' });
  const wait = retryDelay(attempts, hasPlayed);
  if (wait === null) return dispatch({ type: 'failed', because: 'unplayable' });
  attempts += 1;
  stopRetry();
  retry = setTimeout(reload, wait);
}

function stopRetry() {
  if (retry) clearTimeout(retry);
  retry = null;
}

function reload() {
  retry = null;
  progress = null;
  if (!state.audioPlayStatus) return;
  startAt = position();
  audioElement().load();
  startPlayback();
}

/**
 * Play and abort errors are ignored (spec §8): the browser may require a user gesture first, or a newer source replaced
 * this one.
 */
function startPlayback() {
  const element = audioElement();
  applySettings(element);
  element.play().catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') pause();
  });
}

function applySettings(element: HTMLAudioElement) {
  element.volume = state.volume / PLAYER_LIMITS.volumeSteps;
  element.defaultPlaybackRate = state.speed;
  element.playbackRate = state.speed;
}

/** Once a second while the listener wants playback: notices a lost connection, and its return (spec §4). */
export function checkConnection(nowMs: number): void {
  const current = checkProgress(progress, position(), nowMs);
  const hasMoved = progress !== null && progress.position !== current.position;
  progress = current;
  if (audio?.error) return;
  if (current.stalledMs > 0) dispatch({ type: 'stalled' });
  if (hasMoved && state.networkIssue) dispatch({ type: 'playing' });
  // a server that neither sends nor closes the connection
  if (current.stalledMs > RELOADS_AFTER_MS) reload();
}

/** Continues at the position in the episode where the listener last stopped. */
export function playTrack(track: Track) {
  playFrom(track, rememberedPosition(track.id));
}

/** @param from seconds of the episode */
export function playFrom(track: Track, from: number) {
  prepare(from);
  audioElement().src = track.url;
  dispatch({ type: 'track_chosen', track });
  startPlayback();
}

function prepare(from: number) {
  stopRetry();
  progress = null;
  startsAtEpisodeTime = from > 0;
  startAt = from;
  attempts = 0;
  hasPlayed = false;
}

/**
 * Takes over an element that has played, or played and paused, since before the player loaded. If the listener left the
 * episode midway earlier, playback continues at that position: the element could not know it.
 */
function adopt(track: Track, early: HTMLAudioElement) {
  const startedAt = early.played.length > 0 ? early.played.start(0) : early.currentTime;
  const remembered = startedAt === 0 ? rememberedPosition(track.id) : 0;
  if (audio) {
    early.pause();
    return playFrom(track, remembered || early.currentTime);
  }
  prepare(early.readyState > 0 ? early.currentTime : remembered);
  if (early.readyState > 0) startsAtEpisodeTime = startedAt > 0;
  listenTo(early);
  applySettings(early);
  dispatch({ type: 'track_chosen', track });
  catchUp(early);
  if (remembered > early.currentTime) seek(remembered, true);
}

function catchUp(element: HTMLAudioElement) {
  const hasData = element.readyState > element.HAVE_CURRENT_DATA;
  if (hasData) onCanPlay();
  if (element.paused && !element.error) return pause();
  startPlayback();
  if (element.error) void onError();
  else if (hasData) onPlaying();
}

export function play() {
  const { track, hasEnded } = state;
  if (!track) return;
  if (!audio?.src) return playFrom(track, startAt);
  dispatch({ type: 'play' });
  if (hasEnded) audio.currentTime = 0;
  progress = null;
  if (audio.error) audioElement().load();
  startPlayback();
}

export function pause() {
  stopRetry();
  dispatch({ type: 'pause' });
  audio?.pause();
  progress = null;
}

/** @param isEpisodeTime the parts of what plays are not known yet */
export function seek(seconds: number, isEpisodeTime = false) {
  const end = state.durationSeconds || Number.POSITIVE_INFINITY;
  startAt = Math.min(Math.max(0, seconds), end);
  progress = null;
  startsAtEpisodeTime = isEpisodeTime;
  if (audio?.src && audio.readyState > 0) audio.currentTime = startAt;
  dispatch({ type: 'sought' });
}

export function togglePlayback() {
  if (state.audioPlayStatus && !state.failed) pause();
  else play();
}

export function jump(seconds: number) {
  seek(position() + seconds);
}

/** Only requests it: follow-player.ts, or embed-player.ts in a frame, finds the episode and plays it. */
export function skip(to: Skip) {
  dispatch({ type: 'skip', to });
}

export function setVolume(steps: number) {
  dispatch({ type: 'volume', steps });
  if (audio) audio.volume = state.volume / PLAYER_LIMITS.volumeSteps;
}

/** Shows a paused episode at a position of the episode, from before a reload or from another host. */
export function showPaused(saved: Omit<Extract<PlayerEvent, { type: 'restored' }>, 'type'> & { position: number }) {
  startAt = saved.position;
  dispatch({ type: 'restored', ...saved });
}

function close() {
  stopRetry();
  audio?.pause();
  audio?.removeAttribute('src');
  audio?.load();
  startAt = 0;
  dispatch({ type: 'close' });
}

export function retryWhenOnline() {
  if (!state.networkIssue || !retry) return;
  stopRetry();
  reload();
}

/**
 * The functions for the site's components. A frame's script imports single functions, so that its bundle contains no
 * others.
 */
export const player = {
  /** Plays an episode; toggles playback if it is the current one. */
  toggle(track?: Track) {
    if (track && state.track?.id !== track.id) return playTrack(track);
    togglePlayback();
  },
  adopt,
  play,
  pause,
  seek,
  jump,
  skip,
  close,
  volume: () => state.volume,
  setVolume,
  setSpeed(speed: number) {
    dispatch({ type: 'speed', speed });
    if (audio) audio.defaultPlaybackRate = audio.playbackRate = state.speed;
  },
  expand: (open: boolean) => dispatch({ type: 'expand', open }),
};
