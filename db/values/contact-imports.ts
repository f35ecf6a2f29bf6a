import type { InactiveState } from './contacts';

/** Services whose files of contacts are recognised by their columns. */
export const LIST_HOSTS = [
  'substack',
  'mailchimp',
  'kit',
  'beehiiv',
  'ghost',
  'buttondown',
  'patreon',
  'supercast',
  'other',
] as const;
export type ListHost = (typeof LIST_HOSTS)[number];

/** Who is in a file: people who get emails, or those to whom none may be sent. */
export const LIST_KINDS = ['contacts', 'unsubscribed', 'bounced', 'complained'] as const satisfies (
  | 'contacts'
  | InactiveState
)[];
export type ListKind = (typeof LIST_KINDS)[number];

/** Why a row of a file brings no contact; with `bad_since`, it brings one without the row's date. */
export const ROW_FAULTS = [
  'unreadable',
  'no_email',
  'bad_email',
  'unconfirmed',
  'suppressed',
  'no_room',
  'bad_since',
] as const;
export type ContactFault = (typeof ROW_FAULTS)[number];

/**
 * A row of the report, as its own file can be imported again: cells that could be read are in the form that is always
 * recognised. `state`: why the address gets no emails; empty if it does.
 */
export type ReportedRow = { email: string; name: string; since: string; tags: string; state: string };

/** `reading`: rows are read from the file. `suppressing` and `merging`: they change the contacts. */
export type ContactImportStatus = 'reading' | 'suppressing' | 'merging' | 'done' | 'failed';
export const WORKING_IMPORTS = ['reading', 'suppressing', 'merging'] as const satisfies ContactImportStatus[];

/** The columns of a file of contacts that matter here, by their places; null: none. */
export const CONTACT_COLUMNS = ['email', 'name', 'firstName', 'lastName', 'since', 'tags', 'state'] as const;
export type ContactColumn = (typeof CONTACT_COLUMNS)[number];
export type ContactColumns = Record<ContactColumn, number | null>;

/** What the creator has confirmed of a file. `names`: of all columns. */
export type ContactMapping = { columns: ContactColumns; order: 'dmy' | 'mdy'; names: string[] };
