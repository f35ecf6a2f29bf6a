/** `line`: of the file, counted from 1, where the row begins. `fault`: the row can't be used, and the next ones can. */
export type CsvRow = { line: number; cells: string[]; fault: RowFault | null };
export type RowFault = 'too_long' | 'quote' | 'not_text';

/** `cellLength` and `cells`: of one row. */
export type RowLimits = { cellLength: number; cells: number };

/**
 * Splits a text into the rows of a CSV file (RFC 4180) while it arrives. A quote that never ends costs its own line, not
 * the rest of the file.
 */
export type CsvSplitter = {
  /** The rows that end in this part; with `isLast` all that are left. */
  take(part: string, isLast: boolean): CsvRow[];
  /** Lines that have ended so far, with empty ones and those within cells. */
  lines(): number;
};

/** After these, cells end with their line: to look for the end of each quote would take longer with each line. */
const FORGOTTEN_QUOTES = 20;

const GROWTH = 1.5;

export function csvSplitter(delimiter: string, limits: RowLimits): CsvSplitter {
  let text = '';
  let line = 1;
  let width: number | null = null;
  let isSkipping = false;
  /** How much text an unfinished row needs to be read again: with each part, a long one would take ever longer. */
  let awaited = 0;
  let quotesLeft = FORGOTTEN_QUOTES;
  const longest = limits.cells * limits.cellLength;

  /** The rest of a line that is too long to be kept. */
  function skipLine(isLast: boolean): void {
    const end = lineEnd(text, 0, isLast);
    isSkipping = end === null;
    text = end ? text.slice(end.next) : '';
    if (end) line += 1;
  }

  function take(part: string, isLast: boolean): CsvRow[] {
    text += part;
    if (text.length < awaited && !isLast) return [];
    awaited = 0;
    if (isSkipping) skipLine(isLast);
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length && !isSkipping) {
      const row = readRow(text, at, { delimiter, isLast, width, longest, spansLines: quotesLeft > 0 });
      if (row === 'incomplete' && text.length - at <= longest) {
        awaited = (text.length - at) * GROWTH;
        break;
      }
      if (row === 'incomplete') {
        rows.push({ line, cells: [], fault: 'too_long' });
        text = text.slice(at);
        at = 0;
        skipLine(isLast);
        continue;
      }
      if (row.fault === 'quote') quotesLeft -= 1;
      const cells = row.fault ? [] : row.cells.map((cell) => cell.trim());
      if (row.fault || cells.some((cell) => cell !== '')) {
        const fault = row.fault ?? faultOf(cells, limits);
        rows.push({ line, cells, fault });
        width ??= cells.length;
      }
      line += row.lines;
      at = row.next;
    }
    text = text.slice(at);
    return rows;
  }
  return { take, lines: () => line - 1 };
}

function faultOf(cells: string[], { cellLength, cells: most }: RowLimits): RowFault | null {
  if (cells.length > most || cells.some((cell) => cell.length > cellLength)) return 'too_long';
  return cells.some((cell) => cell.includes('\0')) ? 'not_text' : null;
}

type Reading = { delimiter: string; isLast: boolean; width: number | null; longest: number; spansLines: boolean };
/** `isOdd`: a quoted cell has a quote that neither ends it nor is doubled. */
type Row = { cells: string[]; next: number; lines: number; fault: RowFault | null; isOdd?: boolean };

function readRow(text: string, at: number, reading: Reading): Row | 'incomplete' {
  const end = lineEnd(text, at, reading.isLast);
  const first = end && text.slice(at, end.at);
  if (first !== null && !first.includes('"'))
    return { cells: first.split(reading.delimiter), next: end!.next, lines: 1, fault: null };
  if (first !== null && !reading.spansLines) {
    const row = readQuoted(first, 0, { ...reading, isLast: true });
    const rest = { next: end!.next, lines: 1 };
    return row === 'incomplete' ? { cells: [], fault: 'quote', ...rest } : { ...row, ...rest };
  }
  const row = readQuoted(text, at, reading);
  if (row === 'incomplete' && !reading.isLast && text.length - at <= reading.longest) return row;
  // a cell of several lines in a row of another form is a quote that was forgotten
  const isOther = reading.width !== null && row !== 'incomplete' && row.cells.length !== reading.width;
  const isWrong = row === 'incomplete' || (row.lines > 1 && (row.isOdd || isOther));
  if (!isWrong || end === null) return row;
  return { cells: [], next: end.next, lines: 1, fault: 'quote' };
}

/** Cells of which some are quoted. A quote within a cell that does not begin with one is text. */
function readQuoted(text: string, from: number, { delimiter, isLast }: Reading): Row | 'incomplete' {
  const cells: string[] = [];
  let at = from;
  let lines = 1;
  let isOdd = false;
  // looked for once in each line: a row may have very many cells
  let end = lineEnd(text, from, isLast);
  for (;;) {
    let cell = '';
    if (text[at] === '"') {
      const quoted = readQuotes(text, at, delimiter);
      if (!quoted) return 'incomplete';
      cell = quoted.cell;
      at = quoted.next;
      lines += breaksIn(cell);
      isOdd ||= quoted.isOdd;
    }
    if (end !== null && at > end.at) end = lineEnd(text, at, isLast);
    const next = text.indexOf(delimiter, at);
    if (next !== -1 && (end === null || next < end.at)) {
      cells.push(cell + text.slice(at, next));
      at = next + 1;
      continue;
    }
    if (end === null) return 'incomplete';
    cells.push(cell + text.slice(at, end.at));
    return { cells, next: end.next, lines, fault: null, isOdd };
  }
}

/** The quote that ends a cell is doubled nowhere, and a delimiter or a line end comes next. */
function readQuotes(
  text: string,
  from: number,
  delimiter: string,
): { cell: string; next: number; isOdd: boolean } | null {
  let at = from + 1;
  let isOdd = false;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    const after = text[quote + 1];
    if (after === undefined || after === delimiter || after === '\n' || after === '\r')
      return { cell: text.slice(from + 1, quote).replaceAll('""', '"'), next: quote + 1, isOdd };
    isOdd ||= after !== '"';
    at = after === '"' ? quote + 2 : quote + 1;
  }
}

const breaksIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

const BREAK = /\r\n?|\n/g;

/** Null before a line has ended; a `\r` at the end of a part may be half of a `\r\n`. */
function lineEnd(text: string, at: number, isLast: boolean): { at: number; next: number } | null {
  BREAK.lastIndex = at;
  const found = BREAK.exec(text);
  const isHalf = found?.[0] === '\r' && found.index + 1 === text.length && !isLast;
  if (found && !isHalf) return { at: found.index, next: BREAK.lastIndex };
  return isLast ? { at: text.length, next: text.length } : null;
}
