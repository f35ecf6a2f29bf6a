import classes from './charts.module.css';
import { type Column, PLOT, Plot } from './plot';
import { areaPath, pathOf, pointsOf } from './scale';

type Props = {
  label: string;
  /** As many as the usual course has; they are empty where the line has not arrived yet. */
  columns: readonly Column[];
  /** A quarter of the others was below `lower`, and a quarter above `upper`. */
  usual: { lower: readonly number[]; median: readonly number[]; upper: readonly number[] };
  formatNumber: (value: number) => string;
};

/** A line against the usual course of others. */
export function BandChart({ label, columns, usual, formatNumber }: Props) {
  const values = columns.flatMap(({ value }) => (value === null ? [] : [value]));
  const { lower, median, upper } = usual;
  const box = { ...PLOT, columns: columns.length };
  return (
    <Plot label={label} columns={columns} largest={Math.max(0, ...values, ...upper)} formatNumber={formatNumber}>
      {(top) => (
        <>
          <path className={classes.band} d={areaPath(upper, top, box, lower)} />
          <path className={classes.before} d={pathOf(pointsOf(median, top, box))} />
          <path className={classes.line} d={pathOf(pointsOf(values, top, box))} />
        </>
      )}
    </Plot>
  );
}
