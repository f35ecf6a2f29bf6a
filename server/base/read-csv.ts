import { setImmediate as othersTurn } from 'node:timers/promises';
import { type CsvRow, csvSplitter, type RowLimits } from './split-csv';

/** `too_long`: quotes that don't match, or not a CSV file at all. */
export class BadCsv extends Error {
  constructor(readonly fault: 'too_long' | 'not_text') {
    super(fault);
  }
}

/** `breaks`: of lines. Those whose cells are all empty take time, too, and a caller can't count them. */
export type CsvLimits = RowLimits & { breaks: number };

/** Excel writes semicolons in many countries; copies of a table have tabs. */
const DELIMITERS = [',', ';', '\t'];
/** Read without a pause. */
const TURN_BYTES = 8192;

/**
 * Yields the rows of a CSV file (RFC 4180) in UTF-8 while it arrives, without empty ones. The most frequent delimiter in
 * the first line is used. @throws BadCsv
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<string[], void> {
  for await (const rows of readCsvRows(file, limits)) {
    const bad = rows.find(({ fault }) => fault !== null);
    for (const { cells, fault } of rows) {
      if (fault === null) yield cells;
      else break;
    }
    if (bad) throw new BadCsv(bad.fault === 'not_text' ? 'not_text' : 'too_long');
  }
}

/**
 * Yields the rows of a CSV file in parts, with the line of each. A row that can't be read has a fault, and the next ones
 * come all the same. @throws BadCsv if the row with the names can't be read, or there are too many lines
 */
export async function* readCsvRows(file: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<CsvRow[], void> {
  let splitter: ReturnType<typeof csvSplitter> | null = null;
  let isFirst = true;
  for await (const { text, isLast } of inParts(file, limits)) {
    splitter ??= csvSplitter(delimiterOf(text), limits);
    const rows = splitter.take(text, isLast);
    if (splitter.lines() > limits.breaks) throw new BadCsv('too_long');
    const fault = isFirst ? rows[0]?.fault : null;
    if (fault) throw new BadCsv(fault === 'not_text' ? 'not_text' : 'too_long');
    isFirst &&= rows.length === 0;
    if (rows.length > 0) yield rows;
    await othersTurn();
  }
}

type Part = { text: string; isLast: boolean };

/** The first part contains the first line. */
async function* inParts(file: AsyncIterable<Uint8Array>, { cellLength }: CsvLimits): AsyncGenerator<Part, void> {
  const decoder = new TextDecoder();
  let head: string | null = '';
  for await (const chunk of file) {
    for (let at = 0; at < chunk.length; at += TURN_BYTES) {
      const text: string = (head ?? '') + decoder.decode(chunk.subarray(at, at + TURN_BYTES), { stream: true });
      if (head !== null && text.length <= cellLength && !/[\r\n]/.test(text)) head = text;
      else {
        head = null;
        yield { text, isLast: false };
      }
    }
  }
  yield { text: (head ?? '') + decoder.decode(), isLast: true };
}

function delimiterOf(head: string): string {
  const [first = ''] = head.split(/[\r\n]/, 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}
