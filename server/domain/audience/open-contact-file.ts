import { isKnownBinary } from '../../base/file-signatures';
import { BadCsv, readCsvRows } from '../../base/read-csv';
import type { CsvRow } from '../../base/split-csv';
import { detectEncoding, type TextEncoding, toUtf8 } from '../../base/text-encoding';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import type { Ctx } from '../../runtime/ctx';
import { incomingKey } from '../media/rules';
import { contactFileMissing, contactFileNotCsv } from './errors';

/** `parts`: the rows after the first one, which has the names. */
export type OpenContactFile = { encoding: TextEncoding; names: string[]; parts: AsyncGenerator<CsvRow[], void> };

/**
 * Opens an uploaded file, which is closed at the end. `encodingBytes`: after which its encoding is taken for known.
 * @throws contact_import.file_missing, contact_import.not_csv
 */
export async function openContactFile<T>(
  { ports }: Pick<Ctx, 'ports'>,
  { uploadKey, encodingBytes }: { uploadKey: string; encodingBytes?: number },
  read: (file: OpenContactFile) => Promise<T>,
): Promise<T> {
  const key = incomingKey(uploadKey);
  if (!(await ports.storage.head(key))) throw contactFileMissing();
  if (await isKnownBinary(await ports.storage.read(key))) throw contactFileNotCsv();
  const encoding = await detectEncoding(await ports.storage.read(key), encodingBytes);
  const parts = readCsvRows(toUtf8(await ports.storage.read(key), encoding), CONTACT_IMPORT_LIMITS);
  try {
    const { value: first } = await parts.next();
    if (!first) throw contactFileNotCsv();
    const [head, ...rest] = first;
    async function* rows() {
      yield rest;
      yield* parts;
    }
    return await read({ encoding, names: head!.cells, parts: rows() });
  } catch (error) {
    throw error instanceof BadCsv ? contactFileNotCsv() : error;
  } finally {
    await parts.return();
  }
}
