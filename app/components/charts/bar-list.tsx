import type { ReactNode } from 'react';
import classes from './charts.module.css';
import { shorten } from './scale';

/** `link` wraps the name, for instance to filter by it. */
export type Bar = { key: string; name: string; value: number; text: string; link?: (name: ReactNode) => ReactNode };

type Props = { label: string; bars: readonly Bar[] };

const ROW = 40;
/** Leaves space for the value beside it on a phone. */
const NAME_COLUMNS = 28;

/** Names with their values, and bars below them: long names need no second line. */
export function BarList({ label, bars }: Props) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg className={classes.bars} height={bars.length * ROW} aria-label={label}>
      {bars.map((bar, i) => (
        <BarRow key={bar.key} bar={bar} y={i * ROW} width={(bar.value / largest) * 100} />
      ))}
    </svg>
  );
}

function BarRow({ bar, y, width }: { bar: Bar; y: number; width: number }) {
  const name = (
    <text className={classes.name} x="0" y={y + 15}>
      {shorten(bar.name, NAME_COLUMNS)}
    </text>
  );
  return (
    <g>
      <title>{`${bar.name}: ${bar.text}`}</title>
      {bar.link ? bar.link(name) : name}
      <text className={classes.amount} x="100%" y={y + 15} textAnchor="end">
        {bar.text}
      </text>
      <rect className={classes.track} x="0" y={y + 22} width="100%" height="6" rx="3" />
      {bar.value > 0 && (
        <rect className={classes.bar} x="0" y={y + 22} width={`${Math.max(1, width)}%`} height="6" rx="3" />
      )}
    </g>
  );
}
