import { PLAYER_LIMITS } from '~/server/limits/player';
import type { PlayerState, Skip, Track } from './state';

/** The actions of buttons on lock screens and headsets. */
type Controls = {
  play: () => void;
  pause: () => void;
  close: () => void;
  skip: (to: Skip) => void;
  jump: (seconds: number) => void;
  seek: (seconds: number) => void;
};

/** Shows the episode on lock screens and headsets, and handles their buttons. */
export function showInMediaSession(track: Track, player: Controls): void {
  if (!('mediaSession' in navigator)) return;
  const pictures = [track.coverWebp, track.cover].filter((address) => address !== null);
  const artwork = pictures.map((address) => ({ src: new URL(address, location.href).href }));
  navigator.mediaSession.metadata = new MediaMetadata({
    title: track.episodeName,
    artist: track.hostedBy,
    album: track.podcastName,
    artwork,
  });
  const actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => player.play(),
    pause: () => player.pause(),
    stop: () => player.close(),
    previoustrack: () => player.skip('previous'),
    nexttrack: () => player.skip('next'),
    seekbackward: (details) => player.jump(-(details.seekOffset ?? PLAYER_LIMITS.jumpSeconds)),
    seekforward: (details) => player.jump(details.seekOffset ?? PLAYER_LIMITS.jumpSeconds),
    seekto: (details) => player.seek(details.seekTime ?? 0),
  };
  for (const [action, handler] of Object.entries(actions)) {
    try {
      navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler);
    } catch {
      // this browser does not support the action
    }
  }
}

export function updateMediaSession(state: PlayerState, position: number): void {
  if (!('mediaSession' in navigator)) return;
  navigator.mediaSession.playbackState = state.track ? (state.audioPlayStatus ? 'playing' : 'paused') : 'none';
  if (state.durationSeconds > 0 && position <= state.durationSeconds) {
    navigator.mediaSession.setPositionState({ duration: state.durationSeconds, playbackRate: state.speed, position });
  }
}
