import { useEffect, useMemo, useState } from 'react';
import classes from './waveform.module.css';

type Span = { startMs: number; endMs: number };
type Props = {
  /** Path of the peaks (`EpisodeView.waveform`). */
  src: string;
  totalSeconds: number;
  seconds: number;
  /** Times drawn as lines, such as the starts of chapters. */
  marksMs?: number[];
  selection?: Span | null;
};

const BARS = 400;
const HEIGHT = 48;

/**
 * A waveform that shows the played part, marks and a selected passage. It only displays: the slider over it moves the
 * playback, also by keyboard.
 */
export function Waveform({ src, totalSeconds, seconds, marksMs = [], selection = null }: Props) {
  const peaks = usePeaks(src);
  const path = useMemo(() => barsOf(peaks), [peaks]);
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
      {marksMs.map((ms) => (
        <span key={ms} className={classes.mark} style={{ insetInlineStart: share(ms) }} />
      ))}
      <span className={classes.head} style={{ insetInlineStart: played }} />
    </span>
  );
}

/** Peaks at the coarsest zoom that fills the picture; empty until they load, or if they cannot be loaded. */
function usePeaks(src: string): Uint8Array {
  const [peaks, setPeaks] = useState(new Uint8Array());
  useEffect(() => {
    const stop = new AbortController();
    fetch(src, { signal: stop.signal })
      .then((response) => response.json())
      .then(({ zooms }: { zooms: { peaks: string }[] }) => {
        const all = zooms.map((zoom) => Uint8Array.from(atob(zoom.peaks), (c) => c.charCodeAt(0)));
        setPeaks(all.findLast(({ length }) => length >= BARS) ?? all[0] ?? new Uint8Array());
      })
      .catch(() => {});
    return () => stop.abort();
  }, [src]);
  return peaks;
}

/** Draws one bar per unit of width, mirrored at the middle, or a line if there are no peaks. */
function barsOf(peaks: Uint8Array): string {
  const middle = HEIGHT / 2;
  return Array.from({ length: BARS }, (_, bar) => {
    const part = peaks.subarray((bar * peaks.length) / BARS, Math.max(1, ((bar + 1) * peaks.length) / BARS));
    const height = Math.max(1, ((part.length > 0 ? Math.max(...part) : 0) / 255) * (middle - 1));
    return `M${bar + 0.1} ${middle - height}h.7v${2 * height}h-.7z`;
  }).join('');
}
