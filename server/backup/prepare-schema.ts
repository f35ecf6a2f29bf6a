import { readMigrationFiles } from 'drizzle-orm/migrator';
import PgBoss from 'pg-boss';
import type postgres from 'postgres';
import { BackupError } from './backup-error';
import type { Manifest } from './manifest';
import { MIGRATED_SCHEMAS, SCHEMAS } from './table-catalog';

type Tx = postgres.TransactionSql;

/**
 * @throws BackupError for a backup of a later version, whose tables have columns that this code does not know, and for
 * a backup from before the first migration (docs/decisions/0274)
 */
export function assertKnownVersion({ lastMigration, name, version }: Manifest, folder: string): void {
  const own = readMigrationFiles({ migrationsFolder: folder });
  if (lastMigration > own.at(-1)!.folderMillis)
    throw new BackupError(`${name} was made by a later version (${version}). Install that one, or an even later one.`);
  if (lastMigration < own[0]!.folderMillis)
    throw new BackupError(
      `${name} was made by an older version (${version}) than this one can read. Restore it with a release of November 2026, and then install this one.`,
    );
}

/** Empties the database and creates the tables that the backup had, even of an older version. */
export async function prepareSchema(tx: Tx, manifest: Manifest, folder: string): Promise<void> {
  await dropEverything(tx);
  await tx.unsafe(`
    create schema if not exists drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);`);
  for (const { sql, folderMillis } of readMigrationFiles({ migrationsFolder: folder })) {
    if (folderMillis > manifest.lastMigration) break;
    for (const statement of sql) await tx.unsafe(statement);
  }
  await createQueueTables(tx, manifest);
  await createPartitions(tx, manifest);
  for (const statement of manifest.statements) await tx.unsafe(statement);
}

/** Objects of an extension stay. */
async function dropEverything(tx: Tx): Promise<void> {
  for (const schema of SCHEMAS.filter((name) => name !== 'public'))
    await tx`drop schema if exists ${tx(schema)} cascade`;
  const rows = await tx<{ statement: string }[]>`
    select statement from (
      select 1 as step, format('drop table if exists public.%I cascade', relname) as statement
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')
      union all
      select 2, format('drop routine if exists %s cascade', oid::regprocedure)
        from pg_proc where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
      union all
      select 3, format('drop type if exists public.%I cascade', typname)
        from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
          and not exists (select from pg_depend d where d.objid = pg_type.oid and d.deptype = 'e')
    ) s order by step`;
  for (const { statement } of rows) await tx.unsafe(statement);
}

/** pg-boss's plan is a transaction of its own; here it becomes a part of ours. */
async function createQueueTables(tx: Tx, { tables, name }: Manifest): Promise<void> {
  // a function's own BEGIN has no semicolon
  const plan = PgBoss.getConstructionPlans().replace(/\b(?:BEGIN|COMMIT);|SET LOCAL [^;]+;/g, '');
  await tx.unsafe(plan);
  const queues = tables.flatMap(({ schema, partition }) =>
    schema === 'pgboss' && partition ? [/IN \('(.*)'\)$/.exec(partition.bound)?.[1]?.replaceAll("''", "'")] : [],
  );
  if (queues.includes(undefined)) throw new BackupError(`The job queues of ${name} have an unknown form.`);
  for (const queue of queues as string[]) await tx`select pgboss.create_queue(${queue}, '{}'::json)`;
}

/** Creates the partitions of months that no migration creates. */
async function createPartitions(tx: Tx, { tables }: Manifest): Promise<void> {
  for (const { schema, name, partition } of tables) {
    if (!partition || schema === 'pgboss' || !MIGRATED_SCHEMAS.includes(schema)) continue;
    const bound = tx.unsafe(partition.bound);
    await tx`create table if not exists ${tx(schema)}.${tx(partition.name)} partition of ${tx(schema)}.${tx(name)} ${bound}`;
  }
}
