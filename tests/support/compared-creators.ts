import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { getTableName, sql } from 'drizzle-orm';
import { selectRows } from '~/server/domain/creator-backup/backup-contents';
import type { ExportedTable } from '~/server/domain/creator-backup/exported-table';
import { EXPORTED_TABLES } from '~/server/domain/creator-backup/tables';
import type { Runtime } from '~/server/runtime/runtime';

type ComparedRow = Record<string, unknown>;
type Side = { runtime: Pick<Runtime, 'db' | 'ports'>; creatorId: number };
export type Comparison = { table: string; before: number; after: number; differences: string[] };

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/**
 * Compares a creator in two installations: tables, columns and files. Ids differ, so the content of a row and of the
 * rows that it refers to identifies it, and the content of its object identifies a key.
 */
export async function compareCreators(one: Side, other: Side): Promise<Comparison[]> {
  const [before, after] = [await contentOf(one), await contentOf(other)];
  return [...before.keys()].map((table) => {
    const [left, right] = [before.get(table)!, after.get(table)!];
    const differences = [
      ...missing(left, right).map((row) => `− ${row}`),
      ...missing(right, left).map((row) => `+ ${row}`),
    ];
    return { table, before: left.length, after: right.length, differences };
  });
}

/** The rows that `others` lacks, counting repetitions. */
function missing(rows: string[], others: string[]): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

async function contentOf(side: Side): Promise<Map<string, string[]>> {
  const known = new Map<string, string>();
  const found = new Map<string, string[]>();
  for (const archived of EXPORTED_TABLES) {
    const rows = await rowsOf(side, archived);
    const texts: string[] = [];
    for (const row of rows) {
      const text = JSON.stringify(await withoutIds(side, archived, { row, known }));
      if (typeof row.id === 'number') known.set(`${getTableName(archived.table)} ${row.id}`, hashOf(text));
      texts.push(text);
    }
    found.set(archived.name, texts);
  }
  return found;
}

async function rowsOf({ runtime, creatorId }: Side, archived: ExportedTable): Promise<ComparedRow[]> {
  return runtime.db.transaction(async (tx) => {
    await tx.execute(sql`set local time zone 'UTC'`);
    const rows = await tx.execute<{ row: ComparedRow }>(
      sql`select to_jsonb(r) as row from (${selectRows(archived, creatorId)}) r`,
    );
    return rows.map(({ row }) => row);
  });
}

type Reading = { row: ComparedRow; known: Map<string, string> };

async function withoutIds(side: Side, archived: ExportedTable, { row, known }: Reading): Promise<ComparedRow> {
  const plain: ComparedRow = { ...row };
  if (typeof row.id === 'number') delete plain.id;
  for (const [column, target] of Object.entries(archived.refs ?? {})) {
    const table = getTableName(EXPORTED_TABLES.find(({ name }) => name === target)!.table);
    plain[column] = row[column] === null ? null : (known.get(`${table} ${row[column]}`) ?? 'unknown');
  }
  for (const column of archived.keys ?? []) plain[column] = await withContents(side, row[column]);
  return plain;
}

/** Replaces keys by the checksums of their objects. The key of a picture is the key of its folder. */
async function withContents(side: Side, value: unknown): Promise<unknown> {
  if (typeof value === 'string' && /^(?:audio|images)\//.test(value)) {
    const { storage } = side.runtime.ports;
    const key = value.startsWith('images/') ? `${value}/full.jpg` : value;
    if (!(await storage.head(key))) return 'no object';
    return createHash('sha256')
      .update(await buffer(await storage.read(key)))
      .digest('hex');
  }
  if (Array.isArray(value)) return Promise.all(value.map((each) => withContents(side, each)));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await withContents(side, part)]);
  return Object.fromEntries(await Promise.all(parts));
}
