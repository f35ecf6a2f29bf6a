export type BenchmarkRow = {
  label: string;
  /** As displayed: `45,300/s`, `612 ms`. */
  figure: string;
  /** The ratio to the bare server of the same run, or other details. */
  details?: string;
  goal?: string;
  met?: boolean;
  /** Shown instead of whether the goal is met. */
  outcome?: string;
  /** A goal that docs/benchmarks.md lists as met is missed by more than 20 %. */
  regressed?: boolean;
};

const TOLERANCE = 0.8;

/**
 * @param score the figure in relation to its goal: 1 meets it, more is better
 * @param holds whether docs/benchmarks.md lists the goal as met
 */
export function judge(score: number, { failed = 0, holds }: { failed?: number; holds: boolean }) {
  return { met: score >= 1 && failed === 0, regressed: holds && (score < TOLERANCE || failed > 0) };
}

const HEAD: BenchmarkRow = { label: 'benchmark', figure: 'figure', details: 'details', goal: 'goal' };

export function formatTable(rows: BenchmarkRow[]): string {
  const cells = [HEAD, ...rows].map((row) => [
    row.label,
    row.figure,
    row.details ?? '',
    row.goal ?? '',
    row.outcome ?? (row.met === undefined ? '' : row.met ? 'met' : 'MISSED'),
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
/** One table of all benchmarks for docs/benchmarks.md. */
export function formatMarkdown(results: { name: string; rows: BenchmarkRow[] }[]): string {
  const cells = results.flatMap(({ name, rows }) =>
    rows.map(({ label, figure, details = '', goal = '', met }) => {
      const outcome = met === undefined ? '' : met ? 'met' : '**missed**';
      return [name, label, figure, details, [goal, outcome].filter(Boolean).join(': ')];
    }),
  );
  const lines = [['benchmark', 'work', 'figure', 'details', 'goal'], Array(5).fill('---'), ...cells];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** The best round, and the server's CPU time per request in the median round. */
export const formatRate = ({ perSecond: best, cpuMs }: { perSecond: number; cpuMs: number }) =>
  `${perSecond(best)}, ${cpuMs.toPrecision(3)} ms CPU each`;
export const milliseconds = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The 95 % confidence interval of the median for any distribution, by order statistics. */
export function medianBounds(values: number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const below = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
  return [sorted[below] ?? Number.NaN, sorted.at(-1 - below) ?? Number.NaN];
}

export function percentile(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
