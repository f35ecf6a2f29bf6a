import type postgres from 'postgres';
import { openPool } from '~/db/driver/pool';
import { withCreationLock } from '~/db/migrate';
import { BackupError } from './backup-error';
import { copiedRows } from './copied-rows';
import { type DumpedTable, folderOf, type Manifest } from './manifest';
import { writePart } from './parts';
import { copyReferences } from './references';
import { describeOtherTables, lastMigration, listSequences, listTables, type Sql, type Table } from './table-catalog';
import type { Target } from './target';

type Tx = postgres.TransactionSql;
type Dump = Pick<Manifest, 'tables' | 'sequences' | 'statements' | 'references' | 'lastMigration' | 'postgres'>;
type DumpOptions = { name: string; report: (text: string) => void };

/**
 * Copies every table in one snapshot, and then the keys of all files that the rows refer to. No migration runs
 * meanwhile: locks prevent other processes from changing the columns of the tables.
 */
export async function dumpDatabase(url: string, target: Target, { name, report }: DumpOptions): Promise<Dump> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  const onWait = () => report('Waiting for a process that is migrating the database …');
  try {
    const result = await client.begin(async (tx) => {
      await tx`set transaction isolation level repeatable read, read only`;
      await tx`set local statement_timeout = 0`;
      await tx`set local idle_in_transaction_session_timeout = 0`;
      const tables = await withCreationLock(url, { create: () => lockTables(tx), onWait });
      return { value: await dumpTables(tx, target, { tables, folder: folderOf(name), report }) };
    });
    return result.value as Dump;
  } finally {
    await close();
  }
}

async function lockTables(tx: Tx): Promise<Table[]> {
  const tables = await listTables(tx);
  for (const { schema, name } of tables) await tx`lock table ${tx(schema)}.${tx(name)} in access share mode`;
  return tables;
}

type Dumping = { tables: Table[]; folder: string; report: (text: string) => void };

async function dumpTables(tx: Tx, target: Target, { tables, folder, report }: Dumping): Promise<Dump> {
  const last = await lastMigration(tx);
  if (last === null) throw new BackupError('This database has no tables of Altavoz.');
  const [server] = await tx`select current_setting('server_version') as version`;
  const dumped: DumpedTable[] = [];
  for (const table of tables) dumped.push(await dumpTable(tx, target, { table, folder }));
  report(`Database: ${dumped.length} tables, ${dumped.reduce((sum, { rows }) => sum + rows, 0)} rows.`);
  const keys = copiedRows(copyReferences(tx, tables));
  return {
    tables: dumped,
    // after the rows: a sequence is never behind the rows of the snapshot
    sequences: await readSequences(tx),
    statements: await describeOtherTables(tx),
    references: await writePart(target, `${folder}references.gz`, keys),
    lastMigration: last,
    postgres: String(server?.version),
  };
}

type DumpingTable = { table: Table; folder: string };

async function dumpTable(tx: Tx, target: Target, { table, folder }: DumpingTable): Promise<DumpedTable> {
  const { schema, name, parent, bound, columns } = table;
  const from = tx`${tx(schema)}.${tx(name)}`;
  const [found] = await tx`select exists (select from ${from}) as filled`;
  const rows: AsyncIterable<Buffer> = found?.filled ? copiedRows(tx`copy ${from} (${tx(columns)}) to stdout`) : none();
  const part = await writePart(target, `${folder}database/${schema}.${name}.gz`, rows);
  const partition = parent === null ? null : { name, bound: bound ?? '' };
  return { ...part, schema, name: parent ?? name, columns, partition };
}

async function* none(): AsyncGenerator<never> {}

async function readSequences(tx: Sql): Promise<Manifest['sequences']> {
  const read: Manifest['sequences'] = [];
  for (const { schema, name } of await listSequences(tx)) {
    const [row] = await tx`select last_value::text as value, is_called from ${tx(schema)}.${tx(name)}`;
    read.push({ schema, name, value: String(row?.value), isCalled: row?.is_called === true });
  }
  return read;
}
