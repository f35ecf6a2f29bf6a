import { and, eq, getTableName, sql } from 'drizzle-orm';
import { backupImportIds } from '~/db/schema/creator-backup';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import type { Ctx } from '../../runtime/ctx';
import { type ExportedTable, OWNER, PEOPLE } from './exported-table';
import { rowsOf } from './imported-rows';
import type { OpenCreatorBackup } from './open-backup';
import type { IdMap } from './rules';
import { EXPORTED_TABLES } from './tables';

const USERS = 'users';
export const isPerson = ({ name }: Pick<ExportedTable, 'name'>) => name === OWNER || name === PEOPLE;
/** Whether the rows of a table have a generated number. UUIDs stay. */
export const hasNumber = ({ columns, identity }: ExportedTable) => columns.includes('id') && !identity;

/**
 * Decides the ids of a backup's rows: a row keeps its id if the id is free, and otherwise gets a new one. People get
 * the account with their address, if it exists. The decision is stored, so that a killed import continues with it.
 */
export async function assignIds(ctx: Ctx, backup: OpenCreatorBackup): Promise<void> {
  const backupId = backup.manifest.archive;
  // a person may have signed up since a killed attempt
  const people = and(eq(backupImportIds.backupId, backupId), eq(backupImportIds.table, USERS));
  await ctx.db.delete(backupImportIds).where(people);
  const numbered = EXPORTED_TABLES.filter(hasNumber);
  for (const table of new Set(numbered.map(({ table }) => getTableName(table)))) {
    const rows: Numbered[] = [];
    for (const exported of numbered.filter((each) => getTableName(each.table) === table))
      for await (const { id, email } of rowsOf(backup, exported))
        rows.push({ id: Number(id), email: table === USERS ? String(email).toLowerCase() : null });
    await raiseSequence(ctx, table, rows);
    for (let at = 0; at < rows.length; at += CREATOR_BACKUP_LIMITS.rows)
      await assignBatch(ctx, { backupId, table, rows: rows.slice(at, at + CREATOR_BACKUP_LIMITS.rows) });
  }
}

type Numbered = { id: number; email: string | null };

/** Must run before an id is kept: otherwise a new row could get the same id. */
async function raiseSequence(ctx: Ctx, table: string, rows: Numbered[]): Promise<void> {
  const kept = rows.reduce((most, { id }) => (id <= CREATOR_BACKUP_LIMITS.highestId ? Math.max(most, id) : most), 0);
  if (kept === 0) return;
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`;
  await ctx.db.execute(sql`
    select setval(${sequence}::regclass, greatest(${kept}::bigint, nextval(${sequence}::regclass)))`);
}

type Batch = { backupId: string; table: string; rows: Numbered[] };

async function assignBatch(ctx: Ctx, { backupId, table, rows }: Batch): Promise<void> {
  const name = sql.identifier(table);
  const known = table === USERS ? sql`(select u.id from users u where u.email = old.email)` : sql`null::bigint`;
  await ctx.db.execute(sql`
    insert into archive_import_ids (archive_id, "table", old_id, new_id)
    select ${backupId}::uuid, ${table}, old.id, coalesce(${known}, case
      when old.id between 1 and ${CREATOR_BACKUP_LIMITS.highestId} and not exists (select from ${name} t where t.id = old.id)
      then old.id else nextval(pg_get_serial_sequence(${table}, 'id')::regclass) end)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as old (id bigint, email text)
    on conflict do nothing`);
}

/** The ids that `assignIds` has decided. */
export async function readIds(ctx: Pick<Ctx, 'db'>, { manifest }: OpenCreatorBackup, ownerId: number): Promise<IdMap> {
  const maps = new Map<string, Map<number, number>>();
  const rows = await ctx.db
    .select({ table: backupImportIds.table, oldId: backupImportIds.oldId, newId: backupImportIds.newId })
    .from(backupImportIds)
    .where(eq(backupImportIds.backupId, manifest.archive));
  for (const { table, oldId, newId } of rows) {
    const map = maps.get(table) ?? new Map<number, number>();
    maps.set(table, map.set(oldId, newId));
  }
  const of = (table: string, old: number) => maps.get(table)?.get(old);
  return {
    of,
    creator: (old) => of('creators', old),
    episode: (old) => of('episodes', old),
    owner: of(USERS, ownerId)!,
  };
}
