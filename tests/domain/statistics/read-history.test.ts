import { expect, test } from 'vitest';
import { orderOf, readWrittenDate } from '~/server/base/written-dates';
import { readPlays, toSpan } from '~/server/domain/statistics/history-cells';
import { type HistoryReading, readHistory } from '~/server/domain/statistics/read-history';
import { HISTORY_LIMITS } from '~/server/limits/statistics';
import { seededInts } from '../../support/seeded-ints';

const TODAY = '2026-11-27';

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readBytes = (bytes: Buffer, reading: HistoryReading = {}) =>
  readHistory(async () => inParts(bytes, 7), reading, TODAY);
const read = (text: string, reading: HistoryReading = {}) => readBytes(Buffer.from(text), reading);
const short = (figures: { day: string; plays: number }[]) => figures.map(({ day, plays }) => `${day} ${plays}`);

test.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31T00:00:00.000Z', '2026-01-31'],
  ['2026-01-31 00:00:00 UTC', '2026-01-31'],
  ['2026/1/31', '2026-01-31'],
  ['20260131', '2026-01-31'],
  ['31/01/2026', '2026-01-31'],
  ['31.1.26', '2026-01-31'],
  ['Jan 31, 2026', '2026-01-31'],
  ['Saturday, 31 January 2026', '2026-01-31'],
  ['31 de enero de 2026', '2026-01-31'],
  ['31-dic-2025', '2025-12-31'],
  ['2026-01', 'month 2026-01-01'],
  ['01/2026', 'month 2026-01-01'],
  ['Sept 2026', 'month 2026-09-01'],
  ['septiembre de 2026', 'month 2026-09-01'],
  ["'2026-01-31", '2026-01-31'],
  ['2026-02-30', 'bad_date'],
  ['2026-13-01', 'bad_date'],
  ['0000-01-01', 'bad_year'],
  ['9999-12-31', 'bad_year'],
  ['1999-12-31', 'bad_year'],
  ['2026-11-28', 'future'],
])('the date %s is %s', (text, expected) => {
  const written = readWrittenDate(text);

  const span = written && toSpan(written, 'dmy', TODAY);

  expect(typeof span === 'object' && span ? `${span.period === 'month' ? 'month ' : ''}${span.day}` : span).toBe(
    expected,
  );
});

test.each(['', 'Total', '31', '=NOW()', '31/01', '01/31/2026/', 'May be', '12:30', `2026-01-01${'0'.repeat(200)}`])(
  '“%s” is no date',
  (text) => {
    expect(readWrittenDate(text)).toBeNull();
  },
);

test.each([
  ['0', 0],
  ['1234', 1234],
  ['1,234', 1234],
  ['1.234', 1234],
  ['1.234.567', 1234567],
  ['1 234', 1234],
  ['1\u202f234', 1234],
  ['1’234', 1234],
  ['12.0', 12],
  ['1.234,00', 1234],
  ["'12", 12],
  ['', 'no_number'],
  ['–', 'no_number'],
  ['-5', 'negative'],
  ['-1.234', 'negative'],
  ['99999999999', 'too_large'],
  ['9'.repeat(400), 'too_large'],
  ['12.5', 'bad_number'],
  ['1,23,456', 'bad_number'],
  ['1,234.567', 'bad_number'],
  ['1e9', 'bad_number'],
  ['0x10', 'bad_number'],
  ['NaN', 'bad_number'],
  ['=1+1', 'bad_number'],
  ['12 downloads', 'bad_number'],
])('the number “%s” is %s', (text, expected) => {
  expect(readPlays(text)).toBe(expected);
});

test.each([
  [['31/01/2026', '02/03/2026'], 'dmy'],
  [['01/31/2026', '02/03/2026'], 'mdy'],
  [['02/03/2026', '04/05/2026'], null],
  [['31/01/2026', '01/31/2026'], null],
  [['05/05/2026'], 'dmy'],
  [['2026-01-02', 'Total'], 'dmy'],
])('the dates %s are in the order %s', (dates, expected) => {
  expect(orderOf(dates.map(readWrittenDate))).toBe(expected);
});

test('a date that can be read in two ways is asked for, and no figure is read before', async () => {
  const file = 'Date,Downloads\n02/03/2026,5\n04/03/2026,6\n';

  const asked = await read(file);
  const [european, american] = await Promise.all([read(file, { order: 'dmy' }), read(file, { order: 'mdy' })]);

  expect(asked).toMatchObject({ question: 'order', example: '02/03/2026', figures: [] });
  expect(short(european.figures)).toEqual(['2026-03-02 5', '2026-03-04 6']);
  expect(short(american.figures)).toEqual(['2026-02-03 5', '2026-04-03 6']);
});

test.each([
  ['commas', 'date,downloads\r\n2026-01-01,"1,200"\r\n2026-01-02,7\r\n'],
  ['semicolons', 'Fecha;Descargas\n01/01/2026;1.200\n02/01/2026;7\n13/01/2026;\n'],
  ['tabs', 'Day\tEpisode\tPlays\n20260101\t\t1 200\n20260102\t\t7\n'],
  ['columns in another order, and others', 'downloads,duration,date\n1200,3,2026-01-01\n7,9,2026-01-02\n'],
])('%s', async (_, text) => {
  expect(short((await read(text)).figures)).toEqual(['2026-01-01 1200', '2026-01-02 7']);
});

test.each([
  ['utf-8', Buffer.from('\ufeffFecha,Título,Descargas\n2026-01-01,Cañón,5\n')],
  ['utf-16le', Buffer.from('\ufeffFecha,Título,Descargas\n2026-01-01,Cañón,5\n', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffFecha,Título,Descargas\n2026-01-01,Cañón,5\n', 'utf16le').swap16()],
  ['utf-16le', Buffer.from('Fecha,Título,Descargas\n2026-01-01,Cañón,5\n', 'utf16le')],
  ['windows-1252', Buffer.from('Fecha,Título,Descargas\n2026-01-01,Cañón,5\n', 'latin1')],
])('a file in %s', async (encoding, bytes) => {
  const history = await readBytes(bytes);

  expect(history.encoding).toBe(encoding);
  expect(history.figures).toEqual([{ period: 'day', day: '2026-01-01', episode: 'Cañón', plays: 5 }]);
});

test('days that are all the first or the last of a month stand for the month, and others do not', async () => {
  const months = await read('date,downloads\n2026-01-01,5\n2026-02-01,6\n');
  const ends = await read('date,downloads\n2026-01-31,5\n2026-02-28,6\n');
  const named = await read('Month,Downloads\nJanuary 2026,5\nFebruary 2026,6\n');
  const days = await read('date,downloads\n2026-01-01,5\n2026-01-02,6\n');
  const forced = await read('date,downloads\n2026-01-01,5\n2026-02-01,6\n', { period: 'day' });

  for (const { figures, period } of [months, ends, named]) {
    expect(period).toBe('month');
    expect(short(figures)).toEqual(['2026-01-01 5', '2026-02-01 6']);
  }
  expect(days.period).toBe('day');
  expect(forced).toMatchObject({ period: 'day', isWeekly: false });
});

test.each([
  ['Month,Unique Downloads,Downloads\n2023-02,80,100\n', 'libsyn', 80],
  ['Date,Plays,Streams\n2023-02-01,100,80\n', 'spotify', 80],
  ['Date,Downloads,Listeners\n2023-02-01,80,70\n', 'podbean', 80],
] as const)('several figures of an unknown host are asked for: %j', async (file, host, plays) => {
  const asked = await read(file);
  const [known, chosen] = await Promise.all([read(file, { host }), read(file, { plays: 2 })]);

  expect(asked).toMatchObject({
    host: 'other',
    question: 'plays',
    columns: { date: 0, plays: undefined },
    figures: [],
  });
  expect(known.figures).toMatchObject([{ plays }]);
  expect(chosen).toMatchObject({ question: null, figures: [{ day: '2023-02-01' }] });
});

test('a single figure in Spanish is found', async () => {
  expect(short((await read('Fecha;Escuchas\n01/02/2026;7\n28/02/2026;8\n')).figures)).toEqual([
    '2026-02-01 7',
    '2026-02-28 8',
  ]);
});

test('figures that are a week apart are named', async () => {
  const history = await read('date,downloads\n2026-01-05,5\n2026-01-12,5\n2026-01-19,5\n2026-01-26,5\n');

  expect(history).toMatchObject({ period: 'day', isWeekly: true });
});

test('a day of release is no day of plays', async () => {
  const file = 'Episode Title,Release Date,Unique Listeners,Unique Engaged Listeners,Plays\nOne,2026-01-01,4,3,9\n';

  expect(await read(file)).toMatchObject({ host: 'apple', question: 'columns', figures: [] });
});

test('rows that cannot be read are left out with their reason, and a repeated day counts once', async () => {
  const history = await read(
    [
      'Date,Episode,Downloads',
      '2026-01-01,One,5',
      '2026-01-01,One,9',
      '2026-01-01,Two,6',
      ',One,5',
      'Total,,16',
      '2026-01-03,One,-4',
      '2026-01-04,One,=HYPERLINK("x")',
      '9999-01-01,One,5',
      '2026-01,One,5',
      '2026-01-05,One',
    ].join('\n'),
  );

  expect(history.figures.map(({ day, episode, plays }) => [day, episode, plays])).toEqual([
    ['2026-01-01', 'One', 5],
    ['2026-01-01', 'Two', 6],
  ]);
  expect(history.problems.map(({ row, reason }) => [row, reason])).toEqual([
    [3, 'duplicate'],
    [5, 'no_date'],
    [6, 'bad_date'],
    [7, 'negative'],
    [8, 'bad_number'],
    [9, 'bad_year'],
    [10, 'other_period'],
    [11, 'no_number'],
  ]);
});

test('others have their turn while the rows of a large file become figures', async () => {
  const row = Buffer.from('2026-01-01,5\n'.repeat(HISTORY_LIMITS.turn * 5));
  let turns = 0;
  let ends = 0;
  async function* file() {
    yield Buffer.concat([Buffer.from('date,downloads\n'), row]);
    ends += 1;
  }
  const count = () => {
    // the first time, only the encoding is read
    if (ends === 2) turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);

  await readHistory(async () => file(), {}, TODAY);
  clearImmediate(waiting);

  expect(turns).toBeGreaterThanOrEqual(10);
});

test.each([
  ['100 MB in one line', 'history.not_csv', () => repeated(Buffer.alloc(1_000_000, 'a'), 100)],
  ['100 MB of quotes', 'history.not_csv', () => repeated(Buffer.alloc(1_000_000, '"'), 100)],
  ['100 MB of delimiters', 'history.not_csv', () => repeated(Buffer.alloc(1_000_000, ','), 100)],
  ['NUL', 'history.not_csv', () => repeated(Buffer.from('date,downloads\n2026-01-01,\0\n'), 1)],
  ['nothing', 'history.empty', () => repeated(Buffer.alloc(0), 1)],
  ['names only', 'history.empty', () => repeated(Buffer.from('date,downloads\n'), 1)],
  ['too many rows', 'history.too_many_rows', () => repeated(Buffer.from('2026-01-01,5\n'.repeat(1000)), 102)],
])('%s is refused', async (_, code, open) => {
  await expect(readHistory(async () => open(), {}, TODAY)).rejects.toMatchObject({ code });
});

async function* repeated(part: Buffer, times: number): AsyncGenerator<Uint8Array> {
  for (let time = 0; time < times; time += 1) yield part;
}

const SPOILED = [
  '',
  '-1',
  '1e400',
  '=1+1',
  '+5',
  '@x',
  '99999999999999999999',
  '1,2,3',
  'NaN',
  '½',
  '٣',
  '\u202e5',
  ';',
  '12.5',
];
const BAD_DAYS = [
  '',
  '0000-00-00',
  '9999-12-31',
  '2026-02-30',
  'yesterday',
  '=TODAY()',
  '-2026-01-01',
  '2026-1',
  '🎙️',
  '1e3',
];

test('of 5,000 files with spoiled cells, all good rows come in and all others are listed', async () => {
  const pick = seededInts(34);
  const delimiters = [',', ';', '\t'];
  for (let round = 0; round < 5000; round += 1) {
    const delimiter = delimiters[pick(3)]!;
    const good: string[] = [];
    const bad: number[] = [];
    const lines = Array.from({ length: 2 + pick(8) }, (_, i) => {
      const day = `2026-03-${String(i + 2).padStart(2, '0')}`;
      const kind = pick(4);
      if (kind > 1) good.push(`${day} ${i}`);
      else bad.push(i + 2);
      const cells =
        kind === 0
          ? [BAD_DAYS[pick(BAD_DAYS.length)]!, `${i}`]
          : [day, kind === 1 ? SPOILED[pick(SPOILED.length)]! : `${i}`];
      return cells.map((cell) => `"${cell}"`).join(delimiter);
    });
    const history = await read(['date', 'downloads'].join(delimiter).concat('\n', lines.join('\n')), { period: 'day' });

    expect(short(history.figures)).toEqual(good);
    expect(history.problems.map(({ row }) => row)).toEqual(bad);
  }
});
