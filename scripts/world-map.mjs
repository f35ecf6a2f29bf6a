// `node scripts/world-map.mjs` writes the countries of the map in the statistics (docs/decisions/0322). Its result is
// committed: run it again only for newer borders. Coordinates are whole numbers, each relative to the one before, which
// is a third of the decimals' length.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { geoCentroid, geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';

const require = createRequire(import.meta.url);
const TARGET = 'app/components/charts/world.svg';
const WIDTH = 2000;
/** Without the Antarctic and the empty sea around it. */
const HEIGHT = 890;
/** Large enough to see and to touch, small enough for the islands of the Caribbean. */
const RADIUS = 9;

/** Areas without a number of their own: addresses there belong to these countries. Kosovo's code is that of the EU. */
const UNNUMBERED = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** Longitude and latitude of places that the atlas draws as parts of another country. */
const PARTS = {
  BQ: [-68.3, 12.2],
  GF: [-53.1, 4],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  MQ: [-61, 14.65],
  RE: [55.5, -21.1],
  TV: [179.2, -8.5],
  YT: [45.15, -12.8],
};

const projection = geoNaturalEarth1().fitWidth(WIDTH, { type: 'Sphere' });
projection.translate([projection.translate()[0], projection.translate()[1] - 18]);

const shapes = new Map();
for (const country of countriesOf(require('world-atlas/countries-110m.json'))) {
  const code = codeOf(country);
  if (code && code !== 'AQ') shapes.set(code, (shapes.get(code) ?? '') + outline(country));
}

const points = new Map(Object.entries(PARTS));
for (const country of countriesOf(require('world-atlas/countries-50m.json'))) {
  const code = codeOf(country);
  if (code && !shapes.has(code) && code !== 'AQ') points.set(code, geoCentroid(country));
}

const byCode = (map) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
const paths = byCode(shapes).map(([code, d]) => `<path id="${code}" d="${d}"/>`);
const circles = byCode(points).map(([code, at]) => {
  const [x, y] = projection(at).map(Math.round);
  return `<circle id="${code}" cx="${x}" cy="${y}" r="${RADIUS}"/>`;
});
fs.writeFileSync(
  TARGET,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g id="land">${paths.join('\n')}</g><defs>${circles.join('\n')}</defs></svg>\n`,
);

function countriesOf(atlas) {
  return feature(atlas, atlas.objects.countries).features;
}

/** ISO 3166-1 alpha-2: Unicode replaces a country's number, such as 724, by its letters. */
function codeOf({ id, properties }) {
  if (id === undefined) return UNNUMBERED[properties.name];
  return new Intl.Locale(`und-${id}`).region;
}

function outline(country) {
  let d = '';
  let at = [0, 0];
  geoPath(projection, {
    moveTo: (...point) => {
      at = point.map(Math.round);
      d += `M${at.join(' ')}l`;
    },
    lineTo: (...point) => {
      const to = point.map(Math.round);
      const [dx, dy] = [to[0] - at[0], to[1] - at[1]];
      if (dx === 0 && dy === 0) return;
      // a minus sign separates numbers, too
      d += `${dx < 0 || d.endsWith('l') ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`;
      at = to;
    },
    closePath: () => {
      d += 'z';
    },
  })(country);
  // islands that are smaller than a unit
  return d.replaceAll(/M-?\d+ -?\d+lz/g, '');
}
