import { z } from 'zod';
import type { ContactFault } from '~/db/values/contact-imports';
import type { InactiveState } from '~/db/values/contacts';
import { columnName, withoutApostrophe } from '../../base/csv';
import { type DateOrder, readWrittenDate, writtenDay } from '../../base/written-dates';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';

const address = z.email().max(CONTACT_IMPORT_LIMITS.emailLength);

/** The case-folded address, also of `Ana <ana@example.com>` and `mailto:ana@example.com`. */
export function readAddress(cell: string): string | 'no_email' | 'bad_email' {
  const text = withoutApostrophe(cell).trim();
  if (text === '') return 'no_email';
  const bare = /<([^<>]*)>$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '');
  const email = address.safeParse(bare.trim().toLowerCase());
  return email.success ? email.data : 'bad_email';
}

/** One line without control characters. */
export const cleanText = (cell: string, length: number): string =>
  withoutApostrophe(cell)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed()
    .trim();

/** Names of some tags: `VIP, Madrid`, `VIP;Madrid`, `VIP|Madrid` or `["VIP","Madrid"]`, each once. */
export function readTags(cell: string): string[] {
  const bare = withoutApostrophe(cell).replace(/^\[([\s\S]*)\]$/, '$1');
  const names = bare.split(/[,;|\n]/).map((name) => cleanText(name, CONTACT_IMPORT_LIMITS.tagLength + 2));
  const tags = new Map<string, string>();
  for (const quoted of names) {
    const name = quoted
      .replace(/^["']+|["']+$/g, '')
      .slice(0, CONTACT_IMPORT_LIMITS.tagLength)
      .toWellFormed()
      .trim();
    if (name !== '' && tags.size < CONTACT_IMPORT_LIMITS.tags && !tags.has(name.toLowerCase()))
      tags.set(name.toLowerCase(), name);
  }
  return [...tags.values()];
}

/**
 * The day of a date as hosts write it; null for none. A day to come is today, as clocks differ. A date that can't be read
 * loses no person.
 */
export function readSince(cell: string, order: DateOrder, today: string): string | 'bad_since' | null {
  if (NO_DATE.test(columnName(cell))) return null;
  const written = readWrittenDate(withoutApostrophe(cell));
  const day = written && writtenDay(written, order);
  if (!day || written.year < CONTACT_IMPORT_LIMITS.firstYear || written.year > Number(today.slice(0, 4)) + 1)
    return 'bad_since';
  return day > today ? today : day;
}

/** Nothing, or what hosts write for it: `0000-00-00 00:00:00`, `-`, `null`. */
const NO_DATE = /^(?:[0_]*|none|null|nil|never|nunca|na|n_a)$/;

/** Words with which a state starts, or of which it consists. */
const starting = (text: string): RegExp => new RegExp(`^(?:${text.trim().split(/\s+/).join('|')})(?:_|$)`);

type LineState = InactiveState | Extract<ContactFault, 'unconfirmed'>;

/** What hosts write about people to whom they send no emails, the gravest first. All other words mean that they do. */
const STATES: [LineState, RegExp][] = [
  ['complained', /complain|spam|abuse|malicious|queja/],
  ['bounced', /bounce|undeliver|rebot/],
  ['bounced', starting('cleaned invalid dropped')],
  ['unsubscribed', /(?:^|_)(?:un_?sub|(?:not|non|never|no)_?sub?scri|des_?suscri|opt(?:ed)?_?out|baja(?:_|$))/],
  [
    'unsubscribed',
    starting(`cancelled canceled removed blocked blacklisted blocklisted deleted inactive not_active disabled paused
      suspended archived suppressed cancelado cancelada inactivo inactiva no_activo no_activa bloqueado bloqueada`),
  ],
  ['unconfirmed', /unconfirm|unactivated|unverif|pending|validating|not_confirm|sin_confirmar|no_confirm|pendiente/],
  ['unconfirmed', starting('needs_attention awaiting')],
];

const NO = /^(?:false|no|0|n|f|off)$/;
/** What stands for nothing in a column that names people who left, such as an empty date. */
const NOTHING = /^(?:[0_]*|none|null|nil|never|nunca|na|n_a|active|activo|subscribed|suscrito)$/;
const WRITTEN = /[\p{L}\p{N}\p{So}]/u;

/**
 * `isNegative`: the column is about people who get no emails, so all that it has means that they left: a date, a reason,
 * a cross. Whoever is left out by mistake can be asked again; an email to a person who left cannot be taken back.
 */
export function readState(cell: string, isNegative: boolean): LineState | null {
  const text = columnName(cell);
  const known = STATES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  if (!isNegative) return NO.test(text) ? 'unsubscribed' : known;
  const isNothing = NO.test(text) || (text === '' ? !WRITTEN.test(cell) : NOTHING.test(text));
  return isNothing ? null : (known ?? 'unsubscribed');
}
