/** The size of a waveform's picture, in units of its own: one bar per unit of width. */
export const BARS = 400;
export const HEIGHT = 48;

/** The peaks of an episode, evenly spread over its length. */
export type Peaks = { bytes: Uint8Array; seconds: number };

export const NO_PEAKS: Peaks = { bytes: new Uint8Array(), seconds: 0 };

/** Peaks at the coarsest zoom that fills the picture; empty without any. @throws if they can't be loaded */
export async function loadPeaks(src: string, signal?: AbortSignal): Promise<Peaks> {
  const response = await fetch(src, { signal });
  const { zooms, durationMs } = (await response.json()) as { zooms: { peaks: string }[]; durationMs: number };
  const all = zooms.map((zoom) => Uint8Array.from(atob(zoom.peaks), (c) => c.charCodeAt(0)));
  return {
    bytes: all.findLast(({ length }) => length >= BARS) ?? all[0] ?? NO_PEAKS.bytes,
    seconds: durationMs / 1000,
  };
}

/**
 * The path of bars, mirrored at the middle, or of a line if there are no peaks.
 * @param count divides `BARS`: fewer bars are wider
 */
export function barsOf(peaks: Uint8Array, count = BARS): string {
  const middle = HEIGHT / 2;
  const wide = BARS / count;
  return Array.from({ length: count }, (_, bar) => {
    const part = peaks.subarray((bar * peaks.length) / count, Math.max(1, ((bar + 1) * peaks.length) / count));
    const height = Math.max(1, ((part.length > 0 ? Math.max(...part) : 0) / 255) * (middle - 1));
    const shown = (value: number) => Number(value.toFixed(1));
    return `M${shown((bar + 0.1) * wide)} ${shown(middle - height)}h${shown(0.7 * wide)}v${shown(2 * height)}h-${shown(0.7 * wide)}z`;
  }).join('');
}
