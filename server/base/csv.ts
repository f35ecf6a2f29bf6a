/**
 * A cell that starts like a formula, even in full-width characters, would run in a spreadsheet: an apostrophe makes it
 * text.
 */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** Amounts may be negative; they are not formulas. */
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

/** Removes the apostrophe that `csvLine` adds to text that a spreadsheet would run. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

/** A column's name as files are compared by it: in lower case, without accents, with `_` between words. */
export const columnName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
