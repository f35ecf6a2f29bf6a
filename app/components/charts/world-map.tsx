import classes from './charts.module.css';
import { shadeOf, shadesOf } from './scale';
import world from './world.svg';

type Place = { key: string; value: number; text: string };

type Props = {
  /** A sentence that says what the picture shows. */
  description: string;
  /** What the numbers of the legend count. */
  unit: string;
  /** Countries by their ISO 3166-1 alpha-2 code. Others are not drawn. */
  places: readonly Place[];
  formatNumber: (value: number) => string;
};

const CODE = /^[A-Z]{2}$/;

/**
 * Countries with values are darker the larger these are; small ones are circles. The shapes are in a file that browsers
 * keep, and the page names only the countries that it colours (docs/decisions/0322).
 */
export function WorldMap({ description, unit, places, formatNumber }: Props) {
  const shown = places.filter(({ key, value }) => CODE.test(key) && key !== 'ZZ' && value > 0);
  const largest = Math.max(0, ...shown.map(({ value }) => value));
  const starts = shadesOf(largest);
  const legend = starts.map((start, i) => ({ shade: i + 1, start, end: (starts[i + 1] ?? largest + 1) - 1 }));
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
      <ul className={classes.legend} data-legend aria-hidden="true">
        <li>{unit}</li>
        {legend.map(({ shade, start, end }) => (
          <li key={shade}>
            <span className={classes.swatch} data-shade={shade} />
            {start === end ? formatNumber(start) : `${formatNumber(start)}–${formatNumber(end)}`}
          </li>
        ))}
      </ul>
    </>
  );
}
