import { type ReactNode, useEffect } from 'react';
import { PauseIcon, PlayIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { player } from './engine';
import { showsPause, type Track } from './state';
import { usePlayer } from './use-player';

declare global {
  interface Window {
    /** An episode whose button was pressed before the page came alive; the script in the head writes it. */
    earlyPlay?: string;
    /** From here on the buttons answer by themselves. */
    playerReady?: boolean;
  }
}

/**
 * An episode that can be heard: the browser's own controls without JavaScript, our button with it.
 * Both stand in the page from the start, and the style sheet shows the one that works, so nothing moves.
 */
export function TrackPlayer({ track, children }: { track: Track; children?: ReactNode }) {
  const { t } = useTranslation('player');
  return (
    <div className="listen">
      <PlayButton track={track}>{children}</PlayButton>
      {/* biome-ignore lint/a11y/useMediaCaption: spoken audio; its transcript comes with the transcription room */}
      <audio controls preload="none" src={track.url} aria-label={t('playEpisode', { name: track.episodeName })} />
    </div>
  );
}

export function PlayButton({ track, children }: { track: Track; children?: ReactNode }) {
  const { t } = useTranslation('player');
  const state = usePlayer();
  const mine = state.track?.id === track.id;
  const playing = mine && showsPause(state);

  useEffect(() => {
    if (window.earlyPlay !== String(track.id)) return;
    window.earlyPlay = undefined;
    player.toggle(track);
  }, [track]);

  return (
    <button
      type="button"
      className="play"
      data-play={track.id}
      aria-pressed={playing}
      aria-label={t(playing ? 'pauseEpisode' : 'playEpisode', { name: track.episodeName })}
      onClick={() => player.toggle(track)}
    >
      <span className="disc">{playing ? <PauseIcon /> : <PlayIcon />}</span>
      {children && <span className="play-text">{children}</span>}
    </button>
  );
}
