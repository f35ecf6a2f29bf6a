import { Readable } from 'node:stream';
import { eq, getTableName, inArray, sql } from 'drizzle-orm';
import { archiveImports } from '~/db/schema/archives';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import { announceChange, type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lookupUserByEmail } from '../accounts/base/queries';
import { countReceipts, isEntityTaken } from '../billing/base/receipt-numbers';
import { isDomainFree } from '../creators/queries';
import { domainFault } from '../creators/rules';
import { assertDiskSpace } from '../media/uploading';
import type { ArchivedTable } from './archived-table';
import { OWNER } from './archived-table';
import { badArchive, creatorHere, domainTaken, ownerHasPage, ownerUnverified, unsafeValue } from './errors';
import { addedColumns, newRow, type Row, rowsOf } from './imported-rows';
import { assignIds, hasNumber, isPerson, readIds } from './new-ids';
import { type IdMap, newKey } from './rules';
import { ARCHIVED_TABLES } from './tables';
import type { OpenArchive } from './verifying';

/** `domain`: another one than the archive's. */
export type ImportOptions = { domain?: string };
export type ImportResult = {
  creatorId: number;
  domain: string;
  owner: string;
  rows: Record<string, number>;
  files: number;
};

/**
 * Recreates a creator from a verified archive. First the ids are decided, then the files are copied, and at last all rows
 * are written in one transaction: an import that was killed continues, and nobody sees half a creator. Repeating a
 * finished one changes nothing. Run by the operator, who vouches for the archive, and alone (docs/decisions/0223).
 * @throws archive.creator_here, archive.domain_taken, archive.owner_has_page, archive.owner_unverified, archive.bad,
 * archive.damaged, archive.unsafe_value, upload.disk_full
 */
export async function importArchive(
  ctx: Ctx,
  archive: OpenArchive,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const archiveId = archive.manifest.archive;
  const [former] = await ctx.db.select().from(archiveImports).where(eq(archiveImports.archiveId, archiveId));
  if (former?.endedAt) throw creatorHere();
  const domain = options.domain ?? archive.manifest.creator.domain;
  const owner = await assertRoom(ctx, archive, domain);
  await ctx.db.insert(archiveImports).values({ archiveId, startedAt: ctx.now() }).onConflictDoNothing();
  await assignIds(ctx, archive);
  const ids = await readIds(ctx, archive, owner.id);
  const files = await copyFiles(ctx, archive, ids);
  const rows = await writeRows(ctx, archive, { ids, domain });
  return { creatorId: ids.creator(archive.manifest.creator.id)!, domain, owner: owner.email, rows, files };
}

/** Whether this installation has room for the creator, before anything is written. */
async function assertRoom(ctx: Ctx, archive: OpenArchive, domain: string): Promise<{ id: number; email: string }> {
  const owner = await onlyRow(archive, OWNER);
  const creator = await onlyRow(archive, 'creators');
  const email = String(owner.email).toLowerCase();
  if (creator.id !== archive.manifest.creator.id || creator.user_id !== owner.id)
    throw badArchive({ reason: 'its parts are of different creators' });
  const guids: string[] = [];
  for await (const { feed_guid } of rowsOf(archive, 'products')) guids.push(String(feed_guid));
  const isHere = guids.length > 0 && (await ctx.db.$count(products, inArray(products.feedGuid, guids))) > 0;
  if (isHere) throw creatorHere();
  if (domainFault(domain) || !(await isDomainFree(ctx, domain, null))) throw domainTaken({ domain });
  const account = await lookupUserByEmail(ctx, email);
  if (account && !account.emailVerifiedAt) throw ownerUnverified({ email });
  if (account && (await ctx.db.$count(creators, eq(creators.userId, account.id))) > 0) throw ownerHasPage({ email });
  return { id: Number(owner.id), email };
}

async function onlyRow(archive: OpenArchive, table: string): Promise<Row> {
  const rows: Row[] = [];
  for await (const row of rowsOf(archive, table)) {
    rows.push(row);
    if (rows.length > 1) break;
  }
  if (rows.length !== 1) throw badArchive({ reason: `${table}: not one row` });
  return rows[0]!;
}

const TYPES: Record<string, string> = {
  mp3: 'audio/mpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  json: 'application/json',
};

/** Files that are there already are not copied again. @returns how many were copied */
async function copyFiles(ctx: Ctx, archive: OpenArchive, ids: IdMap): Promise<number> {
  const { storage } = ctx.ports;
  const files = archive.manifest.entries.filter(({ key }) => key !== undefined);
  await assertDiskSpace(
    ctx,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  let copied = 0;
  for (const { name, key, bytes } of files) {
    const target = newKey(key!, ids);
    if (target === null) throw unsafeValue({ name: 'manifest.json', column: name });
    if ((await storage.head(target))?.bytes === bytes) continue;
    const contentType = TYPES[target.slice(target.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    await storage.put(target, Readable.from(archive.content(name)), { contentType, bytes });
    copied += 1;
  }
  return copied;
}

type Target = { ids: IdMap; domain: string };

async function writeRows(ctx: Ctx, archive: OpenArchive, target: Target): Promise<Record<string, number>> {
  const { manifest } = archive;
  const creatorId = target.ids.creator(manifest.creator.id)!;
  try {
    return await transact(ctx, async (tx) => {
      await tx.db.execute(sql`set local time zone 'UTC'`);
      const adapt = await adapterOf(tx, archive, target.domain);
      const written: Record<string, number> = {};
      for (const archived of ARCHIVED_TABLES)
        written[archived.name] = await writeTable(tx, archive, { archived, ...target, adapt });
      await countReceipts(tx, creatorId);
      const ended = { creatorId, endedAt: tx.now() };
      await tx.db.update(archiveImports).set(ended).where(eq(archiveImports.archiveId, manifest.archive));
      await announceChange(tx, `creator:${creatorId}`);
      return written;
    });
  } catch (error) {
    throw asBadArchive(error);
  }
}

/** Null for a row that this installation does not take. */
type Adapt = (table: string, row: Row) => Row | null;

/** What belongs to an installation: the creator's domain, and the books in which receipts are numbered. */
async function adapterOf(tx: TxCtx, { manifest }: OpenArchive, domain: string): Promise<Adapt> {
  const former = manifest.creator.domain;
  const taken = await isEntityTaken(tx);
  return (table, row) => {
    if (table === 'creators') return { ...row, domain };
    if (table === 'domains' && row.domain === former) return { ...row, domain };
    // a former address that is one of ours here redirects nowhere
    if (table === 'domains' && domainFault(String(row.domain))) return null;
    if (table !== 'sales' || !taken(String(row.legal_entity))) return row;
    return { ...row, legal_entity: `${row.legal_entity} (${manifest.installation})` };
  };
}

type Writing = Target & { archived: ArchivedTable; adapt: Adapt };

async function writeTable(tx: TxCtx, archive: OpenArchive, writing: Writing): Promise<number> {
  const { archived, ids, adapt } = writing;
  let batch: Row[] = [];
  let count = 0;
  for await (const row of rowsOf(archive, archived.name)) {
    const adapted = adapt(archived.name, row);
    if (!adapted) continue;
    const next = await newRow(archived, adapted, ids);
    batch.push({ ...next, ...addedColumns(tx, archived, next) });
    count += 1;
    if (batch.length < ARCHIVE_LIMITS.rows) continue;
    await insertRows(tx, archived, batch);
    batch = [];
  }
  if (batch.length > 0) await insertRows(tx, archived, batch);
  return count;
}

/** The one place where a room writes the tables of others: it restores what their own verbs have written elsewhere. */
async function insertRows(tx: TxCtx, archived: ArchivedTable, rows: Row[]): Promise<void> {
  const table = sql.identifier(getTableName(archived.table));
  const columns = sql.join(
    Object.keys(rows[0]!).map((column) => sql.identifier(column)),
    sql`, `,
  );
  const conflict = isPerson(archived) ? sql`on conflict (id) do nothing` : sql`on conflict do nothing`;
  await tx.db.execute(sql`
    insert into ${table} (${columns}) ${hasNumber(archived) ? sql`overriding system value` : sql``}
    select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::text::jsonb)
    ${archived.isShared || isPerson(archived) ? conflict : sql``}`);
}

/** A row that the database refuses was not written by Altavoz. */
function asBadArchive(error: unknown): unknown {
  for (let e = error; e instanceof Error; e = e.cause as Error) {
    const { code, table_name, constraint_name } = e as { code?: string; table_name?: string; constraint_name?: string };
    if (code && /^2[23]/.test(code)) return badArchive({ reason: constraint_name ?? table_name ?? e.message });
  }
  return error;
}
