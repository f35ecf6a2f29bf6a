import { expect, test } from 'vitest';
import { readChapters } from '~/server/domain/episodes/described-chapters';

const read = (html: string, durationMs: number | null = 7_200_000) =>
  readChapters(html, durationMs).map(({ startMs, title }) => [startMs / 1000, title]);

test.each([
  ['paragraphs', '<p>00:00 Intro</p><p>1:20 The sea</p>'],
  ['line breaks', '<p>We talk.<br>00:00 Intro<br />01:20 The sea</p>'],
  ['a list', '<ul><li>00:00 Intro</li><li><strong>01:20</strong> The sea</li></ul>'],
  ['brackets, bullets and dashes', '<p>• (00:00) Intro<br>- [1:20] – The sea</p>'],
  ['any order, and a time twice', '<p>1:20 | The sea<br>0:00: Intro<br>1:20 Again</p>'],
])('chapters are read from %s', (_, html) => {
  expect(read(html)).toEqual([
    [0, 'Intro'],
    [80, 'The sea'],
  ]);
});

test('hours and entities are read, and chapters past the end are left out', () => {
  const html = '<p>0:00 Salt &amp; wind<br>1:02:03 Outro<br>75:30 Late<br>2:00:00 Beyond</p>';

  expect(read(html)).toEqual([
    [0, 'Salt & wind'],
    [3723, 'Outro'],
    [4530, 'Late'],
  ]);
  expect(read(html, null)).toHaveLength(4);
});

test.each([
  ['a single time', '<p>12:31 The sea</p>'],
  ['times within sentences', '<p>Listen at 1:20, and at 12:31.</p><p>The sea: 4:00</p>'],
  ['times of day', '<p>10:30 am Coffee<br>11:30 p.m. Sleep<br>20:00 h Dinner</p>'],
  ['times without titles', '<p>00:00<br>01:20</p>'],
])('%s are no chapters', (_, html) => {
  expect(read(html)).toEqual([]);
});
