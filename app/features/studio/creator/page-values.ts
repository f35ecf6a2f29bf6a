import type { FormValues } from '~/app/lib/check-form';
import { toDecimal } from '~/server/base/money';
import { currentZoneName } from '~/server/base/time';
import { PAGE_FIELDS, type PagePart } from '~/server/domain/creators/rules';
import type { DonationSettings } from '~/server/domain/donations/settings';
import { CREATOR_LIMITS } from '~/server/limits/creators';

/** Lists of the page that users edit as rows. Field 2 of row 0 is named `testimonials.0.url`. */
export const LISTS = {
  testimonials: { parts: ['text', 'author', 'url'], max: CREATOR_LIMITS.testimonials },
  links: { parts: ['label', 'url'], max: CREATOR_LIMITS.links },
} as const;
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

type ListRow = Record<string, string>;

export const fieldName = (list: ListName, row: number, part: string) => `${list}.${row}.${part}`;

/** The numbers of the rows that a form shows: all rows up to the last filled one, and an empty row. */
export function shownRows(list: ListName, values: FormValues): number[] {
  return ROW_NUMBERS.slice(0, Math.min(countFilled(list, values) + 1, LISTS[list].max));
}

const ROW_NUMBERS = Array.from({ length: Math.max(...LIST_NAMES.map((list) => LISTS[list].max)) }, (_, row) => row);

/** Counts rows up to the last one that contains text. */
function countFilled(list: ListName, values: FormValues): number {
  const isFilled = (row: number) => Object.values(readRow(list, row, values)).some((text) => text.trim() !== '');
  return 1 + (ROW_NUMBERS.slice(0, LISTS[list].max).findLast(isFilled) ?? -1);
}

const readRow = (list: ListName, row: number, values: FormValues): ListRow =>
  Object.fromEntries(LISTS[list].parts.map((part) => [part, values[fieldName(list, row, part)] ?? '']));

export const readRows = (list: ListName, values: FormValues): ListRow[] =>
  ROW_NUMBERS.slice(0, countFilled(list, values)).map((row) => readRow(list, row, values));

/** Writes empty fields for the remaining rows, so that a removed last row disappears. */
function writeRows(list: ListName, rows: ListRow[]): FormValues {
  const { parts, max } = LISTS[list];
  const entries = ROW_NUMBERS.slice(0, max).flatMap((row) =>
    parts.map((part) => [fieldName(list, row, part), rows[row]?.[part] ?? ''] as const),
  );
  return Object.fromEntries(entries);
}

/** The fields of the rows as input of the procedure. A list is left out if the form has no rows of it. */
export function rowsOf(values: FormValues): Partial<Record<ListName, ListRow[]>> {
  const sent = LIST_NAMES.filter((list) => Object.keys(values).some((name) => name.startsWith(`${list}.`)));
  return Object.fromEntries(sent.map((list) => [list, readRows(list, values)]));
}

export type EditedCreator = {
  name: string;
  domain: string;
  timeZone: string;
  buttonColor: string | null;
  textColor: string | null;
  aboutTitle: string | null;
  aboutText: string | null;
  picture: string | null;
  ctaTitle: string | null;
  ctaText: string | null;
  ctaButton: string | null;
  ctaUrl: string | null;
  testimonials: { text: string; author: string; url: string | null }[];
  links: { label: string; url: string }[];
  showNewsletter: boolean;
  acceptsDonations: boolean;
  donationText: string | null;
  username: string | null;
  donations: DonationSettings;
};

/** The values of the fields on one page of the editor. */
export function partValues(part: PagePart, creator: EditedCreator): FormValues {
  if (part === 'links') return rowValues(creator);
  const stored: Record<string, unknown> = { ...creator, timeZone: currentZoneName(creator.timeZone) };
  const values = PAGE_FIELDS[part].map((name) => [name, asText(stored[name])] as const);
  return { ...Object.fromEntries(values), ...(part === 'support' && donationValues(creator.donations)) };
}

const asText = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'false') : String(value ?? ''));

type Stored = { testimonials: { text: string; author: string; url: string | null }[]; links: ListRow[] };

/** The stored rows as a form's values. */
function rowValues({ testimonials, links }: Stored): FormValues {
  const own = testimonials.map(({ text, author, url }) => ({ text, author, url: url ?? '' }));
  return { ...writeRows('testimonials', own), ...writeRows('links', links) };
}

/** The row change that a button requests: `testimonials.2.up`. */
export type RowChange = { list: ListName; row: number; verb: 'up' | 'down' | 'remove' };

export function parseRowChange(intent: string | undefined): RowChange | null {
  const [list, row, verb] = intent?.split('.') ?? [];
  const isKnown = LIST_NAMES.some((name) => name === list) && /^(?:up|down|remove)$/.test(verb ?? '');
  return isKnown ? { list: list as ListName, row: Number(row), verb: verb as RowChange['verb'] } : null;
}

/** The values after a row has moved or was removed; the other fields stay. */
export function changeRows(values: FormValues, { list, row, verb }: RowChange): FormValues {
  const rows = readRows(list, values);
  return { ...values, ...writeRows(list, CHANGES[verb](rows, row)) };
}

const CHANGES: Record<RowChange['verb'], (rows: ListRow[], at: number) => ListRow[]> = {
  up: (rows, at) => swapped(rows, at, at - 1),
  down: (rows, at) => swapped(rows, at, at + 1),
  remove: (rows, at) => rows.filter((_, i) => i !== at),
};

function swapped(rows: ListRow[], one: number, other: number): ListRow[] {
  const [a, b] = [rows[one], rows[other]];
  if (!a || !b) return rows;
  return rows.map((row, i) => (i === one ? b : i === other ? a : row));
}

function donationValues({ goalMinor, goalTitle, showsWall, thankYouText }: DonationSettings): FormValues {
  return {
    donationGoal: goalMinor === null ? '' : toDecimal(goalMinor),
    donationGoalTitle: goalTitle,
    showsWall: showsWall ? 'on' : 'false',
    thankYouText,
  };
}
