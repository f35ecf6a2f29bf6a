import type { KindName } from '~/server/domain/products/kinds';
import { PLAYER_LIMITS } from '~/server/limits/player';

/** The episode in the player (spec §3), the promo of a locked one, or a soundbite. */
export type Track = {
  /** Of the episode. The promo has the negative id, and a soundbite one below all of those. */
  id: number;
  audioType: KindName;
  url: string;
  cover: string | null;
  coverWebp: string | null;
  podcastName: string;
  episodeName: string;
  hostedBy: string;
  /** Sanitized HTML; null until the expanded player loads it. */
  description: string | null;
  episodeRedirectUrl: string;
  creatorDomainUrl: string | null;
};

/** Nothing of a promo or a soundbite is counted, remembered or queued, and the server knows no details of it. */
export const isPromo = (id: number): boolean => id < 0;
const EPISODE_IDS = 2 ** 40;
export const soundbiteTrackId = (id: number): number => -EPISODE_IDS - id;

export type Skip = 'previous' | 'next';

export type PlayerState = {
  track: Track | null;
  showPlayer: boolean;
  /** The listener wants playback; `isPlaying` is whether audio is actually playing. */
  audioPlayStatus: boolean;
  isPlaying: boolean;
  /** Enough data has loaded to start: the cover replaces the loading image. */
  canPlay: boolean;
  /** Restored after a reload: shown, and paused until the user presses play. */
  isOnRefresh: boolean;
  hasEnded: boolean;
  networkIssue: boolean;
  /** Set when retries have ended: the file can't be played, or access to it has ended. */
  failed: false | 'unplayable' | 'forbidden';
  /** A pending request for the previous or next episode. */
  skip: Skip | null;
  durationSeconds: number;
  /** An integer from 0 to 10, because 0.1 added ten times is not 1, and browsers throw above 1. */
  volume: number;
  speed: number;
  expanded: boolean;
  /** Increases with each jump to another position. */
  sought: number;
  /** Episodes that play before the other episodes of the show. */
  queue: Track[];
  sleep: Sleep | null;
};

/** The sleep timer: when playback stops. */
export type Sleep = { until: 'end_of_episode' } | { until: 'time'; atMs: number; minutes: number };

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

export const INITIAL_STATE: PlayerState = {
  track: null,
  showPlayer: false,
  audioPlayStatus: false,
  isPlaying: false,
  canPlay: false,
  isOnRefresh: false,
  hasEnded: false,
  networkIssue: false,
  failed: false,
  skip: null,
  durationSeconds: 0,
  volume: PLAYER_LIMITS.volumeSteps,
  speed: 1,
  expanded: false,
  sought: 0,
  queue: [],
  sleep: null,
};

export type PlayerEvent =
  | { type: 'track_chosen'; track: Track }
  | { type: 'restored'; track: Track; volume: number; speed: number; durationSeconds: number }
  | { type: 'description_loaded'; id: number; description: string }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'playing' }
  | { type: 'not_playing' }
  | { type: 'can_play'; durationSeconds: number }
  | { type: 'stalled' }
  | { type: 'failed'; because: 'unplayable' | 'forbidden' }
  | { type: 'sought' }
  | { type: 'ended' }
  | { type: 'skip'; to: Skip }
  | { type: 'no_episode' }
  | { type: 'volume'; steps: number }
  | { type: 'speed'; speed: number }
  | { type: 'expand'; open: boolean }
  | { type: 'queued'; queue: Track[] }
  | { type: 'sleep'; sleep: Sleep | null }
  | { type: 'close' };

const NOT_PLAYING = {
  isPlaying: false,
  canPlay: false,
  hasEnded: false,
  networkIssue: false,
  failed: false,
  skip: null,
} as const;

/** The player state of spec §4. A pure reducer: the engine plays what the state says. */
export function reduce(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'track_chosen':
      return {
        ...state,
        ...NOT_PLAYING,
        track: event.track,
        showPlayer: true,
        audioPlayStatus: true,
        isOnRefresh: false,
        // known already if the episode was restored
        durationSeconds: state.track?.id === event.track.id ? state.durationSeconds : 0,
      };
    case 'restored': {
      const { track, durationSeconds, speed } = event;
      const volume = withinSteps(event.volume);
      return {
        ...state,
        ...NOT_PLAYING,
        track,
        durationSeconds,
        speed: withinSpeeds(speed),
        volume,
        showPlayer: true,
        audioPlayStatus: false,
        isOnRefresh: true,
      };
    }
    case 'description_loaded': {
      const { track } = state;
      return track?.id === event.id ? { ...state, track: { ...track, description: event.description } } : state;
    }
    case 'play':
      return state.track
        ? { ...state, audioPlayStatus: true, isOnRefresh: false, hasEnded: false, failed: false }
        : state;
    case 'pause':
      return { ...state, audioPlayStatus: false, isPlaying: false, networkIssue: false };
    case 'playing':
      return { ...state, isPlaying: true, canPlay: true, networkIssue: false, failed: false };
    case 'not_playing':
      return { ...state, isPlaying: false };
    case 'can_play':
      return { ...state, canPlay: true, durationSeconds: event.durationSeconds || state.durationSeconds };
    case 'stalled':
      return state.audioPlayStatus ? { ...state, isPlaying: false, networkIssue: true } : state;
    case 'failed':
      return { ...state, audioPlayStatus: false, isPlaying: false, networkIssue: false, failed: event.because };
    case 'ended':
      return { ...state, isPlaying: false, hasEnded: true, skip: 'next' };
    case 'skip':
      return { ...state, skip: event.to };
    case 'no_episode':
      return { ...state, skip: null, audioPlayStatus: state.hasEnded ? false : state.audioPlayStatus };
    case 'volume':
      return { ...state, volume: withinSteps(event.steps) };
    case 'speed':
      return { ...state, speed: withinSpeeds(event.speed) };
    case 'expand':
      return { ...state, expanded: event.open && state.track !== null };
    case 'sought':
      return { ...state, sought: state.sought + 1, hasEnded: false };
    case 'queued':
      return { ...state, queue: event.queue };
    case 'sleep':
      return { ...state, sleep: event.sleep };
    case 'close':
      return { ...INITIAL_STATE, volume: state.volume, speed: state.speed, queue: state.queue };
  }
}

function withinSteps(steps: number): number {
  return Math.min(PLAYER_LIMITS.volumeSteps, Math.max(0, Math.round(steps)));
}

function withinSpeeds(speed: number): number {
  return Math.min(PLAYER_LIMITS.fastest, Math.max(PLAYER_LIMITS.slowest, speed));
}

/** The play icon shows while paused and, by spec §4, while the connection is lost. */
export function showsPause(state: PlayerState): boolean {
  return state.audioPlayStatus && !state.networkIssue;
}

/** The key in `locales/*\/player.json` of the screen reader announcement. */
export function announcement(state: PlayerState): string | null {
  if (!state.track) return null;
  if (state.failed) return state.failed === 'forbidden' ? 'state.forbidden' : 'state.failed';
  if (state.networkIssue) return 'state.network';
  if (state.isPlaying) return 'state.playing';
  if (state.audioPlayStatus) return 'state.loading';
  return state.hasEnded ? 'state.ended' : 'state.paused';
}
