import { getTableName } from 'drizzle-orm';
import { isSlug } from '../../base/addresses';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import type { Ctx } from '../../runtime/ctx';
import { newGiftToken } from '../billing/base/gift-links';
import { safeHtml } from '../episodes/description-html';
import { dataFile } from './backup-contents';
import { badBackup, damagedEntry, unsafeValue } from './errors';
import { type ExportedTable, PEOPLE } from './exported-table';
import { type OpenCreatorBackup, parseJson } from './open-backup';
import { type IdMap, isColor, isList, isScript, mapTexts, newKey } from './rules';
import { EXPORTED_TABLES } from './tables';

export type ImportedRow = Record<string, unknown>;

/** The rows of a table in a backup, one per line. @throws archive.bad */
export async function* rowsOf(
  backup: OpenCreatorBackup,
  table: Pick<ExportedTable, 'name' | 'isLater'>,
): AsyncGenerator<ImportedRow, void> {
  const name = dataFile(table.name);
  if (!backup.manifest.entries.some((entry) => entry.name === name)) {
    if (table.isLater) return;
    throw damagedEntry({ name });
  }
  for await (const line of linesOf(backup.content(name), name)) {
    if (line === '[' || line === ']' || line === '[]' || line === '') continue;
    const row = parseJson(line.endsWith(',') ? line.slice(0, -1) : line);
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw badBackup({ reason: `${name}: ${line.slice(0, 50)}` });
    yield row as ImportedRow;
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString();
      pieces = [];
      bytes = 0;
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > CREATOR_BACKUP_LIMITS.rowBytes) throw badBackup({ reason: `${name} has a row that is too long` });
  }
  yield Buffer.concat(pieces).toString();
}

const TABLE_OF = new Map(EXPORTED_TABLES.map(({ name, table }) => [name, getTableName(table)]));

/** Turns a row of another installation into a row of this one. @throws archive.damaged, archive.unsafe_value */
export async function newRow(exported: ExportedTable, row: ImportedRow, ids: IdMap): Promise<ImportedRow> {
  const name = dataFile(exported.name);
  const changed: ImportedRow = {};
  const follow = (table: string, old: unknown) => {
    const id = typeof old === 'number' ? ids.of(table, old) : undefined;
    if (id === undefined) throw damagedEntry({ name });
    return id;
  };
  // an archive that is older than a column gets the column's default
  for (const column of exported.columns) if (row[column] !== undefined) changed[column] = row[column];
  if (typeof row.id === 'number') changed.id = follow(getTableName(exported.table), row.id);
  for (const [column, target] of Object.entries(exported.refs ?? {}))
    changed[column] = row[column] == null ? null : follow(TABLE_OF.get(target)!, row[column]);
  for (const column of exported.keys ?? [])
    if (row[column] !== undefined) changed[column] = newKeys(row[column], ids, { name, column });
  for (const column of exported.html ?? []) changed[column] = await safeHtml(String(row[column] ?? ''));
  const adapted = exported.adapt ? await exported.adapt(changed, ids) : changed;
  assertValues(exported, adapted);
  return adapted;
}

type Place = { name: string; column: string };

/** A key, or JSON whose `key` and `imageKey` are keys. */
function newKeys(value: unknown, ids: IdMap, place: Place): unknown {
  if (typeof value === 'string') {
    const key = newKey(value, ids);
    if (key === null) throw unsafeValue(place);
    return key;
  }
  if (Array.isArray(value)) return value.map((each) => newKeys(each, ids, place));
  if (typeof value !== 'object' || value === null) return value;
  const isKey = (name: string, part: unknown) => (name === 'key' || name === 'imageKey') && part !== null;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isKey(name, part) ? newKeys(part, ids, place) : part]),
  );
}

/** Checks the values that forms check and the database does not. @throws archive.unsafe_value */
function assertValues({ name, urls = [], colors = [], slugs = [], lists = {} }: ExportedTable, row: ImportedRow): void {
  const refuseColumn = (column: string): never => {
    throw unsafeValue({ name: dataFile(name), column });
  };
  for (const column of urls) mapTexts(row[column], (text) => (isScript(text) ? refuseColumn(column) : text));
  for (const column of colors) if (row[column] != null && !isColor(String(row[column]))) refuseColumn(column);
  for (const column of slugs) if (row[column] !== undefined && !isSlug(String(row[column]))) refuseColumn(column);
  for (const [column, most] of Object.entries(lists)) if (!isList(row[column] ?? [], most)) refuseColumn(column);
}

/** Required columns that backups do not contain. The creator's people have no password here, and may never set one. */
export function addedColumns(ctx: Pick<Ctx, 'vault' | 'now'>, { name }: ExportedTable, row: ImportedRow): ImportedRow {
  if (name === PEOPLE) return { signed_up_with: 'email', terms_accepted_at: ctx.now() };
  if (name !== 'gifts') return {};
  const { tokenHash, sealedToken } = newGiftToken(ctx, { checkoutId: String(row.checkout_id) });
  return { token_hash: tokenHash, sealed_token: sealedToken };
}
