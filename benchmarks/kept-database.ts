import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '~/db/embedded';
import { runMigrations } from '~/db/migrate';

/** The memory that a server with large tables would get. */
const SHARED_BUFFERS = '1GB';

type Kept = {
  /** Absolute path. The database stays there for the next run, because filling it takes minutes. */
  dir: string;
  name: string;
  fill(sql: postgres.Sql): Promise<void>;
};

/** A migrated database that is filled once, by SQL without triggers, because the rooms would take days. */
export async function openKeptDatabase({ dir, name: prefix, fill }: Kept) {
  // another schema needs another database
  const name = `${prefix}_${(await readdir('db/migrations')).length}`;
  let server = await startLarge(dir, name);
  const databaseUrl = server.urlFor(name);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, idle_timeout: 0 });
  const [found] = await sql`select obj_description(to_regnamespace('public')) = 'filled' as is_filled`;
  if (!found?.is_filled) {
    await sql`drop schema if exists drizzle cascade`;
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    await runMigrations(databaseUrl, path.resolve('db/migrations'));
    await sql.unsafe('set session_replication_role = replica');
    await sql.unsafe("set maintenance_work_mem = '1GB'; set work_mem = '64MB'; set synchronous_commit = off");
    await fill(sql);
    await sql.unsafe('set session_replication_role = origin');
    await sql`comment on schema public is 'filled'`;
  }
  const dataDir = path.join(dir, randomBytes(4).toString('hex'));
  await mkdir(dataDir, { recursive: true });
  return {
    sql,
    databaseUrl,
    dataDir,
    /** Empties Postgres' own memory; the operating system keeps the files in its own. */
    async restart() {
      await server.stop({ force: true });
      server = await startLarge(dir, name);
    },
    async close() {
      await sql.end();
      await server.stop();
    },
  };
}

async function startLarge(dir: string, database: string) {
  const options = { dir: path.join(dir, 'postgres'), database };
  const server = await startEmbedded(options);
  const sql = postgres(server.urlFor(database), { max: 1 });
  const [row] = await sql`select current_setting('shared_buffers') as size`;
  const isLarge = row?.size === SHARED_BUFFERS;
  if (!isLarge) await sql.unsafe(`alter system set shared_buffers = '${SHARED_BUFFERS}'`);
  await sql.end();
  if (isLarge) return server;
  await server.stop({ force: true });
  return startEmbedded(options);
}
