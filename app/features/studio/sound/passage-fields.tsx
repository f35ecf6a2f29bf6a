import { TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '~/app/components/button';
import { SoundPlayer } from '~/app/components/sound-player';
import { playSound } from '~/app/lib/play-sound';
import { useTranslation } from '~/app/lib/translation';
import { parseClock, SECONDS } from '~/server/base/time';
import type { Pause } from '~/server/domain/insertions/rules';
import { type Edge, moveEdge, type PassageLimits, type PassageTimes, snapOf, snapped, spanOf } from './passage';
import classes from './sound.module.css';
import { TrackMark } from './track-mark';

type Props = {
  episode: { url: string | null; durationSeconds: number | null; waveform: string | null };
  times: PassageTimes;
  onChange: (times: PassageTimes) => void;
  /** The names of the two fields, and their errors. */
  names: PassageTimes;
  errors: Partial<Record<Edge, string>>;
  pauses?: Pause[];
  longestMs?: number | null;
  /** Other passages, which are left out already. */
  left?: { startMs: number; endMs: number }[];
  /** Beside the times. */
  children?: ReactNode;
  /** Whether a button plays the passage as the file has it. */
  plays?: boolean;
};

const DEFAULT_MS = SECONDS(10);
const EDGES = ['start', 'end'] as const;

/**
 * Chooses a passage of an episode: on its waveform, by pointer or keys, at the place that plays, or by typing. Its ends
 * snap to pauses. Without JavaScript two fields for times remain.
 */
export function PassageFields(props: Props) {
  const {
    episode,
    times,
    onChange,
    names,
    errors,
    pauses = [],
    longestMs = null,
    left,
    plays = false,
    children,
  } = props;
  const { t } = useTranslation('sound');
  const audio = useRef<HTMLAudioElement>(null);
  const span = spanOf(times);
  const isForward = span.endMs > span.startMs;
  const play = usePlayback(audio, span);
  const durationMs = SECONDS(episode.durationSeconds ?? 0);
  const limits: PassageLimits = { durationMs, longestMs, defaultMs: Math.min(longestMs ?? DEFAULT_MS, DEFAULT_MS) };
  const move = (edge: Edge, ms: number) => onChange(moveEdge(times, edge, ms, limits));
  const here = (edge: Edge) => () => move(edge, snapped((audio.current?.currentTime ?? 0) * 1000, pauses));
  function snapTyped(edge: Edge) {
    const ms = parseClock(times[edge]);
    if (!Number.isNaN(ms) && snapped(ms, pauses) !== ms) move(edge, snapped(ms, pauses));
  }
  return (
    <>
      {episode.url && (
        <SoundPlayer
          src={new URL(episode.url).pathname}
          durationSeconds={episode.durationSeconds}
          waveform={episode.waveform}
          selection={isForward ? span : null}
          left={left}
          audio={audio}
        >
          {durationMs > 0 &&
            EDGES.map((edge) => {
              const atMs = edge === 'start' ? span.startMs : span.endMs;
              return Number.isNaN(atMs) || atMs > durationMs ? null : (
                <TrackMark
                  key={edge}
                  label={t(`passage.${edge}Mark`)}
                  className={classes.edge}
                  {...{ atMs, durationMs, pauses }}
                  snapMs={snapOf}
                  moveTo={(ms) => move(edge, ms)}
                />
              );
            })}
        </SoundPlayer>
      )}
      <div className={classes.times}>
        {EDGES.map((edge) => (
          <TextInput
            key={edge}
            name={names[edge]}
            value={times[edge]}
            label={t(`passage.${edge}`)}
            placeholder="0:00"
            className={classes.time}
            error={errors[edge]}
            onChange={(event) => onChange({ ...times, [edge]: event.currentTarget.value })}
            onBlur={() => snapTyped(edge)}
          />
        ))}
        {episode.url && (
          <div className={classes.acts} data-needs-script>
            {EDGES.map((edge) => (
              <Button key={edge} type="button" variant="default" onClick={here(edge)}>
                {t(`passage.${edge}Here`)}
              </Button>
            ))}
            {plays && (
              <Button type="button" variant="default" onClick={play} disabled={!isForward}>
                {t('passage.play')}
              </Button>
            )}
          </div>
        )}
        {children}
      </div>
    </>
  );
}

/** Plays the passage and stops at its end. */
function usePlayback(audio: RefObject<HTMLAudioElement>, { startMs, endMs }: { startMs: number; endMs: number }) {
  const [until, setUntil] = useState<number | null>(null);
  useEffect(() => {
    const element = audio.current;
    if (!element || until === null) return;
    function stopAtEnd() {
      if (!element || until === null || element.currentTime < until) return;
      element.pause();
      setUntil(null);
    }
    element.addEventListener('timeupdate', stopAtEnd);
    return () => element.removeEventListener('timeupdate', stopAtEnd);
  }, [audio, until]);
  return () => {
    if (!audio.current) return;
    audio.current.currentTime = startMs / 1000;
    setUntil(endMs / 1000);
    void playSound(audio.current);
  };
}
