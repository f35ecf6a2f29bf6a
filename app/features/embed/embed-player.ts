import { resetListenTimer, startListenTimer, stopListenTimer } from '~/app/features/player/listen-timer';
import { showInMediaSession, updateMediaSession } from '~/app/features/player/media-session';
import { announcePlaying, pauseForOtherTabs } from '~/app/features/player/one-tab';
import { checkProgress, isFinal, type Progress, RELOADS_AFTER_MS, retryDelay } from '~/app/features/player/recovery';
import {
  INITIAL_STATE,
  type PlayerEvent,
  type PlayerState,
  reduce,
  type Skip,
  type Track,
} from '~/app/features/player/state';
import { PLAYER_LIMITS } from '~/server/limits/player';

/** The player of one frame: the states and the counting of the site's player, without its memory and its queue. */
export function createEmbedPlayer(tracks: Track[], onChange: (state: PlayerState, position: number) => void) {
  const audio = new Audio();
  let state = INITIAL_STATE;
  let startAt = 0;
  let attempts = 0;
  let hasPlayed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let progress: Progress | null = null;
  audio.preload = 'none';

  const position = () => (audio.readyState > 0 ? audio.currentTime : startAt);

  function dispatch(event: PlayerEvent) {
    state = reduce(state, event);
    updateMediaSession(state, position());
    onChange(state, position());
  }

  function start() {
    progress = null;
    dispatch({ type: 'play' });
    audio.play().catch((error: DOMException) => {
      if (error.name === 'NotAllowedError') pause();
    });
    if (state.track) startListenTimer(state.track.id, everySecond);
  }

  /** Notices a server that neither sends nor closes the connection. */
  function everySecond(nowMs: number): boolean {
    const { stalledMs, ...now } = checkProgress(progress, position(), nowMs);
    const hasMoved = progress !== null && progress.position !== now.position;
    progress = now;
    if (audio.error) return false;
    if (stalledMs > 0) dispatch({ type: 'stalled' });
    if (hasMoved && state.networkIssue) dispatch({ type: 'playing' });
    if (stalledMs > RELOADS_AFTER_MS) reload();
    return state.isPlaying;
  }

  function reload() {
    startAt = position();
    audio.load();
    start();
  }

  function play() {
    const { track, hasEnded } = state;
    if (!track) return;
    if (!audio.src) return choose(track);
    if (hasEnded) seek(0);
    if (audio.error) audio.load();
    start();
  }

  function pause() {
    clearTimeout(retry);
    dispatch({ type: 'pause' });
    audio.pause();
    stopListenTimer();
  }

  /** The listen markers of the episode before are cleared (spec §4). */
  function choose(track: Track) {
    clearTimeout(retry);
    if (state.track?.id !== track.id) {
      resetListenTimer();
      startAt = 0;
    }
    attempts = 0;
    hasPlayed = false;
    audio.src = track.url;
    dispatch({ type: 'track_chosen', track });
    showInMediaSession(track, controls);
    start();
  }

  function seek(seconds: number) {
    startAt = Math.min(Math.max(0, seconds), state.durationSeconds || Number.POSITIVE_INFINITY);
    if (audio.readyState > 0) audio.currentTime = startAt;
    onChange(state, startAt);
  }

  function skip(to: Skip) {
    const current = tracks.findIndex(({ id }) => id === state.track?.id);
    const track = tracks[current + (to === 'next' ? 1 : -1)];
    if (track) choose(track);
    else dispatch({ type: 'no_episode' });
  }

  /** A media element never recovers from an error: the source is loaded again, from the same position. */
  async function onError() {
    const { track } = state;
    if (!track || !state.audioPlayStatus || !audio.error) return;
    startAt = audio.currentTime || startAt;
    dispatch({ type: 'stalled' });
    const answer = await fetch(track.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (state.track !== track || !state.audioPlayStatus) return;
    const wait = retryDelay(attempts, hasPlayed);
    if (wait === null || (answer && isFinal(answer.status))) {
      stopListenTimer();
      return dispatch({ type: 'failed', because: wait === null ? 'unplayable' : 'forbidden' });
    }
    attempts += 1;
    clearTimeout(retry);
    retry = setTimeout(reload, wait);
  }

  function onPlaying() {
    attempts = 0;
    hasPlayed = true;
    announcePlaying();
    dispatch({ type: 'playing' });
  }

  function onEnded() {
    dispatch({ type: 'ended' });
    stopListenTimer();
    skip('next');
  }

  /** A pause that nobody asked for here, such as unplugged headphones, is the listener's. */
  function onPaused() {
    if (state.audioPlayStatus && !audio.ended && !audio.error) pause();
  }

  const controls = {
    play,
    pause,
    close: pause,
    skip,
    seek,
    jump: (seconds: number) => seek(position() + seconds),
    toggle(track?: Track) {
      if (track && track.id !== state.track?.id) choose(track);
      else if (state.audioPlayStatus && !state.failed) pause();
      else play();
    },
    changeVolume(steps: number) {
      dispatch({ type: 'volume', steps: state.volume + steps });
      audio.volume = state.volume / PLAYER_LIMITS.volumeSteps;
    },
  };

  const canPlay = () => dispatch({ type: 'can_play', durationSeconds: finite(audio.duration) });
  const handlers: Partial<Record<keyof HTMLMediaElementEventMap, () => void>> = {
    loadedmetadata: () => startAt > 0 && seek(startAt),
    canplay: canPlay,
    durationchange: canPlay,
    timeupdate: () => onChange(state, position()),
    playing: onPlaying,
    waiting: () => dispatch({ type: 'not_playing' }),
    pause: onPaused,
    ended: onEnded,
    error: () => void onError(),
  };
  for (const [name, handler] of Object.entries(handlers)) audio.addEventListener(name, handler);
  // of several frames in a page, too
  pauseForOtherTabs(pause);
  return {
    ...controls,
    /** Shows the first episode, paused. */
    show(track: Track, durationSeconds: number) {
      dispatch({ type: 'restored', track, durationSeconds, volume: PLAYER_LIMITS.volumeSteps, speed: 1 });
    },
  };
}

const finite = (seconds: number) => (Number.isFinite(seconds) ? seconds : 0);
