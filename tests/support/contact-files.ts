import { readCsvRows } from '~/server/base/read-csv';
import { detectEncoding, toUtf8 } from '~/server/base/text-encoding';
import { findContactColumns, guessListHost, guessListKind } from '~/server/domain/audience/contact-columns';
import { contactReader, type ReadLine } from '~/server/domain/audience/read-contacts';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a file of contacts as an import does, with the columns that are recognised. */
export async function readContactFile(file: string | Buffer, size = 7): Promise<ReadLine[]> {
  const bytes = Buffer.from(file as string);
  const encoding = await detectEncoding(inParts(bytes, size));
  const rows = [];
  for await (const part of readCsvRows(toUtf8(inParts(bytes, size), encoding), CONTACT_IMPORT_LIMITS))
    rows.push(...part);
  const names = rows.shift()?.cells ?? [];
  const host = guessListHost(names);
  const columns = findContactColumns(names, host);
  const reading = { kind: guessListKind(names), columns, order: 'dmy', today: '2026-11-27', names } as const;
  return rows.map(contactReader(reading));
}
