import {
  CONTACT_COLUMNS,
  type ContactColumn,
  type ContactColumns,
  type ListHost,
  type ListKind,
} from '~/db/values/contact-imports';
import { columnName } from '../../base/csv';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Names of columns in any file, as `columnName` writes them, the most precise first. */
const KNOWN: Record<ContactColumn, string[]> = {
  email: words(`email email_address e_mail e_mail_address mail subscriber_email member_email correo
    correo_electronico direccion_de_correo direccion_de_correo_electronico`),
  name: words('name full_name display_name subscriber_name member_name nombre nombre_completo nombre_y_apellidos'),
  firstName: words('first_name firstname given_name fname nombre_de_pila'),
  lastName: words('last_name lastname family_name surname lname apellidos apellido'),
  since:
    words(`since subscribed_at subscription_date signup_date sign_up_date created_at creation_date created joined_at
    join_date confirm_time optin_time opt_in_date date_added start_date patronage_since_date fecha_de_alta alta desde
    fecha`),
  tags: words('tags tag labels label etiquetas etiqueta'),
  // a state can also be a part of a country
  state: words(`subscription_status subscriber_status email_status email_marketing_status subscribed_to_emails
    email_disabled unsubscribed opted_out opt_out optout subscribed accepts_email_marketing accepts_marketing status
    unsubscribed_at unsubscribed_on unsubscribe_date fecha_de_baja baja state estado`),
};

/** Columns whose names mean something else in the files of a host (docs/audience-import.md). */
const OWN: Record<ListHost, Partial<Record<ContactColumn, string[]>>> = {
  substack: { since: ['created_at'], state: ['email_disabled'], tags: [] },
  mailchimp: { since: words('confirm_time optin_time'), state: [] },
  kit: { since: ['created_at'], state: words('status state') },
  beehiiv: { since: words('created_at subscribed_at'), state: ['status'] },
  ghost: { since: ['created_at'], state: ['subscribed_to_emails'], tags: ['labels'] },
  buttondown: { since: ['creation_date'], state: words('type subscriber_type'), tags: ['tags'] },
  patreon: { since: ['patronage_since_date'], state: [], tags: ['tier'] },
  supercast: { since: ['created_at'], state: [], tags: ['plan_name'] },
  other: {},
};

/** The first host of which a file has all these columns. */
const MARKS: [ListHost, string[]][] = [
  ['substack', words('email active_subscription email_disabled')],
  ['mailchimp', words('email_address member_rating')],
  ['mailchimp', words('email_address optin_time confirm_time')],
  ['ghost', words('email subscribed_to_emails complimentary_plan')],
  ['patreon', words('email patron_status patronage_since_date')],
  ['supercast', words('email plan_name plan_price_cents')],
  ['buttondown', words('email type creation_date')],
  ['buttondown', words('email subscriber_type creation_date')],
  ['buttondown', words('email_address type creation_date')],
  ['beehiiv', words('email status created_at utm_source')],
  ['beehiiv', words('email status acquisition_source')],
  ['kit', words('first_name email created_at status')],
  ['kit', words('first_name email_address created_at state')],
];

export function guessListHost(names: readonly string[]): ListHost {
  const known = names.map(columnName);
  return MARKS.find(([, marks]) => marks.every((mark) => known.includes(mark)))?.[0] ?? 'other';
}

/** Mailchimp writes people who left and bad addresses into files of their own, which have the time of it. */
export function guessListKind(names: readonly string[]): ListKind {
  const known = names.map(columnName);
  if (known.includes('clean_time')) return 'bounced';
  return known.includes('unsub_time') ? 'unsubscribed' : 'contacts';
}

export function findContactColumns(names: readonly string[], host: ListHost): ContactColumns {
  const known = names.map(columnName);
  const placeOf = (column: ContactColumn) => {
    const name = (OWN[host][column] ?? KNOWN[column]).find((candidate) => known.includes(candidate));
    return name === undefined ? null : known.indexOf(name);
  };
  return Object.fromEntries(CONTACT_COLUMNS.map((column) => [column, placeOf(column)])) as ContactColumns;
}

/** Columns that say true of people who get no emails. */
const NEGATIVE = /disabled|unsub|opt(?:ed)?_?out|blocked|suppress|bounce|complain|baja/;
export const isNegative = (name: string): boolean => NEGATIVE.test(columnName(name));
