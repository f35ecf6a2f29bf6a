import type { ContactColumns, ContactFault, ListKind } from '~/db/values/contact-imports';
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

/** `state`: the address may get no emails, for this reason. `since`: a day. */
export type ContactLine = {
  line: number;
  email: string;
  name: string;
  tags: string[];
  since: string | null;
  state: InactiveState | null;
};

/** A row that brings no contact. `text`: its address, or its cells. */
export type LeftOutLine = { line: number; text: string; fault: ContactFault };

export type ReadLine = ContactLine | LeftOutLine;
export const isLeftOut = (line: ReadLine): line is LeftOutLine => 'fault' in line;

const MAX_TEXT = 200;

/** Reads the rows of a file one by one. */
export function contactReader(reading: ContactReading): (row: CsvRow) => ReadLine {
  const { columns, kind, order, today, names } = reading;
  const isNegated = columns.state !== null && isNegative(names[columns.state] ?? '');
  return ({ line, cells, fault }) => {
    const cell = (column: keyof ContactColumns) => {
      const place = columns[column];
      return place === null ? '' : (cells[place] ?? '');
    };
    const leftOut = (reason: ContactFault, text = cells.join(' · ')): LeftOutLine => ({
      line,
      text: cleanText(text, MAX_TEXT),
      fault: reason,
    });
    if (fault) return leftOut('unreadable');
    const email = readAddress(cell('email'));
    if (email === 'no_email' || email === 'bad_email') return leftOut(email);
    const state = kind === 'contacts' ? readState(cell('state'), isNegated) : kind;
    // an address that left stays so, whatever else its row has
    if (state !== null && state !== 'unconfirmed') return { line, email, name: '', tags: [], since: null, state };
    if (state === 'unconfirmed') return leftOut('unconfirmed', email);
    const since = readSince(cell('since'), order, today);
    return { line, email, name: nameIn(cell), tags: readTags(cell('tags')), since, state: null };
  };
}

function nameIn(cell: (column: keyof ContactColumns) => string): string {
  const name = cell('name') || `${cell('firstName')} ${cell('lastName')}`;
  return cleanText(name, CONTACT_IMPORT_LIMITS.nameLength);
}
