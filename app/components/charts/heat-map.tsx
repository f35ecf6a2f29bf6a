import classes from './charts.module.css';
import { evenShadesOf, shadeOf } from './scale';

type Props = {
  /** A sentence that says what the picture shows. */
  description: string;
  /** The names of the rows, which are beside them. */
  rows: readonly string[];
  /** The names of the columns, which are below every third and sixth of them. */
  columns: readonly string[];
  values: readonly (readonly number[])[];
  /** What a cell says under the pointer. */
  textOf: (row: number, column: number) => string;
};

const ROW = 24;

/** A cell for each row and column, which is darker the larger its value is. */
export function HeatMap({ description, rows, columns, values, textOf }: Props) {
  const starts = evenShadesOf(Math.max(0, ...values.flat()));
  const width = 100 / columns.length;
  return (
    <svg className={classes.heat} height={rows.length * ROW + 24} role="img" aria-label={description}>
      {rows.map((name, row) => (
        <g key={name}>
          <text className={classes.tick} x="-8" y={row * ROW + 17} textAnchor="end">
            {name}
          </text>
          {columns.map((hour, column) => (
            <rect
              key={hour}
              className={classes.cell}
              data-shade={shadeOf(values[row]?.[column] ?? 0, starts)}
              x={`${column * width}%`}
              y={row * ROW}
              width={`${width}%`}
              height={ROW}
            >
              <title>{textOf(row, column)}</title>
            </rect>
          ))}
        </g>
      ))}
      {columns.map(
        (name, column) =>
          column % 3 === 0 && (
            <text
              key={name}
              className={classes.tick}
              data-wide={column % 6 === 0 ? undefined : true}
              x={`${column * width}%`}
              y={rows.length * ROW + 18}
            >
              {name}
            </text>
          ),
      )}
    </svg>
  );
}
