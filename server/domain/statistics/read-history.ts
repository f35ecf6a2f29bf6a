import { setImmediate as othersTurn } from 'node:timers/promises';
import type { HistoryHost, HistoryPeriod } from '~/db/values/imported-plays';
import { BadCsv, readCsv } from '../../base/read-csv';
import { detectEncoding, type TextEncoding, toUtf8 } from '../../base/text-encoding';
import { DAYS } from '../../base/time';
import { type DateOrder, orderOf, readWrittenDate, type WrittenDate } from '../../base/written-dates';
import { HISTORY_LIMITS } from '../../limits/statistics';
import { historyEmpty, historyNotCsv, tooManyHistoryRows } from './errors';
import { type DatedSpan, type HistoryFault, readPlays, toSpan } from './history-cells';
import { findColumns, guessHost, type HistoryColumns } from './history-columns';

/** What the creator says about a file; all of it is found out where the file tells it. */
export type HistoryReading = HistoryColumns & { host?: HistoryHost; order?: DateOrder; period?: HistoryPeriod };

export type HistoryFigure = DatedSpan & { episode: string; plays: number };
/** `row`: counted from 1, the row with the names. `text`: its cells. */
export type HistoryProblem = { row: number; reason: HistoryFault; text: string };

export type History = {
  encoding: TextEncoding;
  host: HistoryHost;
  names: string[];
  columns: HistoryColumns;
  order: DateOrder | null;
  period: HistoryPeriod;
  /** What the file does not tell. No figures are read before it is answered. */
  question: 'columns' | 'plays' | 'order' | null;
  /** A date that can be read in two ways, or undefined. */
  example: string | undefined;
  /** The days are whole weeks apart, so each figure may be that of a week. */
  isWeekly: boolean;
  rows: number;
  figures: HistoryFigure[];
  problems: HistoryProblem[];
  /** Rows that are left out, by their reason. */
  leftOut: Partial<Record<HistoryFault, number>>;
};

type Candidate = { row: number; cells: string[]; date: WrittenDate | null };
type File = () => Promise<AsyncIterable<Uint8Array>>;

/**
 * Reads a file with the statistics of another host, which is opened twice. `today`: the last day that may have figures.
 * @throws history.not_csv, history.empty, history.too_many_rows
 */
export async function readHistory(open: File, reading: HistoryReading, today: string): Promise<History> {
  const encoding = await detectEncoding(await open());
  const rows = readCsv(toUtf8(await open(), encoding), HISTORY_LIMITS);
  try {
    const names = await nextRow(rows);
    if (!names) throw historyEmpty();
    const host = reading.host ?? guessHost(names);
    const columns = resolveColumns(names, reading, host);
    const candidates = await readCandidates(rows, columns);
    if (candidates.length === 0) throw historyEmpty();
    return { encoding, host, names, columns, ...(await interpret(candidates, columns, { ...reading, today })) };
  } finally {
    await rows.return(undefined);
  }
}

async function nextRow(rows: AsyncGenerator<string[]>): Promise<string[] | null> {
  try {
    const { value, done } = await rows.next();
    return done ? null : value;
  } catch (error) {
    throw error instanceof BadCsv ? historyNotCsv() : error;
  }
}

/** A chosen column that the file does not have is not chosen. */
function resolveColumns(names: string[], { date, plays, episode }: HistoryReading, host: HistoryHost): HistoryColumns {
  const found = findColumns(names, host);
  const has = (place: number | null | undefined) => place === null || (place !== undefined && place < names.length);
  return {
    date: has(date) ? date : found.date,
    plays: has(plays) ? plays : found.plays,
    episode: has(episode) ? episode : found.episode,
  };
}

async function readCandidates(rows: AsyncGenerator<string[]>, { date }: HistoryColumns): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (let cells = await nextRow(rows); cells; cells = await nextRow(rows)) {
    if (candidates.length === HISTORY_LIMITS.rows) throw tooManyHistoryRows({ max: HISTORY_LIMITS.rows });
    const written = date === undefined ? null : readWrittenDate(cells[date] ?? '');
    candidates.push({ row: candidates.length + 2, cells, date: written });
  }
  return candidates;
}

type Known = Pick<HistoryReading, 'order' | 'period'> & { today: string };

async function interpret(candidates: Candidate[], columns: HistoryColumns, known: Known) {
  const dates = candidates.map(({ date }) => date);
  const order = known.order ?? orderOf(dates);
  const question = questionOf(columns, order);
  const twoWays = candidates.find((each) => each.date?.kind === 'either' && each.date.first !== each.date.second);
  const spans: Span[] = [];
  await inTurns(candidates, (each) => spans.push(each.date && toSpan(each.date, order ?? 'dmy', known.today)));
  const period = known.period ?? periodOf(spans);
  const read = question === null ? await readFigures(candidates, spans, { columns, period }) : NOTHING;
  return {
    ...{ order, period, question, ...read, rows: candidates.length },
    example: columns.date === undefined ? undefined : twoWays?.cells[columns.date],
    isWeekly: period === 'day' && isWeekly(read.figures),
  };
}

function questionOf({ date, plays }: HistoryColumns, order: DateOrder | null): History['question'] {
  if (date === undefined || date === plays) return 'columns';
  if (plays === undefined) return 'plays';
  return order === null ? 'order' : null;
}

/** Reading a large file takes time that other requests need. */
async function inTurns<T>(rows: T[], read: (row: T, at: number) => void): Promise<void> {
  for (const [at, row] of rows.entries()) {
    if (at % HISTORY_LIMITS.turn === 0) await othersTurn();
    read(row, at);
  }
}

const NOTHING = { figures: [], problems: [], leftOut: {} };
type Span = DatedSpan | HistoryFault | null;
const isSpan = (span: Span): span is DatedSpan => span !== null && typeof span === 'object';

/** Days that are all the first or all the last of their month, in several months, stand for the months. */
function periodOf(spans: Span[]): HistoryPeriod {
  const known = spans.filter(isSpan);
  const days = known.filter(({ period }) => period === 'day').map(({ day }) => day);
  if (days.length * 2 < known.length) return 'month';
  const isFirst = days.every((day) => day.endsWith('-01'));
  const isLast = days.every((day) => new Date(Date.parse(day) + DAYS(1)).getUTCDate() === 1);
  return (isFirst || isLast) && new Set(days).size > 1 ? 'month' : 'day';
}

/** `isByEpisode`: some row has a title. A row without one is then no figure of the whole show. */
type Reading = { columns: HistoryColumns; period: HistoryPeriod; isByEpisode: boolean };

async function readFigures(candidates: Candidate[], spans: Span[], known: Omit<Reading, 'isByEpisode'>) {
  const reading = { ...known, isByEpisode: candidates.some(({ cells }) => titleIn(cells, known.columns) !== '') };
  const figures: HistoryFigure[] = [];
  const problems: HistoryProblem[] = [];
  const leftOut: Partial<Record<HistoryFault, number>> = {};
  const seen = new Set<string>();
  await inTurns(candidates, ({ row, cells }, at) => {
    const figure = readFigure(cells, spans[at]!, reading);
    const key = typeof figure === 'string' ? '' : `${figure.day} ${figure.episode}`;
    const reason = typeof figure === 'string' ? figure : seen.has(key) ? 'duplicate' : null;
    if (reason === null) {
      seen.add(key);
      figures.push(figure as HistoryFigure);
      return;
    }
    leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    if (problems.length < HISTORY_LIMITS.exportedProblems) problems.push({ row, reason, text: shown(cells) });
  });
  return { figures, problems, leftOut };
}

function readFigure(
  cells: string[],
  span: Span,
  { columns, period, isByEpisode }: Reading,
): HistoryFigure | HistoryFault {
  if (span === null) return cells[columns.date!] ? 'bad_date' : 'no_date';
  if (typeof span === 'string') return span;
  // the figure of a month is no figure of a day
  if (span.period === 'month' && period === 'day') return 'other_period';
  const plays = readPlays(cells[columns.plays!] ?? '');
  if (typeof plays === 'string') return plays;
  const episode = titleIn(cells, columns);
  if (isByEpisode && episode === '') return 'no_episode';
  return { period, day: period === 'month' ? `${span.day.slice(0, 8)}01` : span.day, episode, plays };
}

const titleIn = (cells: string[], { episode }: HistoryColumns): string =>
  typeof episode === 'number' ? cleaned(cells[episode] ?? '') : '';

const cleaned = (text: string) =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, HISTORY_LIMITS.episodeLength)
    .toWellFormed();

const SHOWN_LENGTH = 200;
const shown = (cells: string[]) =>
  cells
    .join(' · ')
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, SHOWN_LENGTH)
    .toWellFormed();

/** Three weeks in a row are rarely by chance the only ones with plays. */
const WEEKS = 3;

function isWeekly(figures: HistoryFigure[]): boolean {
  const days = [...new Set(figures.map(({ day }) => day))].sort().map((day) => Date.parse(day));
  return days.length > WEEKS && days.every((day) => (day - days[0]!) % DAYS(7) === 0);
}
