import { useEffect, useMemo, useState } from 'react';
import classes from './waveform.module.css';
import { BARS, barsOf, HEIGHT, loadPeaks, NO_PEAKS, type Peaks } from './waveform-bars';

type Span = { startMs: number; endMs: number };
type Props = {
  /** Path of the peaks (`EpisodeView.waveform`). */
  src: string;
  totalSeconds: number;
  seconds: number;
  /** Times drawn as lines, such as the starts of chapters. */
  marksMs?: number[];
  selection?: Span | null;
  /** Passages that listeners do not get. */
  left?: Span[];
  /** Spreads the peaks over `totalSeconds`, if other sounds are a part of them. */
  spread?: (peaks: Peaks) => Uint8Array;
};

const evenly = ({ bytes }: Peaks) => bytes;

/**
 * A waveform that shows the played part, marks, a selected passage and those that are left out. It only displays: the
 * slider over it moves the playback, also by keyboard.
 */
export function Waveform({
  src,
  totalSeconds,
  seconds,
  marksMs = [],
  selection = null,
  left = [],
  spread = evenly,
}: Props) {
  const peaks = usePeaks(src);
  const path = useMemo(() => barsOf(spread(peaks)), [peaks, spread]);
  const share = (ms: number) => `${Math.min(100, ms / 10 / Math.max(1, totalSeconds) || 0)}%`;
  const played = share(seconds * 1000);
  return (
    <span className={classes.waveform} aria-hidden="true">
      {selection && selection.endMs > selection.startMs && (
        <span
          className={classes.selection}
          style={{ insetInlineStart: share(selection.startMs), width: share(selection.endMs - selection.startMs) }}
        />
      )}
      <svg viewBox={`0 0 ${BARS} ${HEIGHT}`} preserveAspectRatio="none" role="presentation">
        <path d={path} />
      </svg>
      <svg
        viewBox={`0 0 ${BARS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="presentation"
        className={classes.played}
        style={{ clipPath: `inset(0 calc(100% - ${played}) 0 0)` }}
      >
        <path d={path} />
      </svg>
      {left.map(({ startMs, endMs }) => (
        <span
          key={startMs}
          className={classes.left}
          style={{ insetInlineStart: share(startMs), width: share(endMs - startMs) }}
        />
      ))}
      {marksMs.map((ms) => (
        <span key={ms} className={classes.mark} style={{ insetInlineStart: share(ms) }} />
      ))}
      <span className={classes.head} style={{ insetInlineStart: played }} />
    </span>
  );
}

/** Peaks at the coarsest zoom that fills the picture; empty until they load, or if they cannot be loaded. */
function usePeaks(src: string): Peaks {
  const [peaks, setPeaks] = useState(NO_PEAKS);
  useEffect(() => {
    const stop = new AbortController();
    loadPeaks(src, stop.signal).then(setPeaks, () => {});
    return () => stop.abort();
  }, [src]);
  return peaks;
}
