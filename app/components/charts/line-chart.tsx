import classes from './charts.module.css';
import { type Column, PLOT, Plot } from './plot';
import { areaPath, gappedPath, pathOf, pointsOf } from './scale';

type Props = {
  label: string;
  columns: readonly Column[];
  /** The period before, column by column; it may have fewer or more. */
  before?: readonly number[];
  /** Figures of others, column by column, with gaps. */
  others?: readonly (readonly (number | null)[])[];
  /** The last column is not over yet. */
  isLastOpen?: boolean;
  formatNumber: (value: number) => string;
};

/**
 * A line with its area, the period before as a dashed line, and figures of others. The area ends before a column that is
 * not over: its low value is not a fall.
 */
export function LineChart({ label, columns, before = [], others = [], isLastOpen = false, formatNumber }: Props) {
  const values = columns.map(({ value }) => value ?? 0);
  const hasOpen = isLastOpen && values.length > 1;
  const over = hasOpen ? values.slice(0, -1) : values;
  const compared = values.map((_, i) => before[i] ?? 0);
  const theirs = others.flatMap((line) => line.map((value) => value ?? 0));
  const largest = Math.max(0, ...values, ...(before.length > 0 ? compared : []), ...theirs);
  return (
    <Plot label={label} columns={columns} largest={largest} formatNumber={formatNumber}>
      {(top) => (
        <>
          <path className={classes.area} d={areaPath(over, top, { ...PLOT, columns: values.length })} />
          {before.length > 0 && <path className={classes.before} d={pathOf(pointsOf(compared, top, PLOT))} />}
          {others.map((line, i) => (
            <path key={i} className={classes.imported} data-nth={i % 3} d={gappedPath(line, top, PLOT)} />
          ))}
          <OpenLine values={values} top={top} isLastOpen={hasOpen} />
        </>
      )}
    </Plot>
  );
}

/** The way to a column that is not over is dotted: it would look like a fall. */
function OpenLine({ values, top, isLastOpen }: { values: number[]; top: number; isLastOpen: boolean }) {
  const points = pointsOf(values, top, PLOT);
  return (
    <>
      <path className={classes.line} d={pathOf(isLastOpen ? points.slice(0, -1) : points)} />
      {isLastOpen && <path className={classes.line} data-open d={pathOf(points.slice(-2))} />}
    </>
  );
}
