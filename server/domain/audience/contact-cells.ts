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
      .trim();
    if (name !== '' && tags.size < CONTACT_IMPORT_LIMITS.tags && !tags.has(name.toLowerCase()))
      tags.set(name.toLowerCase(), name);
  }
  return [...tags.values()];
}

/**
 * The day of a date as hosts write it; null for none, and for one that can't be read: no person is lost by that. A day to
 * come is today, as clocks differ.
 */
export function readSince(cell: string, order: DateOrder, today: string): string | null {
  const written = readWrittenDate(withoutApostrophe(cell));
  const day = written && writtenDay(written, order);
  if (!day || written.year < CONTACT_IMPORT_LIMITS.firstYear || written.year > Number(today.slice(0, 4)) + 1)
    return null;
  return day > today ? today : day;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What hosts write about people to whom they send no emails. All other words mean that they do. */
const STATES: [InactiveState | Extract<ContactFault, 'unconfirmed'>, Set<string>][] = [
  [
    'unsubscribed',
    new Set(
      words(`unsubscribed unsubscribe cancelled canceled removed opted_out optout opt_out blocked blacklisted blocklisted
        deleted inactive disabled paused suspended archived suppressed baja dado_de_baja dada_de_baja desuscrito
        desuscrita cancelado cancelada inactivo inactiva bloqueado bloqueada`),
    ),
  ],
  [
    'bounced',
    new Set(
      words(
        'bounced bounce hard_bounced hard_bounce soft_bounced undeliverable cleaned invalid dropped rebotado rebotada',
      ),
    ),
  ],
  [
    'complained',
    new Set(words('complained complaint complaints spam spam_report spam_complaint malicious abuse queja')),
  ],
  [
    'unconfirmed',
    new Set(
      words(
        'unconfirmed unactivated unverified pending validating needs_attention not_confirmed pendiente sin_confirmar',
      ),
    ),
  ],
];

const NO = new Set(words('false no 0 n f off'));
const YES = new Set(words('true yes 1 y t on si'));

/** `isNegative`: the column says true of people who get no emails. */
export function readState(cell: string, isNegative: boolean): InactiveState | 'unconfirmed' | null {
  const text = columnName(cell);
  const isNo = isNegative ? YES.has(text) : NO.has(text);
  if (isNo) return 'unsubscribed';
  return STATES.find(([, known]) => known.has(text))?.[0] ?? null;
}
