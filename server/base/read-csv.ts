import { pipeline } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';

/** `too_long`: quotes that don't match, or not a CSV file at all. */
export class BadCsv extends Error {
  constructor(readonly fault: 'too_long' | 'not_text') {
    super(fault);
  }
}

/** `breaks`: of lines. Those whose cells are all empty take time, too, and a caller can't count them. */
export type CsvLimits = { cellLength: number; cells: number; breaks: number };

/** Excel writes semicolons in many countries; copies of a table have tabs. */
const DELIMITERS = [',', ';', '\t'];
const MAX_BYTES_OF_CHAR = 4;
/** Read without a pause. */
const TURN_BYTES = 4096;

/**
 * Yields the rows of a CSV file (RFC 4180) while it arrives, without empty ones. The most frequent delimiter in the
 * first line is used. @throws BadCsv
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<string[]> {
  const parts = inParts(file, limits);
  const { value: head, done } = await parts.next();
  if (done) return;
  const parser = csvParser(delimiterOf(head), limits);
  parser.write(head);
  // the loop below throws the errors
  pipeline(parts, parser, () => {});
  try {
    for await (const row of parser as AsyncIterable<string[]>) yield toCells(row, limits);
  } catch (error) {
    throw error instanceof CsvError ? new BadCsv('too_long') : error;
  } finally {
    // a pipeline that still waits for the parser has not started to read, and would leave the file open
    await parts.return();
  }
}

/** The first part contains the first line. */
async function* inParts(file: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<Buffer, void> {
  const { cellLength, breaks } = limits;
  let head: Buffer | null = Buffer.alloc(0);
  let left = breaks;
  for await (const chunk of file) {
    if (chunk.includes(0)) throw new BadCsv('not_text');
    left -= countBreaks(chunk);
    if (left < 0) throw new BadCsv('too_long');
    const part: Buffer = Buffer.concat([head ?? Buffer.alloc(0), chunk]);
    if (head && part.length <= cellLength && !/[\r\n]/.test(part.toString('latin1'))) {
      head = part;
      continue;
    }
    head = null;
    for (let at = 0; at < part.length; at += TURN_BYTES) {
      yield part.subarray(at, at + TURN_BYTES);
      await othersTurn();
    }
  }
  if (head) yield head;
}

const [LF, CR] = [10, 13];

/** `\r\n` is one. */
const countBreaks = (chunk: Uint8Array): number =>
  chunk.reduce((sum, byte, at) => (byte === LF || (byte === CR && chunk[at + 1] !== LF) ? sum + 1 : sum), 0);

function delimiterOf(head: Buffer): string {
  const [first = ''] = head.toString('latin1').split(/[\r\n]/, 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}

function csvParser(delimiter: string, { cellLength, cells }: CsvLimits): Parser {
  const parser = parse({
    bom: true,
    delimiter,
    // one file may mix several line breaks
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // which takes no time, unlike a row whose cells are empty
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    // A surplus cell takes the rest of its row, so a flood of delimiters also counts as length.
    ignore_last_delimiters: cells + 1,
    max_record_size: cells * cellLength * MAX_BYTES_OF_CHAR,
  });
  // The parser builds an error for each row that has fewer or more cells than the first one, even if it accepts it, and
  // that takes longer than all else. So each row is taken for the first one.
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => {} });
  return parser;
}

function toCells(row: string[], { cellLength, cells }: CsvLimits): string[] {
  if (row.length > cells || row.some((cell) => cell.length > cellLength)) throw new BadCsv('too_long');
  return row.map((cell) => cell.trim());
}
