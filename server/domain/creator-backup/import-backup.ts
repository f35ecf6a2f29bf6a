import { Readable } from 'node:stream';
import { eq, getTableName, inArray, sql } from 'drizzle-orm';
import { backupImports } from '~/db/schema/creator-backup';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { replacedPassages } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { refreshServed } from '../../queue/jobs/insertions';
import { announceChange, type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lookupUserByEmail } from '../accounts/base/queries';
import { countImported, isEntityTaken } from '../billing/base/receipt-numbers';
import { isDomainFree } from '../creators/queries';
import { domainFault } from '../creators/rules';
import { prepareClips } from '../insertions/prepare-clips';
import { assertDiskSpace } from '../media/uploads';
import { dataFile } from './backup-contents';
import { badBackup, creatorHere, domainTaken, ownerHasPage, ownerUnverified, unsafeValue } from './errors';
import type { ExportedTable } from './exported-table';
import { OWNER } from './exported-table';
import { addedColumns, type ImportedRow, newRow, rowsOf } from './imported-rows';
import { assignIds, hasNumber, isPerson, readIds } from './new-ids';
import type { OpenCreatorBackup } from './open-backup';
import { type IdMap, newKey } from './rules';
import { EXPORTED_TABLES } from './tables';

/** `domain`: set to import the creator under another domain than the backup's. */
export type ImportOptions = { domain?: string };
export type ImportResult = {
  creatorId: number;
  domain: string;
  owner: string;
  rows: Record<string, number>;
  files: number;
};

/**
 * Recreates a creator from a verified backup. It first decides the ids, then copies the files, and finally writes all
 * rows in one transaction: a killed import continues, and visitors never see half a creator. Repeating a finished
 * import changes nothing. The operator runs it, vouches for the backup, and runs one import at a time
 * (docs/decisions/0223).
 * @throws archive.creator_here, archive.domain_taken, archive.owner_has_page, archive.owner_unverified, archive.bad,
 * archive.damaged, archive.unsafe_value, upload.disk_full
 */
export async function importCreatorBackup(
  ctx: Ctx,
  backup: OpenCreatorBackup,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const backupId = backup.manifest.archive;
  const [former] = await ctx.db.select().from(backupImports).where(eq(backupImports.backupId, backupId));
  if (former?.endedAt) throw creatorHere();
  const domain = options.domain ?? backup.manifest.creator.domain;
  const owner = await assertRoom(ctx, backup, domain);
  await ctx.db.insert(backupImports).values({ backupId, startedAt: ctx.now() }).onConflictDoNothing();
  await assignIds(ctx, backup);
  const ids = await readIds(ctx, backup, owner.id);
  const files = await copyFiles(ctx, backup, ids);
  const rows = await writeRows(ctx, backup, { ids, domain });
  return { creatorId: ids.creator(backup.manifest.creator.id)!, domain, owner: owner.email, rows, files };
}

/** Checks that this installation has room for the creator, before any write. */
async function assertRoom(ctx: Ctx, backup: OpenCreatorBackup, domain: string): Promise<{ id: number; email: string }> {
  const owner = await onlyRow(backup, OWNER);
  const creator = await onlyRow(backup, 'creators');
  const email = String(owner.email).toLowerCase();
  if (creator.id !== backup.manifest.creator.id || creator.user_id !== owner.id)
    throw badBackup({ reason: 'its parts are of different creators' });
  const guids: string[] = [];
  for await (const { feed_guid } of rowsOf(backup, { name: 'products' })) guids.push(String(feed_guid));
  const isHere = guids.length > 0 && (await ctx.db.$count(products, inArray(products.feedGuid, guids))) > 0;
  if (isHere) throw creatorHere();
  if (domainFault(domain) || !(await isDomainFree(ctx, domain, null))) throw domainTaken({ domain });
  const account = await lookupUserByEmail(ctx, email);
  if (account && !account.emailVerifiedAt) throw ownerUnverified({ email });
  if (account && (await ctx.db.$count(creators, eq(creators.userId, account.id))) > 0) throw ownerHasPage({ email });
  return { id: Number(owner.id), email };
}

async function onlyRow(backup: OpenCreatorBackup, table: string): Promise<ImportedRow> {
  const rows: ImportedRow[] = [];
  for await (const row of rowsOf(backup, { name: table })) {
    rows.push(row);
    if (rows.length > 1) break;
  }
  if (rows.length !== 1) throw badBackup({ reason: `${table}: not one row` });
  return rows[0]!;
}

const TYPES: Record<string, string> = {
  mp3: 'audio/mpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  json: 'application/json',
};

/** Files that already exist are not copied again. @returns the number of copied files */
async function copyFiles(ctx: Ctx, backup: OpenCreatorBackup, ids: IdMap): Promise<number> {
  const { storage } = ctx.ports;
  const files = backup.manifest.entries.filter(({ key }) => key !== undefined);
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
    await storage.put(target, Readable.from(backup.content(name)), { contentType, bytes });
    copied += 1;
  }
  return copied;
}

type Target = { ids: IdMap; domain: string };

async function writeRows(ctx: Ctx, backup: OpenCreatorBackup, target: Target): Promise<Record<string, number>> {
  const { manifest } = backup;
  const creatorId = target.ids.creator(manifest.creator.id)!;
  try {
    return await transact(ctx, async (tx) => {
      await tx.db.execute(sql`set local time zone 'UTC'`);
      const adapt = await adapterOf(tx, backup, target.domain);
      const written: Record<string, number> = {};
      for (const exported of EXPORTED_TABLES)
        written[exported.name] = await writeTable(tx, backup, { exported, ...target, adapt });
      await countImported(tx, creatorId);
      await prepareInsertions(tx, creatorId);
      const ended = { creatorId, endedAt: tx.now() };
      await tx.db.update(backupImports).set(ended).where(eq(backupImports.backupId, manifest.archive));
      await announceChange(tx, `creator:${creatorId}`);
      return written;
    });
  } catch (error) {
    throw asBadBackup(error);
  }
}

/** Backups have the creator's clips, but not their versions in the encodings of episodes. */
async function prepareInsertions(tx: TxCtx, creatorId: number): Promise<void> {
  await prepareClips(tx, { creatorId });
  const shows = await tx.db
    .selectDistinct({ productId: episodes.productId })
    .from(replacedPassages)
    .innerJoin(episodes, eq(episodes.id, replacedPassages.episodeId))
    .where(eq(replacedPassages.creatorId, creatorId))
    .orderBy(episodes.productId);
  await tx.jobs.enqueueAll(refreshServed, shows);
}

/** Null for a row that this installation does not accept. */
type Adapt = (table: string, row: ImportedRow) => ImportedRow | null;

/**
 * Adapts values that depend on the installation: the creator's domain, and the books in which receipts are numbered.
 */
async function adapterOf(tx: TxCtx, { manifest }: OpenCreatorBackup, domain: string): Promise<Adapt> {
  const former = manifest.creator.domain;
  const taken = await isEntityTaken(tx);
  return (table, row) => {
    if (table === 'creators') return { ...row, domain };
    if (table === 'domains' && row.domain === former) return { ...row, domain };
    // a former address that is reserved here is left out, because it redirects nowhere
    if (table === 'domains' && domainFault(String(row.domain))) return null;
    // the show has moved here, so its feed would redirect to itself
    if (table === 'feed_redirects' && tx.urls.isOwn(String(row.url))) return null;
    if (!['sales', 'credit_notes'].includes(table) || !taken(String(row.legal_entity))) return row;
    return { ...row, legal_entity: `${row.legal_entity} (${manifest.installation})` };
  };
}

type Writing = Target & { exported: ExportedTable; adapt: Adapt };

async function writeTable(tx: TxCtx, backup: OpenCreatorBackup, writing: Writing): Promise<number> {
  const { exported, ids, adapt } = writing;
  let batch: ImportedRow[] = [];
  let count = 0;
  for await (const row of rowsOf(backup, exported)) {
    const adapted = adapt(exported.name, row);
    if (!adapted) continue;
    const next = await newRow(exported, adapted, ids);
    batch.push({ ...next, ...addedColumns(tx, exported, next) });
    count += 1;
    if (batch.length < CREATOR_BACKUP_LIMITS.rows) continue;
    await insertRows(tx, exported, batch);
    batch = [];
  }
  if (batch.length > 0) await insertRows(tx, exported, batch);
  return count;
}

/**
 * Only this function writes the tables of other rooms: it restores rows that their own functions have written
 * elsewhere.
 */
async function insertRows(tx: TxCtx, exported: ExportedTable, rows: ImportedRow[]): Promise<void> {
  const table = sql.identifier(getTableName(exported.table));
  const names = Object.keys(rows[0]!);
  // values of columns that the first row lacks would be lost
  if (rows.some((row) => Object.keys(row).length !== names.length || names.some((column) => !(column in row))))
    throw badBackup({ reason: `the rows of ${dataFile(exported.name)} have different columns` });
  const columns = sql.join(
    names.map((column) => sql.identifier(column)),
    sql`, `,
  );
  const conflict = isPerson(exported) ? sql`on conflict (id) do nothing` : sql`on conflict do nothing`;
  await tx.db.execute(sql`
    insert into ${table} (${columns}) ${hasNumber(exported) ? sql`overriding system value` : sql``}
    select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::text::jsonb)
    ${exported.isShared || isPerson(exported) ? conflict : sql``}`);
}

/** Altavoz has not written a row that the database refuses. */
function asBadBackup(error: unknown): unknown {
  for (let e = error; e instanceof Error; e = e.cause as Error) {
    const { code, table_name, constraint_name } = e as { code?: string; table_name?: string; constraint_name?: string };
    if (code && /^2[23]/.test(code)) return badBackup({ reason: constraint_name ?? table_name ?? e.message });
  }
  return error;
}
