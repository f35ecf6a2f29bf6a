import { CONTACT_COLUMNS } from '~/db/values/contact-imports';

/** What the page of a file knows about it from its address: the upload, and what the creator has corrected. */
const PARAMS = ['host', 'kind', 'order', ...CONTACT_COLUMNS] as const;
export type ImportQuery = { contactsKey: string } & Partial<Record<(typeof PARAMS)[number], string>>;

/** Null before a file was sent. */
export function importQuery(search: URLSearchParams): ImportQuery | null {
  const contactsKey = search.get('file')?.trim();
  if (contactsKey === undefined) return null;
  const known = PARAMS.flatMap((name) => {
    const value = search.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return { contactsKey, ...Object.fromEntries(known) };
}
