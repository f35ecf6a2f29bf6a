import type { KeyboardEvent, ReactNode } from 'react';
import classes from './charts.module.css';
import { anchorAt, fittingLabels, heightOf, middleOf, niceTicks } from './scale';

/** The space above the lines has the values under the pointer, and the space below them the labels, in pixels. */
const ABOVE = 44;
const BELOW = 26;
export const PLOT = { width: 1000, height: 176 };

/**
 * A column of a plot, and what it says when the pointer or the focus is on it: a line of text and perhaps a note.
 * `value`: null for a column in the future. `marks`: what happened then, drawn on the axis.
 */
export type Column = { label: string; value: number | null; text: string; note?: string; marks?: readonly Mark[] };
export type Mark = 'event' | 'correction';

type Props = {
  label: string;
  columns: readonly Column[];
  /** The largest value of all lines. */
  largest: number;
  formatNumber: (value: number) => string;
  /** Lines and areas in the coordinates of `PLOT`. `top` is the value at the upper edge. */
  children: (top: number) => ReactNode;
};

/**
 * Axes with round numbers, and a column for each value. Texts keep their size at any width: positions across are in
 * percent, and only the lines are stretched.
 */
export function Plot({ label, columns, largest, formatNumber, children }: Props) {
  const ticks = niceTicks(largest);
  const top = ticks.at(-1) ?? 1;
  const yOf = (value: number) => ABOVE + heightOf(value, top, PLOT.height);
  const xOf = (index: number) => middleOf(index, columns.length);
  return (
    <svg className={classes.plot} height={ABOVE + PLOT.height + BELOW} aria-label={label} onKeyDown={moveFocus}>
      <svg width="100%" height="100%" className={classes.axes} aria-hidden="true">
        {ticks.map((tick) => (
          <line key={tick} className={classes.grid} x1="0" x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
        ))}
        <svg
          y={ABOVE}
          width="100%"
          height={PLOT.height}
          viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {children(top)}
        </svg>
        {ticks.slice(1).map((tick) => (
          <text key={tick} className={classes.tick} x="0" y={yOf(tick) - 5}>
            {formatNumber(tick)}
          </text>
        ))}
        {fittingLabels(columns.length).map(({ index, isOnPhones }) => (
          <text
            key={index}
            className={classes.tick}
            data-wide={isOnPhones ? undefined : true}
            x={`${xOf(index)}%`}
            y={ABOVE + PLOT.height + 18}
            textAnchor={anchorOfLabel(xOf(index))}
          >
            {columns[index]?.label}
          </text>
        ))}
      </svg>
      {columns.map((column, index) => (
        <PlotColumn
          key={index}
          column={column}
          at={xOf(index)}
          width={100 / columns.length}
          y={column.value === null ? null : yOf(column.value)}
          isFirst={index === columns.length - 1}
        />
      ))}
    </svg>
  );
}

/** A label under the first or the last of many columns would leave the chart. */
function anchorOfLabel(at: number): 'start' | 'middle' | 'end' {
  if (at < 4) return 'start';
  return at > 96 ? 'end' : 'middle';
}

type ColumnProps = { column: Column; at: number; width: number; y: number | null; isFirst: boolean };

/** Shows its value while the pointer or the focus is on it. Only one column is in the tab order: arrow keys reach the others. */
function PlotColumn({ column, at, width, y, isFirst }: ColumnProps) {
  const x = `${at}%`;
  const { note, marks = [] } = column;
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the focus shows its value, as the pointer does
    <g
      className={classes.column}
      role="img"
      aria-label={note === undefined ? column.text : `${column.text}. ${note}`}
      tabIndex={isFirst ? 0 : -1}
    >
      <rect
        className={classes.target}
        x={`${at - width / 2}%`}
        y={ABOVE - 8}
        width={`${width}%`}
        height={PLOT.height + 8}
      />
      {marks.includes('event') && <circle className={classes.mark} cx={x} cy={ABOVE + PLOT.height} r="5" />}
      {marks.includes('correction') && (
        <svg x={x} y={ABOVE + PLOT.height} className={classes.axes} aria-hidden="true">
          <path className={classes.correction} d="M0-7 7 0 0 7-7 0Z" />
        </svg>
      )}
      <line className={classes.cursor} x1={x} x2={x} y1={ABOVE - 8} y2={ABOVE + PLOT.height} />
      {y !== null && <circle className={classes.point} cx={x} cy={y} r="4" />}
      <text className={classes.value} x={x} y={14} textAnchor={anchorAt(at)}>
        {column.text}
      </text>
      {note !== undefined && (
        <text className={classes.note} x={x} y={32} textAnchor={anchorAt(at)}>
          {note}
        </text>
      )}
    </g>
  );
}

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  Home: () => 0,
  End: (_, last) => last,
};

function moveFocus(event: KeyboardEvent<SVGSVGElement>): void {
  const step = STEPS[event.key];
  if (!step) return;
  const columns = [...event.currentTarget.querySelectorAll<SVGGElement>('g[tabindex]')];
  const next = columns[step(columns.indexOf(event.target as SVGGElement), columns.length - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
