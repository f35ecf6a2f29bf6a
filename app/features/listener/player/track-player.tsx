import { type ReactNode, useEffect, useState } from 'react';
import { PauseIcon, PlayIcon } from '~/app/components/icons';
import { NativeAudio } from '~/app/components/native-audio';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { player } from './engine';
import { mayBeRemembered, rememberedPosition } from './remembered-positions';
import { showsPause, type Track } from './state';
import { usePlayer } from './use-player';

/**
 * Plays an episode: native audio controls without JavaScript, our button with it.
 * The page contains both, and the style sheet shows the one that works, so the layout never shifts.
 */
export function TrackPlayer({ track, children }: { track: Track; children?: ReactNode }) {
  const { t } = useTranslation('player');
  return (
    <div className="listen">
      <PlayButton track={track}>{children}</PlayButton>
      {/* the style sheet shows it: otherwise browsers would lay the controls out before it loads, and count that as
          a shift */}
      <NativeAudio src={track.url} label={t('playEpisode', { name: track.episodeName })} hidden />
    </div>
  );
}

/** The position where the listener stopped in the episode of the page's main button, in seconds; 0 before hydration. */
function useRememberedPosition(id: number | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (id === null || !mayBeRemembered()) return;
    setSeconds(rememberedPosition(id));
    void import('./positions').then(({ askAccount }) => askAccount(id)).then(() => setSeconds(rememberedPosition(id)));
  }, [id]);
  return seconds;
}

export function PlayButton({ track, children }: { track: Track; children?: ReactNode }) {
  const { t } = useTranslation('player');
  const state = usePlayer();
  const isCurrent = state.track?.id === track.id;
  const isPlaying = isCurrent && showsPause(state);
  const label = isPlaying ? 'pause' : isCurrent && !state.hasEnded ? 'resume' : null;
  const remembered = useRememberedPosition(children ? track.id : null);

  useEffect(() => {
    const early = window.earlyPlay;
    if (early?.id !== String(track.id)) return;
    window.earlyPlay = undefined;
    player.adopt(track, early.audio);
  }, [track]);

  return (
    <button
      type="button"
      className="play"
      data-play={track.id}
      data-playing={isPlaying}
      aria-label={children ? undefined : t(isPlaying ? 'pauseEpisode' : 'playEpisode', { name: track.episodeName })}
      onClick={() => player.toggle(track)}
    >
      <span className="disc">{isPlaying ? <PauseIcon /> : <PlayIcon />}</span>
      {children && (
        <>
          <span className="play-text">
            {label ? t(label) : remembered ? t('continueAt', { time: formatClock(remembered) }) : children}
          </span>
          {/* the name begins with the visible text, so that voice control finds it */}
          <span className="hidden-visually">: {track.episodeName}</span>
        </>
      )}
    </button>
  );
}
