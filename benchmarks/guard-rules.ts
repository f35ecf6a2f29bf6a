/** The ratio of each row on the day when it was kept, and of what kind the machine was. */
export type KeptFigures = { at: string; machine: string; isQuiet: boolean; ratios: Record<string, number> };

/** `failed`: requests without the expected answer: their ratio says nothing. */
export type GuardFigure = { label: string; ratio: number; tolerance: number; failed?: number };

/** `faster`: keep the new figure, or a later loss of it goes unnoticed. */
export type GuardOutcome = 'OK' | 'SLOWER' | 'faster' | 'FAILED' | 'new' | 'not measured';

export type GuardRow = {
  label: string;
  kept: number | null;
  now: number | null;
  /** 0.1: 10 % slower. */
  change: number | null;
  outcome: GuardOutcome;
};

/** Compares each figure with the kept one, and lists kept ones that this run did not measure. */
export function compareFigures(figures: readonly GuardFigure[], kept: KeptFigures['ratios']): GuardRow[] {
  const missing = Object.keys(kept).filter((label) => !figures.some((figure) => figure.label === label));
  return [
    ...figures.map((figure) => compareOne(figure, kept[figure.label] ?? null)),
    ...missing.map((label) => ({
      label,
      kept: kept[label]!,
      now: null,
      change: null,
      outcome: 'not measured' as const,
    })),
  ];
}

function compareOne({ label, ratio, tolerance, failed = 0 }: GuardFigure, kept: number | null): GuardRow {
  const isMeasured = failed === 0 && Number.isFinite(ratio);
  const change = kept === null || !isMeasured ? null : ratio / kept - 1;
  return { label, kept, now: ratio, change, outcome: isMeasured ? outcomeOf(change, tolerance) : 'FAILED' };
}

function outcomeOf(change: number | null, tolerance: number): GuardOutcome {
  if (change === null) return 'new';
  if (change > tolerance) return 'SLOWER';
  return 1 / (1 + change) - 1 > tolerance ? 'faster' : 'OK';
}

export const isWorse = ({ outcome }: Pick<GuardRow, 'outcome'>): boolean =>
  outcome === 'SLOWER' || outcome === 'FAILED';

/** The figures to keep, rounded to three digits so that a file of them shows real changes. @throws if a row failed */
export function figuresToKeep(figures: readonly GuardFigure[]): KeptFigures['ratios'] {
  const broken = figures.filter(({ failed = 0, ratio }) => failed > 0 || !Number.isFinite(ratio));
  if (broken.length > 0) throw new Error(`not kept: ${broken.map(({ label }) => label).join(', ')} failed`);
  return Object.fromEntries(figures.map(({ label, ratio }) => [label, Number(ratio.toPrecision(3))]));
}
