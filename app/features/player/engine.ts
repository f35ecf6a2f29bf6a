import { ask } from '~/app/lib/ask';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { forgetCount, startCounting, stopCounting } from './counting';
import { forgetPlayer, keepPlayer, keptPlayer } from './keeping';
import { showInSystem, tellSystem } from './media-session';
import { besides } from './neighbour';
import { nextTry, type Watch, watch } from './recovery';
import { type PlayerEvent, type PlayerState, reduce, SILENT, type Skip, type Track } from './state';

/**
 * The one sound of the site. It stands outside React and outside the document, so no navigation and no error page stops it.
 * Events of the element become events of `state.ts`; `player` is what buttons call.
 */
let state: PlayerState = SILENT;
let audio: HTMLAudioElement | null = null;
/** Where to begin once a source is loaded, and where the player of a reload stood. */
let startAt = 0;
let attempts = 0;
let hasSounded = false;
let retry: ReturnType<typeof setTimeout> | null = null;
let watched: Watch | null = null;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const currentState = () => state;

/** Seconds into the episode; read on every frame, so it is no part of the state. */
export function position(): number {
  return audio?.src && audio.readyState > 0 ? audio.currentTime : startAt;
}

function happen(event: PlayerEvent) {
  const before = state;
  state = reduce(state, event);
  if (state === before) return;
  tellSystem(state, position());
  for (const listener of listeners) listener();
}

function element(): HTMLAudioElement {
  if (audio) return audio;
  const made = new Audio();
  made.preload = 'none';
  made.addEventListener('loadedmetadata', () => {
    if (startAt > 0) made.currentTime = startAt;
    made.playbackRate = state.speed;
  });
  made.addEventListener('canplay', () => happen({ type: 'can_play', durationSeconds: finite(made.duration) }));
  made.addEventListener('durationchange', () => happen({ type: 'can_play', durationSeconds: finite(made.duration) }));
  made.addEventListener('playing', onSounding);
  made.addEventListener('pause', onSilenced);
  made.addEventListener('waiting', () => happen({ type: 'silent' }));
  made.addEventListener('ended', onEnded);
  made.addEventListener('error', onError);
  audio = made;
  return made;
}

const finite = (seconds: number) => (Number.isFinite(seconds) ? seconds : 0);

function onSounding() {
  attempts = 0;
  hasSounded = true;
  happen({ type: 'sounding' });
}

/** Headphones that were pulled out, another app that took over: silence that nobody here asked for is a pause. */
function onSilenced() {
  const foreign = audio?.paused && !audio.ended && !audio.error && state.audioPlayStatus;
  if (foreign) return pause();
  happen({ type: 'silent' });
}

function onEnded() {
  happen({ type: 'ended' });
  rest();
  void skip('next');
}

/** A media error does not heal by itself, not even when the server is back: load again and go on where it stopped. */
function onError() {
  if (!state.audioPlayStatus || !audio?.error) return;
  const wait = nextTry(attempts, hasSounded);
  startAt = audio.currentTime || startAt;
  if (wait === null) {
    rest();
    return happen({ type: 'gave_up' });
  }
  happen({ type: 'stalled' });
  attempts += 1;
  if (retry) clearTimeout(retry);
  retry = setTimeout(reload, wait);
}

function reload() {
  retry = null;
  if (!state.audioPlayStatus) return;
  element().load();
  sound();
}

/** Play and abort errors are only noted (spec §8): the browser may ask for a gesture first, or a newer source took over. */
function sound() {
  const made = element();
  made.volume = state.volume / PLAYER_LIMITS.volumeSteps;
  made.defaultPlaybackRate = state.speed;
  made.playbackRate = state.speed;
  made.play().catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') pause();
  });
  if (state.track) startCounting(state.track.id, everySecond);
}

function everySecond(now: number): boolean {
  const watching = watch(watched, position(), now);
  const moved = watched !== null && watched.position !== watching.position;
  watched = watching;
  if (watching.stalled && !audio?.error) happen({ type: 'stalled' });
  if (moved && state.networkIssue && !audio?.error) happen({ type: 'sounding' });
  keepPlayer(state, position());
  return state.sounding;
}

/** What a reload takes up again is written when the sound rests, too. */
function rest() {
  stopCounting();
  watched = null;
  keepPlayer(state, position());
}

function choose(track: Track, from = 0) {
  if (retry) clearTimeout(retry);
  rest();
  startAt = from;
  attempts = 0;
  hasSounded = false;
  const made = element();
  made.src = track.url;
  happen({ type: 'chosen', track });
  showInSystem(track, player);
  sound();
}

function resume() {
  const { track, hasEnded } = state;
  if (!track) return;
  if (!audio?.src) {
    const from = startAt;
    return choose(track, from);
  }
  happen({ type: 'play' });
  if (hasEnded) audio.currentTime = 0;
  if (audio.error) element().load();
  sound();
}

function pause() {
  if (retry) clearTimeout(retry);
  happen({ type: 'pause' });
  audio?.pause();
  rest();
}

function seek(seconds: number) {
  const end = state.durationSeconds || Number.POSITIVE_INFINITY;
  startAt = Math.min(Math.max(0, seconds), end);
  watched = null;
  if (audio?.src && audio.readyState > 0) audio.currentTime = startAt;
  tellSystem(state, startAt);
  keepPlayer(state, startAt);
}

/** Asks for the neighbour and plays it; the counter's markers go with the episode that is left (spec §4). */
async function skip(to: Skip) {
  const { track } = state;
  if (!track) return;
  happen({ type: 'skip', to });
  try {
    const neighbours = await ask<{ previous: number | null; next: number | null }>('listening.neighbours', {
      id: track.id,
    });
    const id = neighbours[to];
    if (state.track?.id !== track.id) return;
    if (id === null) return happen({ type: 'nothing_there' });
    const opened = await ask<Track>('listening.open', { id });
    if (state.track?.id !== track.id) return;
    forgetCount();
    choose(besides(track, opened, location.href));
  } catch {
    happen({ type: 'nothing_there' });
  }
}

/** Lists don't carry what each episode is about; the wide player asks for it when it is opened. */
async function describe() {
  const { track } = state;
  if (!track || track.description !== null) return;
  const opened = await ask<Track>('listening.open', { id: track.id }).catch(() => null);
  if (opened) happen({ type: 'described', id: track.id, description: opened.description ?? '' });
}

function close() {
  if (retry) clearTimeout(retry);
  rest();
  audio?.pause();
  audio?.removeAttribute('src');
  audio?.load();
  startAt = 0;
  happen({ type: 'close' });
  forgetPlayer();
}

/** After a reload: the player stands where it stood, silent. */
export function takeUpAgain() {
  const kept = keptPlayer();
  if (!kept || state.track) return;
  startAt = kept.position;
  happen({ type: 'taken_up', ...kept });
  showInSystem(kept.track, player);
}

export function onLineAgain() {
  if (!state.networkIssue || !retry) return;
  clearTimeout(retry);
  reload();
}

export const player = {
  /** Plays an episode; the one that is there already goes on, or pauses. */
  toggle(track?: Track) {
    if (track && state.track?.id !== track.id) return choose(track);
    if (state.audioPlayStatus && !state.failed) return pause();
    resume();
  },
  play: resume,
  pause,
  seek,
  jump: (seconds: number) => seek(position() + seconds),
  skip: (to: Skip) => void skip(to),
  close,
  volume: () => state.volume,
  setVolume(steps: number) {
    happen({ type: 'volume', steps });
    if (audio) audio.volume = state.volume / PLAYER_LIMITS.volumeSteps;
    keepPlayer(state, position());
  },
  setSpeed(speed: number) {
    happen({ type: 'speed', speed });
    if (audio) audio.defaultPlaybackRate = audio.playbackRate = speed;
    keepPlayer(state, position());
  },
  expand(open: boolean) {
    happen({ type: 'expand', open });
    if (open) void describe();
  },
};

export type Player = typeof player;
