import { contactImports } from '~/db/schema/contact-imports';
import { CONTACT_COLUMNS, type ContactColumns, type ListHost, type ListKind } from '~/db/values/contact-imports';
import type { CsvRow } from '../../base/split-csv';
import type { TextEncoding } from '../../base/text-encoding';
import { utcDay } from '../../base/time';
import { type DateOrder, orderOf, readWrittenDate } from '../../base/written-dates';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { currentCreator, requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { importContacts } from '../../queue/jobs/audience';
import { type Ctx, transact, violates } from '../../runtime/ctx';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { recordActivity } from '../team/activity';
import { findContactColumns, guessListHost, guessListKind } from './contact-columns';
import { alreadyImportingContacts, consentDateAhead, contactFileNoAddresses } from './errors';
import { openContactFile } from './open-contact-file';
import { contactReader, type ReadLine } from './read-contacts';
import type { ImportContacts, PreviewContacts } from './schema';

/** What a file contains, before anything of it is stored. `first`: its first rows, as they would be imported. */
export type ContactsPreview = {
  fileName: string;
  encoding: TextEncoding;
  host: ListHost;
  kind: ListKind;
  names: string[];
  columns: ContactColumns;
  order: DateOrder;
  /** The UTC day, after which nobody can have agreed yet. */
  today: string;
  /** A date that can be read in two ways, if no other one tells the order. */
  unclear: string | null;
  first: ReadLine[];
};

/**
 * Reads the first rows of an uploaded file. It stays unused, so that the creator can correct what was found out.
 * @throws upload.*, contact_import.file_missing, contact_import.not_csv
 */
export async function previewContacts(ctx: Ctx, input: PreviewContacts): Promise<ContactsPreview> {
  authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const { key, fileName } = await findUsableUpload(ctx, { key: input.contactsKey, purpose: 'contacts' });
  const file = { uploadKey: key, encodingBytes: CONTACT_IMPORT_LIMITS.encodingBytes };
  return openContactFile(ctx, file, async ({ encoding, names, parts }) => {
    const rows = await firstRows(parts);
    const today = utcDay(ctx.now());
    return { fileName, encoding, names, today, ...interpret(names, rows, { ...input, today }) };
  });
}

async function firstRows(parts: AsyncGenerator<CsvRow[], void>): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const part of parts) {
    rows.push(...part);
    if (rows.length >= CONTACT_IMPORT_LIMITS.sample) break;
  }
  return rows.slice(0, CONTACT_IMPORT_LIMITS.sample);
}

/** What the creator has chosen counts; all else is found out. */
function interpret(names: string[], rows: CsvRow[], chosen: PreviewContacts & { today: string }) {
  const host = chosen.host ?? guessListHost(names);
  const kind = chosen.kind ?? guessListKind(names);
  const found = findContactColumns(names, host);
  const placeOf = (column: keyof ContactColumns) => {
    const place = chosen[column];
    return place === undefined || (place !== null && place >= names.length) ? found[column] : place;
  };
  const columns = Object.fromEntries(CONTACT_COLUMNS.map((column) => [column, placeOf(column)])) as ContactColumns;
  const { since } = columns;
  const dates = since === null ? [] : rows.map(({ cells }) => readWrittenDate(cells[since] ?? ''));
  const known = orderOf(dates);
  const order = chosen.order ?? known ?? 'dmy';
  const twoWays = dates.findIndex((date) => date?.kind === 'either' && date.first !== date.second);
  const unclear = known === null && since !== null ? (rows[twoWays]?.cells[since] ?? null) : null;
  const read = contactReader({ kind, columns, order, today: chosen.today, names });
  return { host, kind, columns, order, unclear, first: rows.slice(0, CONTACT_IMPORT_LIMITS.shown).map(read) };
}

/**
 * Starts the import of a file with the creator's declaration of consent. A creator has one import at a time: of two
 * concurrent requests, the unique index lets one through.
 * @throws as previewContacts, contact_import.no_addresses, contact_import.consent_ahead, contact_import.already_importing
 */
export async function requestContactImport(ctx: Ctx, input: ImportContacts): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const { userId } = requireUser(ctx);
  const today = utcDay(ctx.now());
  // without a day, the list brings no contacts who could have agreed
  const { consentedOn = today } = input;
  if (consentedOn > today) throw consentDateAhead();
  const { host, kind, columns, order, names } = await previewContacts(ctx, input);
  if (columns.email === null) throw contactFileNoAddresses();
  const upload = await findUsableUpload(ctx, { key: input.contactsKey, purpose: 'contacts' });
  const consent = ctx.translate('content:contacts.declared', { source: input.consentSource });
  const { key: fileKey, fileName } = upload;
  const times = { createdAt: ctx.now(), updatedAt: ctx.now() };
  const file = { fileKey, fileName, host, kind, mapping: { columns, order, names } };
  return transact(ctx, async (tx) => {
    await consumeUpload(tx, upload);
    const [row] = await tx.db
      .insert(contactImports)
      .values({
        ...{ creatorId, userId, ...file, consent, consentedOn, language: ctx.language },
        ...{ status: 'reading', ...times },
      })
      .returning({ id: contactImports.id });
    await recordActivity(tx, { creatorId, action: 'contacts.imported', params: { name: fileName } });
    await tx.jobs.enqueue(importContacts, { importId: row!.id });
    return { id: row!.id };
  }).catch((error) => {
    throw violates(error, 'contact_imports_one_at_a_time') ? alreadyImportingContacts() : error;
  });
}
