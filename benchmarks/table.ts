export type Row = {
  what: string;
  /** As it is to be read: `45,300/s`, `612 ms`. */
  figure: string;
  /** How it compares with the bare server of the same run, or what else there is to say. */
  beside?: string;
  goal?: string;
  met?: boolean;
};

const HEAD: Row = { what: 'what', figure: 'figure', beside: 'beside', goal: 'goal' };

export function printed(rows: Row[]): string {
  const cells = [HEAD, ...rows].map(({ what, figure, beside = '', goal = '', met }) => [
    what,
    figure,
    beside,
    goal,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
/** The best round, and what a core gives that the server has for itself. */
export const rate = ({ perSecond: best, perCore }: { perSecond: number; perCore: number }) =>
  `${perSecond(best)} (a core: ${perSecond(perCore)})`;
export const milliseconds = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Between which the true median lies, nineteen times out of twenty, whatever the values' distribution (by order statistics). */
export function medianBounds(values: number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const below = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
  return [sorted[below] ?? Number.NaN, sorted.at(-1 - below) ?? Number.NaN];
}
