import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from '~/db/schema';
import { columnsOf } from '~/server/domain/creator-backup/backup-contents';
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from '~/server/domain/creator-backup/tables';

const tables = Object.values(schema).filter((each) => is(each, PgTable)) as PgTable[];
const names = (list: PgTable[]) => [...new Set(list.map(getTableName))].sort();

test('every table is in the archive, or left out for a reason', () => {
  const archived = names(EXPORTED_TABLES.map(({ table }) => table));
  const leftOut = Object.keys(LEFT_OUT_TABLES);

  expect(archived.filter((name) => leftOut.includes(name))).toEqual([]);
  expect([...archived, ...leftOut].sort()).toEqual(names(tables));
  expect(Object.values(LEFT_OUT_TABLES).filter((reason) => reason === '')).toEqual([]);
});

test.each(EXPORTED_TABLES.map((archived) => [archived.name, archived] as const))(
  'every column of %s is in the archive, or left out for a reason',
  (_, archived) => {
    const { columns } = getTableConfig(archived.table);
    const known = [...columnsOf(archived), ...Object.keys(archived.leftOut ?? {})];

    expect([...known].sort()).toEqual(columns.map(({ name }) => name).sort());
  },
);

test('a table has rows of earlier tables only', () => {
  const earlier = new Set<string>();
  const found = EXPORTED_TABLES.flatMap(({ name, refs = {} }) => {
    const unknown = Object.values(refs).filter((target) => !earlier.has(target));
    earlier.add(name);
    return unknown.map((target) => `${name} → ${target}`);
  });

  expect(found).toEqual([]);
});

test('every foreign key to an archived table is followed', () => {
  const archived = new Set(names(EXPORTED_TABLES.map(({ table }) => table)));
  const missing = EXPORTED_TABLES.flatMap(({ name, table, refs = {}, columns, leftOut = {} }) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { columns: own, foreignTable } = key.reference();
      const column = own[0]!.name;
      // a UUID is the same in every installation
      const isFollowed =
        column in refs || column in leftOut || (columns.includes(column) && own[0]!.dataType === 'string');
      return archived.has(getTableName(foreignTable)) && !isFollowed ? [`${name}.${column}`] : [];
    }),
  );

  expect(missing).toEqual([]);
});

test('no column that holds a secret is in the archive', () => {
  const secret = /hash|token|sealed|secret|password|card/;
  const found = EXPORTED_TABLES.flatMap((archived) =>
    columnsOf(archived)
      .filter((column) => secret.test(column))
      .map((column) => `${archived.name}.${column}`),
  );

  expect(found).toEqual([]);
});
