import { expect, test, vi } from 'vitest';
import { csvLine, withoutApostrophe } from '~/server/base/csv';
import { BadCsv, readCsv } from '~/server/base/read-csv';

const LIMITS = { cellLength: 50, cells: 5, breaks: 200_000 };

async function* inParts(text: string, bytes = 3): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

const rowsOf = (text: string, bytes?: number) => readAll(inParts(text, bytes));

async function readAll(file: AsyncIterable<Uint8Array>, limits = LIMITS): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readCsv(file, limits)) rows.push(row);
  return rows;
}

test.each([
  [
    'commas',
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons and a byte order mark',
    '\ufeffa;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'quotes',
    'a,b\n"x, ""y""\nz",\n',
    [
      ['a', 'b'],
      ['x, "y"\nz', ''],
    ],
  ],
  [
    'empty lines',
    'a,b\n\n , \n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'letters of several bytes',
    'a,b\nñandú,🎧',
    [
      ['a', 'b'],
      ['ñandú', '🎧'],
    ],
  ],
  ['several kinds of line ends', 'a\n1\r\n2\r3', [['a'], ['1'], ['2'], ['3']]],
  ['one line without an end', 'a,b', [['a', 'b']]],
  ['a quote inside a cell', 'a\n5" tape', [['a'], ['5" tape']]],
  ['nothing', '', []],
])('a file with %s is read', async (_, text, rows) => {
  expect(await rowsOf(text)).toEqual(rows);
});

test.each([
  ['a quote that never ends', `a\n"${'x'.repeat(60)}`, 'too_long'],
  ['a last quote without an end', 'a\n"x', 'too_long'],
  ['a long cell', `a\n${'x'.repeat(51)}`, 'too_long'],
  ['too many cells', 'a\n1,2,3,4,5,6', 'too_long'],
  ['zeros', 'a\u0000b', 'not_text'],
])('%s is refused', async (_, text, fault) => {
  await expect(rowsOf(text.replace('a\n1', 'a,b\n1'))).rejects.toEqual(new BadCsv(fault as 'too_long'));
});

test.each([
  ['delimiters', ','],
  ['quoted lines', '"\n'],
])('an endless row of %s is refused before its end', async (_, text) => {
  let parts = 0;
  async function* endless() {
    for (; parts < 10_000; parts += 1)
      yield Buffer.from(parts === 0 ? `a\n${text}` : text.replace('"', 'x').repeat(10));
  }

  await expect(readAll(endless())).rejects.toEqual(new BadCsv('too_long'));
  expect(parts).toBeLessThan(10_000);
});

test.each(['\n', '\r', '\r\n', ' \n', ',,\n'])('endless blank lines %j are refused', async (line) => {
  let parts = 0;
  async function* endless() {
    for (; parts < 10_000; parts += 1) yield Buffer.from(parts === 0 ? 'a,b\n' : line);
  }

  await expect(readAll(endless(), { ...LIMITS, breaks: 20 })).rejects.toEqual(new BadCsv('too_long'));
  // a `\r` may be half of a `\r\n` until the next part
  expect(parts).toBe(line === '\r' ? 21 : 20);
});

test('rows with fewer or more cells than the first one cost no errors', async () => {
  const traces = vi.spyOn(Error, 'captureStackTrace');

  const rows = await rowsOf(`a,b\n${'1\n , , \n1,2,3\n'.repeat(3)}`, 1000);
  const errors = traces.mock.calls.length;
  traces.mockRestore();

  expect(rows.map((row) => row.length)).toEqual([2, 1, 3, 1, 3, 1, 3]);
  expect(errors).toBe(0);
});

test('others have their turn while rows without text are read', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);

  await rowsOf(`a,b\n${' \n'.repeat(40_000)}`, 1_000_000);
  clearInterval(timer);

  expect(turns).toBeGreaterThan(5);
});

test('a file that is read in part is closed', async () => {
  let isOpen = true;
  async function* file() {
    try {
      for (;;) yield Buffer.from('a,b\n'.repeat(10_000));
    } finally {
      isOpen = false;
    }
  }
  const rows = readCsv(file(), LIMITS);

  await rows.next();
  await rows.return(undefined);

  expect(isOpen).toBe(false);
});

test('text that a spreadsheet would run comes back as it was', async () => {
  const formulas = ['=1+1', '+34 600', '-1+1', '@here', '＝1＋1'];
  const [row] = await rowsOf(csvLine(formulas));

  expect(row).toEqual(formulas.map((text) => `'${text}`));
  expect(row!.map(withoutApostrophe)).toEqual(formulas);
  expect(withoutApostrophe("'tis")).toBe("'tis");
});

test('a negative amount stays a number', () => {
  expect(csvLine(['-9.61', '-9', '--9', '-9+1', '-'])).toBe("-9.61,-9,'--9,'-9+1,'-\r\n");
});
