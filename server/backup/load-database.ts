import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { openPool } from '~/db/driver/pool';
import { runMigrations, withCreationLock } from '~/db/migrate';
import { MIGRATIONS } from '../runtime/open-runtime';
import { BackupError } from './backup-error';
import type { DumpedTable, Manifest } from './manifest';
import { unpackedPart } from './parts';
import { prepareSchema } from './prepare-schema';
import { listTables, SCHEMAS, type Sql } from './table-catalog';
import type { Target } from './target';

type Tx = postgres.TransactionSql;
type Load = { target: Target; manifest: Manifest; report(text: string): void };

/** Replaces the whole database in one transaction, so a failure leaves it as it was. Then migrates it. */
export async function loadDatabase(url: string, load: Load): Promise<void> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  const onWait = () => load.report('Waiting for a process that is migrating the database …');
  try {
    await withCreationLock(url, {
      onWait,
      create: async () => {
        await client.begin(async (tx) => {
          await tx`set local statement_timeout = 0`;
          await tx`set local idle_in_transaction_session_timeout = 0`;
          await replaceEverything(tx, load);
        });
        await runMigrations(url, MIGRATIONS);
      },
    });
    await client`analyze`;
  } finally {
    await close();
  }
}

/** Whether the database has no accounts: the installation was never used. */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  return withClient(url, async (sql) => {
    const [found] = await sql`select to_regclass('public.users') is not null as created`;
    if (!found?.created) return true;
    const [row] = await sql`select exists (select from public.users) as used`;
    return row?.used !== true;
  });
}

/** @throws BackupError while a web process or a worker is connected */
export async function assertNoProcessConnected(url: string): Promise<void> {
  const [row] = await withClient(
    url,
    (sql) => sql`
      select count(*)::int as connected from pg_stat_activity
      where datname = current_database() and application_name like 'altavoz-%' and pid <> pg_backend_pid()`,
  );
  if (row?.connected > 0) throw new BackupError('Altavoz is running. Stop every web process and worker first.');
}

async function withClient<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  return use(client).finally(close);
}

async function replaceEverything(tx: Tx, { target, manifest, report }: Load): Promise<void> {
  await prepareSchema(tx, manifest, MIGRATIONS);
  const foreignKeys = await dropForeignKeys(tx);
  const tables = (await listTables(tx)).map(({ schema, name }) => tx`${tx(schema)}.${tx(name)}`);
  // the backup contains the rows that triggers would write
  for (const table of tables) await tx`alter table ${table} disable trigger user`;
  // migrations have inserted rows that the backup also contains; truncating takes ten times as long
  for (const table of tables) await tx`delete from ${table}`;
  for (const table of manifest.tables) await loadTable(tx, target, table);
  report(`Loaded ${manifest.tables.length} tables.`);
  for (const { schema, name, value, isCalled } of manifest.sequences)
    await tx`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${value}::bigint, ${isCalled})`;
  for (const table of tables) await tx`alter table ${table} enable trigger user`;
  // adding a foreign key checks every row
  for (const statement of foreignKeys) await tx.unsafe(statement);
}

/** Rows arrive table by table, so foreign keys would fail. @returns the statements that add them again */
async function dropForeignKeys(tx: Tx): Promise<string[]> {
  const keys = await tx<{ dropping: string; adding: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropping,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as adding
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
    where contype = 'f' and conparentid = 0 and n.nspname in ${tx(SCHEMAS)} order by k.oid`;
  for (const { dropping } of keys) await tx.unsafe(dropping);
  return keys.map(({ adding }) => adding);
}

async function loadTable(tx: Tx, target: Target, { schema, name, columns, file, rows }: DumpedTable): Promise<void> {
  if (rows === 0) return;
  const into = await tx`copy ${tx(schema)}.${tx(name)} (${tx(columns)}) from stdin`.writable();
  await pipeline(await unpackedPart(target, file), into);
}
