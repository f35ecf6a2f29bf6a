import { buffer } from 'node:stream/consumers';
import { createDb } from '~/db/client';
import { LAST_BACKUP } from '~/db/schema/operations';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { listSequences, listTables, type Sql } from '~/server/backup/table-catalog';
import { listAll } from '~/server/backup/target';

type Installation = { url: string; storage: ObjectStore };
type Comparison = { tables: number; rows: number; objects: number; differences: string[] };

/** Compares every row of every table, every sequence, and the bytes of every object. */
export async function compareInstallations(one: Installation, other: Installation): Promise<Comparison> {
  const [left, right] = await Promise.all([contentOf(one), contentOf(other)]);
  const differences = [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const [a, b] = [left.get(name), right.get(name)];
    if (!a || !b) return [`${name} is only in ${a ? 'one' : 'the other'}`];
    return a.length === b.length && a.every((row, i) => row === b[i]) ? [] : [`${name}: ${a.length} and ${b.length}`];
  });
  const names = [...left.keys()];
  const tables = names.filter((name) => name.startsWith('table '));
  return {
    tables: tables.length,
    rows: tables.reduce((sum, name) => sum + left.get(name)!.length, 0),
    objects: names.filter((name) => name.startsWith('object ')).length,
    differences,
  };
}

async function contentOf({ url, storage }: Installation): Promise<Map<string, string[]>> {
  const { client, close } = createDb(url, { max: 1 });
  const found = await rowsOf(client).finally(close);
  for await (const { key } of listAll(storage, ''))
    found.set(`object ${key}`, [(await buffer(await storage.read(key))).toString('base64')]);
  return found;
}

async function rowsOf(sql: Sql): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { schema, name } of await listTables(sql)) {
    const rows = await sql`select to_jsonb(t)::text as row from ${sql(schema)}.${sql(name)} t order by 1`;
    found.set(
      `table ${schema}.${name}`,
      // a backup never has its own record
      rows.map(({ row }) => row).filter((row) => !row.includes(`"name": "${LAST_BACKUP}"`)),
    );
  }
  for (const { schema, name } of await listSequences(sql)) {
    const [row] = await sql`select last_value, is_called from ${sql(schema)}.${sql(name)}`;
    found.set(`sequence ${schema}.${name}`, [`${row?.last_value} ${row?.is_called}`]);
  }
  return found;
}
