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

/** Why a row of a file brings no contact. */
export const ROW_FAULTS = ['unreadable', 'no_email', 'bad_email', 'unconfirmed', 'suppressed', 'no_room'] as const;
export type ContactFault = (typeof ROW_FAULTS)[number];

/** `reading`: rows are read from the file. `suppressing` and `merging`: they change the contacts. */
export type ContactImportStatus = 'reading' | 'suppressing' | 'merging' | 'done' | 'failed';
export const WORKING_IMPORTS = ['reading', 'suppressing', 'merging'] as const satisfies ContactImportStatus[];

/** The columns of a file of contacts that matter here, by their places; null: none. */
export const CONTACT_COLUMNS = ['email', 'name', 'firstName', 'lastName', 'since', 'tags', 'state'] as const;
export type ContactColumn = (typeof CONTACT_COLUMNS)[number];
export type ContactColumns = Record<ContactColumn, number | null>;

/** What the creator has confirmed of a file. `names`: of all columns. */
export type ContactMapping = { columns: ContactColumns; order: 'dmy' | 'mdy'; names: string[] };
