import { expect, test, vi } from 'vitest';
import { readCsvRows } from '~/server/base/read-csv';
import { csvSplitter } from '~/server/base/split-csv';

const LIMITS = { cellLength: 20, cells: 5, breaks: 1000 };

async function* inParts(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The rows, with their lines; of a fault its name. */
async function rowsOf(text: string, size = 1000): Promise<string[]> {
  const found: string[] = [];
  for await (const rows of readCsvRows(inParts(text, size), LIMITS))
    for (const { line, cells, fault } of rows) found.push(`${line} ${fault ?? cells.join('|')}`);
  return found;
}

test.each([
  ['the line of each row', 'a,b\n\n1,2\r\n,\n3,4', ['1 a|b', '3 1|2', '5 3|4']],
  ['a cell of two lines', 'a,b\n"x\ny",2\n3,4', ['1 a|b', '2 x\ny|2', '4 3|4']],
  ['a quote that never ends', 'a,b\n"x,1\n2,3\n4,5', ['1 a|b', '2 quote', '3 2|3', '4 4|5']],
  ['a quote that ends in another row', 'a,b\n"x,1\n2,"y"\n4,5', ['1 a|b', '2 quote', '3 2|y', '4 4|5']],
  ['a quote in the last row', 'a,b\n1,2\n"x', ['1 a|b', '2 1|2', '3 quote']],
  ['text after a quoted cell', 'a,b\n"x"y,2\n3,4', ['1 a|b', '2 quote', '3 3|4']],
  ['a long line', `a,b\n${'x'.repeat(300)}\n3,4`, ['1 a|b', '2 too_long', '3 3|4']],
  ['a long last line', `a,b\n3,4\n${'x'.repeat(300)}`, ['1 a|b', '2 3|4', '3 too_long']],
  ['a long cell', `a,b\n${'x'.repeat(21)},1\n3,4`, ['1 a|b', '2 too_long', '3 3|4']],
  ['many cells', 'a,b\n1,2,3,4,5,6\n3,4', ['1 a|b', '2 too_long', '3 3|4']],
  ['zeros', 'a,b\n1\u0000,2\n3,4', ['1 a|b', '2 not_text', '3 3|4']],
  ['a line that is no row of the others', 'a,b\n1\n1,2,3\n3,4', ['1 a|b', '2 1', '3 1|2|3', '4 3|4']],
])('with %s, the other rows are read', async (_, text, expected) => {
  expect(await rowsOf(text)).toEqual(expected);
  expect(await rowsOf(text, 3)).toEqual(expected);
});

test('many quotes that never end cost their own lines', async () => {
  const text = `a,b\n${'"x,1\n'.repeat(30)}3,4\n`;

  const rows = await rowsOf(text);

  expect(rows.filter((row) => row.endsWith('quote'))).toHaveLength(30);
  expect(rows.at(-1)).toBe('32 3|4');
});

test.each([
  ['a long first line', 'x'.repeat(300)],
  ['zeros in the first line', 'a\u0000,b\n1,2'],
])('%s is no CSV file', async (_, text) => {
  await expect(rowsOf(text)).rejects.toThrow();
});

test.each([',', '"', '"a\n'])('a row of “%s” that does not end is not read again with each part', (text) => {
  const search = vi.spyOn(String.prototype, 'indexOf');
  const splitter = csvSplitter(',', { cells: 100, cellLength: 1000 });
  for (let part = 0; part < 60; part += 1) splitter.take(text.repeat(300 / text.length), false);
  const searches = search.mock.calls.length;
  search.mockRestore();

  expect(searches).toBeLessThan(8 * 60 * 300);
});
