import type { ContactColumns, ContactFault, ListKind, ReportedRow } from '~/db/values/contact-imports';
import type { InactiveState } from '~/db/values/contacts';
import type { CsvRow } from '../../base/split-csv';
import type { DateOrder } from '../../base/written-dates';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { cleanText, readAddress, readSince, readState, readTags } from './contact-cells';
import { isNegative } from './contact-columns';

/** What the creator knows of a file. `today`: as `2026-11-27`. */
export type ContactReading = {
  kind: ListKind;
  columns: ContactColumns;
  order: DateOrder;
  today: string;
  /** Names of all columns. */
  names: readonly string[];
};

/** `state`: the address may get no emails, for this reason. `since`: a day. `note`: what of the row was lost. */
export type ContactLine = {
  line: number;
  email: string;
  name: string;
  tags: string[];
  since: string | null;
  state: InactiveState | null;
  note?: ReportedLine;
};

/** A row of the report. `text`: its address, or its cells. */
export type ReportedLine = { line: number; text: string; fault: ContactFault; row: ReportedRow };

/** A row that brings a contact or a suppression, or one that is left out. */
export type ReadLine = ContactLine | ReportedLine;
export const isLeftOut = (line: ReadLine): line is ReportedLine => 'fault' in line;

const MAX_TEXT = 200;

/** Reads the rows of a file one by one. */
export function contactReader(reading: ContactReading): (row: CsvRow) => ReadLine {
  const { columns, kind, order, today, names } = reading;
  const isNegated = columns.state !== null && isNegative(names[columns.state] ?? '');
  // as the kind of the file says, whatever the row has
  const stateIn = (cell: Cell) => (kind === 'contacts' ? readState(cell('state'), isNegated) : kind);
  // a row of people who left must not bring a contact once it is corrected
  const unreadable = (text: string) => ({ ...NO_CELLS, email: text, state: kind === 'contacts' ? '' : kind });
  const reportedRow = (cell: Cell): ReportedRow => {
    const since = readSince(cell('since'), order, today);
    return {
      email: cleanText(cell('email'), CONTACT_IMPORT_LIMITS.emailLength),
      name: nameIn(cell),
      since: (since === 'bad_since' ? cleanText(cell('since'), CONTACT_IMPORT_LIMITS.dateLength) : since) ?? '',
      tags: readTags(cell('tags')).join(', '),
      state: stateIn(cell) ?? '',
    };
  };
  return ({ line, cells, fault }) => {
    const cell: Cell = (column) => {
      const place = columns[column];
      return place === null ? '' : (cells[place] ?? '');
    };
    const report = (reason: ContactFault, text = cells.join(' · ')): ReportedLine => {
      const shown = cleanText(text, MAX_TEXT);
      return { line, text: shown, fault: reason, row: fault ? unreadable(shown) : reportedRow(cell) };
    };
    if (fault) return report('unreadable');
    const email = readAddress(cell('email'));
    if (email === 'no_email' || email === 'bad_email') return report(email);
    const state = stateIn(cell);
    // an address that left stays so, whatever else its row has
    if (state !== null && state !== 'unconfirmed') return { line, email, name: '', tags: [], since: null, state };
    if (state === 'unconfirmed') return report('unconfirmed', email);
    const since = readSince(cell('since'), order, today);
    const read = { line, email, name: nameIn(cell), tags: readTags(cell('tags')), state: null };
    if (since === 'bad_since') return { ...read, since: null, note: report('bad_since', email) };
    return { ...read, since };
  };
}

type Cell = (column: keyof ContactColumns) => string;
const NO_CELLS: ReportedRow = { email: '', name: '', since: '', tags: '', state: '' };

function nameIn(cell: Cell): string {
  const name = cell('name') || `${cell('firstName')} ${cell('lastName')}`;
  return cleanText(name, CONTACT_IMPORT_LIMITS.nameLength);
}
