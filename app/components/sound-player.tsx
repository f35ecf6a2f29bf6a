import { ActionIcon } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { formatClock } from '~/app/lib/clock';
import { playSound } from '~/app/lib/play-sound';
import { useTranslation } from '~/app/lib/translation';
import { PauseIcon, PlayIcon } from './icons';
import classes from './sound-player.module.css';
import { Waveform } from './waveform';

type Span = { startMs: number; endMs: number };
type Props = {
  src: string;
  /** Passed in, so that the length shows before the browser has loaded the file. */
  durationSeconds?: number | null;
  /** Details about the file, such as its bit rate. */
  facts?: string;
  /** Path of the peaks, which are drawn behind the slider. */
  waveform?: string | null;
  marksMs?: number[];
  selection?: Span | null;
  /** Passages that listeners do not get, drawn on the waveform. */
  left?: Span[];
  /** Lets a screen control the playback. */
  audio?: RefObject<HTMLAudioElement>;
  /** Controls on the waveform, placed in shares of its width. */
  children?: ReactNode;
};

/**
 * Plays one of the creator's own files. It is separate from the site's player, which counts listens. Without
 * JavaScript, the browser's controls remain.
 */
export function SoundPlayer(props: Props) {
  const { src, durationSeconds = null, facts, waveform, marksMs, selection, left, audio, children } = props;
  const { t } = useTranslation('studio');
  const own = useRef<HTMLAudioElement>(null);
  const element = audio ?? own;
  const sound = useSound(element, durationSeconds);
  const { isPlaying, seconds, total } = sound;
  return (
    <div className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: the creator's own recording, heard by its creator */}
      <audio ref={element} src={src} preload="metadata" controls={!sound.isReady} className={classes.native} />
      {sound.isReady && (
        <>
          <ActionIcon
            size={44}
            radius="xl"
            onClick={() => (isPlaying ? element.current?.pause() : void playSound(element.current))}
            aria-label={t(isPlaying ? 'sound.pause' : 'sound.play')}
          >
            {isPlaying ? <PauseIcon /> : <PlayIcon />}
          </ActionIcon>
          <span className={classes.track} data-waveform={waveform ? true : undefined}>
            {waveform && <Waveform src={waveform} totalSeconds={total} {...{ seconds, marksMs, selection, left }} />}
            <input
              type="range"
              min={0}
              max={Math.max(1, Math.round(total))}
              step={1}
              value={Math.round(seconds)}
              onChange={(event) => sound.seek(Number(event.currentTarget.value))}
              aria-label={t('sound.position')}
              aria-valuetext={formatClock(seconds)}
            />
            {waveform && children}
          </span>
          <span className={classes.time}>
            {formatClock(seconds)} / {total > 0 ? formatClock(Math.round(total)) : '–:––'}
          </span>
        </>
      )}
      {facts && <span className={classes.facts}>{facts}</span>}
    </div>
  );
}

/** The state of the audio element, once React has taken it over. */
function useSound(element: React.RefObject<HTMLAudioElement>, known: number | null) {
  const [isReady, setIsReady] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [total, setTotal] = useState(known ?? 0);
  useEffect(() => {
    const audio = element.current;
    if (!audio) return;
    setIsReady(true);
    function update() {
      if (!audio) return;
      setIsPlaying(!audio.paused);
      setSeconds(audio.currentTime);
      if (Number.isFinite(audio.duration)) setTotal(audio.duration);
    }
    const events = ['play', 'pause', 'timeupdate', 'durationchange', 'ended', 'emptied'] as const;
    update();
    for (const event of events) audio.addEventListener(event, update);
    return () => {
      for (const event of events) audio.removeEventListener(event, update);
    };
  }, [element]);

  function seek(to: number) {
    if (element.current) element.current.currentTime = to;
    setSeconds(to);
  }

  return { isReady, isPlaying, seconds, total, seek };
}
