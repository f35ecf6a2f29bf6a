/** A cell that starts like a formula, also one in wide letters, would run in a spreadsheet: an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** Amounts may be negative, which is no formula. */
const AMOUNT = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",;\r\n]/;

type Cell = string | number | boolean | Date | null;

/** One line of a CSV file (RFC 4180). Dates are ISO 8601. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toText).join(',')}\r\n`;
}

function toText(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) && !AMOUNT.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Undoes what `csvLine` does to text that a spreadsheet would run. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

/** `too_long`: quotes that don't match, or no CSV at all. */
export class BadCsv extends Error {
  constructor(readonly fault: 'too_long' | 'not_text') {
    super(fault);
  }
}

export type CsvLimits = { cellLength: number; cells: number };

/** Excel writes semicolons in many countries; copies of a table have tabs. */
const DELIMITERS = [',', ';', '\t'];

/**
 * The rows of a CSV file (RFC 4180) while it arrives, without empty ones. The delimiter is the one that the first line has
 * most of. @throws BadCsv
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let head: string | null = '';
  let parse = csvParser(',', limits);
  for await (const chunk of file) {
    if (chunk.includes(0)) throw new BadCsv('not_text');
    let text = decoder.decode(chunk, { stream: true });
    if (head !== null) {
      head += text;
      if (!/[\r\n]/.test(head) && head.length <= limits.cellLength) continue;
      parse = csvParser(delimiterOf(head), limits);
      text = head;
      head = null;
    }
    yield* parse(text);
  }
  if (head !== null) parse = csvParser(delimiterOf(head), limits);
  yield* parse(`${head ?? ''}${decoder.decode()}\n`);
}

function delimiterOf(head: string): string {
  const [first = ''] = head.split(/[\r\n]/, 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}

/** Keeps what it has of a row from one part of the text to the next. */
function csvParser(delimiter: string, { cellLength, cells }: CsvLimits): (text: string) => string[][] {
  let row: string[] = [];
  let cell = '';
  // `closed`: after a quote, which ends the text or is the first one of two
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';

  const append = (char: string) => {
    cell += char;
    if (cell.length > cellLength) throw new BadCsv('too_long');
  };
  const endCell = () => {
    row.push(cell.trim());
    if (row.length > cells) throw new BadCsv('too_long');
    cell = '';
    state = 'start';
  };
  const add = (char: string) => {
    if (state === 'quoted' && char !== '"') append(char);
    else if (state === 'quoted') state = 'closed';
    else if (char === delimiter) endCell();
    else if (char === '"' && state !== 'plain') {
      if (state === 'closed') append(char);
      state = 'quoted';
    } else if (char !== '\r') {
      state = 'plain';
      append(char);
    }
  };
  return (text) => {
    const rows: string[][] = [];
    for (const char of text) {
      if (char !== '\n' || state === 'quoted') {
        add(char);
        continue;
      }
      endCell();
      if (row.some((value) => value !== '')) rows.push(row);
      row = [];
    }
    return rows;
  };
}
