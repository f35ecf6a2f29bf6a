import classes from './charts.module.css';
import { shadeOf, shadesOf } from './scale';
import world from './world.svg';

type Place = { key: string; value: number; text: string };

type Props = {
  /** A sentence that says what the picture shows. */
  description: string;
  /** Countries by their ISO 3166-1 alpha-2 code. Others are not drawn. */
  places: readonly Place[];
  formatNumber: (value: number) => string;
};

const CODE = /^[A-Z]{2}$/;

/**
 * Countries with values are darker the larger these are; small ones are circles. The shapes are in a file that browsers
 * keep, and the page names only the countries that it colours (docs/decisions/0322).
 */
export function WorldMap({ description, places, formatNumber }: Props) {
  const shown = places.filter(({ key, value }) => CODE.test(key) && key !== 'ZZ' && value > 0);
  const starts = shadesOf(Math.max(0, ...shown.map(({ value }) => value)));
  return (
    <>
      <svg className={classes.map} viewBox="0 0 2000 890" role="img" aria-label={description}>
        <use className={classes.land} href={`${world}#land`} />
        {shown.map(({ key, value, text }) => (
          <g key={key} className={classes.country} data-shade={shadeOf(value, starts)}>
            <title>{text}</title>
            <use href={`${world}#${key}`} />
          </g>
        ))}
      </svg>
      <ShadeLegend
        starts={starts}
        largest={Math.max(0, ...shown.map(({ value }) => value))}
        formatNumber={formatNumber}
      />
    </>
  );
}

type LegendProps = { starts: readonly number[]; largest: number; formatNumber: (value: number) => string };

/** The range of values of each shade. */
function ShadeLegend({ starts, largest, formatNumber }: LegendProps) {
  return (
    <ul className={classes.legend} aria-hidden="true">
      {starts.map((start, i) => {
        const end = (starts[i + 1] ?? largest + 1) - 1;
        return (
          <li key={start}>
            <span className={classes.swatch} data-shade={i + 1} />
            {start === end ? formatNumber(start) : `${formatNumber(start)}–${formatNumber(end)}`}
          </li>
        );
      })}
    </ul>
  );
}
