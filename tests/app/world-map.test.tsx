import fs from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { WorldMap } from '~/app/components/charts/world-map';

const places = [
  { key: 'ES', value: 100, text: 'Spain: 100' },
  { key: 'MT', value: 3, text: 'Malta: 3' },
  { key: 'ZZ', value: 5, text: 'Unknown: 5' },
  { key: 'other', value: 9, text: 'Others: 9' },
  { key: '"/><script>', value: 9, text: 'x' },
];

test('the map colours countries, and leaves out what has no place', () => {
  const html = renderToStaticMarkup(
    <WorldMap description="Plays" unit="Plays" places={places} formatNumber={String} />,
  );

  expect([...html.matchAll(/href="[^"]*#([^"]+)"/g)].map(([, id]) => id)).toEqual(['land', 'ES', 'MT']);
  expect(html).toContain('<title>Malta: 3</title>');
});

test('the file of the map has shapes, and circles for small states', () => {
  const file = fs.readFileSync('app/components/charts/world.svg', 'utf8');
  const shapes = [...file.matchAll(/<(path|circle) id="(\w+)"/g)].map(([, shape, code]) => `${code} ${shape}`);

  expect(new Set(shapes).size).toBe(shapes.length);
  expect(shapes).toEqual(expect.arrayContaining(['ES path', 'MX path', 'US path', 'XK path', 'SO path']));
  for (const code of ['MT', 'AD', 'SG', 'HK', 'BH', 'MU']) expect(shapes).toContain(`${code} circle`);
  // relative coordinates: a shape that leaves the drawing has lost its beginning
  const numbers = [...file.matchAll(/M(-?\d+) (-?\d+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(numbers.filter(([x = 0, y = 0]) => x < 0 || x > 2000 || y < 0 || y > 890)).toEqual([]);
});
