import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { BandChart } from '~/app/components/charts/band-chart';
import { BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { HeatMap } from '~/app/components/charts/heat-map';
import { LineChart } from '~/app/components/charts/line-chart';

const formatNumber = String;
const columnsOf = (values: (number | null)[]) =>
  values.map((value, i) => ({ label: `day ${i}`, value, text: `day ${i}: ${value}` }));
const count = (html: string, text: RegExp) => html.match(text)?.length ?? 0;

/** Nothing that a browser would refuse to draw. */
function draw(chart: ReactElement): string {
  const html = renderToStaticMarkup(chart);
  expect(html).not.toMatch(/NaN|Infinity|undefined|null/);
  return html;
}

test.each([
  ['nothing', [0, 0, 0]],
  ['one value', [7]],
  ['a month', Array.from({ length: 30 }, (_, i) => i)],
  ['a year', Array.from({ length: 366 }, (_, i) => i % 50)],
  ['very large values', [100_000_000, 3]],
])('a line of %s: each value can be read, and one of them is in the tab order', (_, values) => {
  const html = draw(
    <LineChart label="Plays" columns={columnsOf(values)} before={values} isLastOpen formatNumber={formatNumber} />,
  );

  expect(count(html, /role="img" aria-label="day /g)).toBe(values.length);
  expect(count(html, /tabindex="0"/g)).toBe(1);
  expect(count(html, /data-open/g)).toBe(values.length > 1 ? 1 : 0);
});

test('the area below a line ends before a column that is not over', () => {
  const areaOf = (isLastOpen: boolean) =>
    /<path class="[^"]*area[^"]*" d="([^"]*)"/.exec(
      draw(
        <LineChart label="Plays" columns={columnsOf([4, 4, 0])} isLastOpen={isLastOpen} formatNumber={formatNumber} />,
      ),
    )?.[1];

  expect(areaOf(true)).toMatch(/^M166\.67 0L500 0L500 176L166\.67 176Z$/);
  expect(areaOf(false)).toContain('L833.33 176');
});

test('a chart without a description refers to none', () => {
  const html = draw(
    <ChartFigure id="apps" title="Apps" table={{ columns: ['App', 'Plays'], rows: [] }}>
      <svg />
    </ChartFigure>,
  );

  expect(html).not.toMatch(/aria-describedby|<p/);
});

test('a released episode is a mark with its name', () => {
  const columns = [{ ...columnsOf([3])[0]!, note: 'Tones & Dusk 👨‍👩‍👧‍👦', marks: ['event'] as const }];

  const html = draw(<LineChart label="Plays" columns={columns} formatNumber={formatNumber} />);

  expect(html).toContain('aria-label="day 0: 3. Tones &amp; Dusk 👨‍👩‍👧‍👦"');
});

test('a correction is a mark of its own, which is also said', () => {
  const [first, second] = columnsOf([3, 4]);
  const columns = [
    { ...first!, note: 'Dusk · Figures corrected', marks: ['event', 'correction'] as const },
    { ...second!, note: 'Figures corrected', marks: ['correction'] as const },
  ];

  const html = draw(<LineChart label="Plays" columns={columns} formatNumber={formatNumber} />);

  expect(html).toContain('aria-label="day 0: 3. Dusk · Figures corrected"');
  expect(html).toContain('aria-label="day 1: 4. Figures corrected"');
  expect(count(html, /d="M0-7/g)).toBe(2);
  expect(count(html, /<circle[^>]*r="5"/g)).toBe(1);
});

test('a course that has not ended has points for the hours that are over', () => {
  const usual = { lower: [1, 2, 3], median: [2, 3, 4], upper: [3, 4, 5] };

  const html = draw(
    <BandChart
      label="Start"
      columns={columnsOf([2, 5, null]).map((c) => ({ ...c, text: c.label }))}
      usual={usual}
      formatNumber={formatNumber}
    />,
  );

  // a point in the middle of each of three columns, of which the last is empty
  expect(html).toMatch(/d="M166\.67 [\d.]+L500 [\d.]+"/);
  expect(count(html, /role="img"/g)).toBe(3);
});

test('bars name their value, and a cut name in full', () => {
  const name = 'A host with a very long name that no phone has room for';
  const bars = [
    { key: 'a', name, value: 12, text: '12 plays' },
    { key: 'b', name: 'Nothing', value: 0, text: 'none' },
  ];

  const html = draw(<BarList label="Apps" bars={bars} />);

  expect(html).toContain(`<title>${name}: 12 plays</title>`);
  expect(html).toContain('A host with a very long nam…</text>');
  expect(count(html, /<rect/g)).toBe(3);
});

test('a heat map has a cell for each value, and says it', () => {
  const values = [
    [0, 1],
    [2, 30],
  ];

  const html = draw(
    <HeatMap
      description="Most plays are on Tuesday."
      rows={['Mon', 'Tue']}
      columns={['0 h', '1 h']}
      values={values}
      textOf={(row, column) => `${values[row]?.[column]} plays`}
    />,
  );

  expect(html.match(/data-shade="\d"/g)).toEqual([0, 1, 1, 5].map((shade) => `data-shade="${shade}"`));
  expect(html).toContain('<title>30 plays</title>');
});

test('a chart has its description, its table and its files', () => {
  const html = draw(
    <ChartFigure
      id="apps"
      title="Apps"
      description="Most plays are from Spotify."
      table={{ columns: ['App', 'Plays'], rows: [['Spotify', '12']] }}
      csvUrl="/podcasts/1/metric.csv?chart=app"
    >
      <svg />
    </ChartFigure>,
  );

  expect(html).toMatch(/<figure[^>]* aria-labelledby="apps" aria-describedby="([^"]+)">.*<p id="\1"[^>]*>Most plays/);
  expect(html).toMatch(/<th scope="row" dir="auto">Spotify<\/th><td>12<\/td>/);
  expect(html).toContain('href="/podcasts/1/metric.csv?chart=app"');
  // without JavaScript there is no button that does nothing
  expect(html).toMatch(/<button[^>]*data-needs-script/);
});
