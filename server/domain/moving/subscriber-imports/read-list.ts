import { subscriberImportLines } from '~/db/schema/moving';
import type { SubscriberFormat } from '~/db/values/subscriber-imports';
import { BadCsv, readCsv } from '../../../base/read-csv';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { removeObjects } from '../../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { incomingKey } from '../../media/rules';
import { type Header, readHeader, readLine } from './columns';
import { emptyList, listMissing, noAddresses, notCsv, tooManyLines } from './errors';
import type { SubscriberLine } from './kinds';
import { hashOldFeed, sealOldFeed } from './old-addresses';
import { continueImport, type ImportRow } from './steps';

/** `first`: the first row with a person; `rows`: the rows after it. */
type OpenList = { header: Header; format: SubscriberFormat; first: string[]; rows: AsyncGenerator<string[]> };

/**
 * Opens an uploaded list and reads its columns. It closes the file at the end.
 * @throws subscriber_import.file_missing, subscriber_import.not_csv, subscriber_import.no_addresses,
 * subscriber_import.empty
 */
export async function readList<T>(
  ctx: Pick<Ctx, 'ports'>,
  uploadKey: string,
  read: (list: OpenList) => Promise<T>,
): Promise<T> {
  const key = incomingKey(uploadKey);
  if (!(await ctx.ports.storage.head(key))) throw listMissing();
  const rows = readCsv(await ctx.ports.storage.read(key), SUBSCRIBER_IMPORT_LIMITS);
  try {
    const names = await nextRow(rows);
    if (!names) throw emptyList();
    const found = readHeader(names);
    if (!found) throw noAddresses();
    const first = await nextRow(rows);
    if (!first) throw emptyList();
    return await read({ ...found, first, rows });
  } finally {
    await rows.return(undefined);
  }
}

async function nextRow(rows: AsyncGenerator<string[]>): Promise<string[] | null> {
  try {
    const { value, done } = await rows.next();
    return done ? null : value;
  } catch (error) {
    throw error instanceof BadCsv ? notCsv() : error;
  }
}

/**
 * Writes the lines of a list, and then enqueues their check. A killed job reads the file again and finds its lines.
 * @throws as readList, subscriber_import.too_many_lines
 */
export async function readLines(ctx: Ctx, row: ImportRow): Promise<void> {
  const lines = await readList(ctx, row.fileKey, (list) => writeLines(ctx, row.id, list));
  await transact(ctx, async (tx) => {
    if (await continueImport(tx, row, { status: 'checking', lines })) await dropFile(tx, row);
  });
}

/** @returns their number */
async function writeLines(ctx: Ctx, importId: number, { header, first, rows }: OpenList): Promise<number> {
  const { batch, lines: limit } = SUBSCRIBER_IMPORT_LIMITS;
  let line = 0;
  let waiting: NewLine[] = [];
  for (let cells: string[] | null = first; cells; cells = await nextRow(rows)) {
    line += 1;
    if (line > limit) throw tooManyLines({ max: limit });
    waiting.push(toRow(ctx, { importId, line, read: readLine(cells, header) }));
    if (waiting.length < batch) continue;
    await insertLines(ctx, waiting);
    waiting = [];
  }
  await insertLines(ctx, waiting);
  return line;
}

type NewLine = typeof subscriberImportLines.$inferInsert;
type Read = { importId: number; line: number; read: SubscriberLine };

function toRow(ctx: Ctx, { importId, line, read }: Read): NewLine {
  const { feedUrl, ...facts } = read;
  const hash = feedUrl === null ? null : hashOldFeed(feedUrl);
  const sealedFeed = feedUrl === null || !hash ? null : sealOldFeed(ctx, feedUrl);
  return { importId, line, ...facts, feedHash: hash, sealedFeed, state: 'read' };
}

async function insertLines({ db }: Ctx, lines: NewLine[]): Promise<void> {
  if (lines.length > 0) await db.insert(subscriberImportLines).values(lines).onConflictDoNothing();
}

/** Deletes the uploaded file, which is no longer needed. */
export async function dropFile(tx: TxCtx, { fileKey }: ImportRow): Promise<void> {
  await tx.jobs.enqueue(removeObjects, { keys: [incomingKey(fileKey)] });
}
