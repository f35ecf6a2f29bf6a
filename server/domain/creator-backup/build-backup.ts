import { and, eq, isNull, lt, ne } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { type BackupPart, backupEntries, creatorBackups } from '~/db/schema/creator-backup';
import { creators } from '~/db/schema/creators';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { LEAVING_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import { later } from '../../base/time';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { buildCreatorBackup as buildCreatorBackupJob } from '../../queue/jobs/creator-backup';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { writeDirectory, writeEntry } from '../../zip/write-zip';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { assertDiskSpace } from '../media/uploads';
import { contentsOf } from './backup-contents';
import { newPart, removeParts, writePart } from './backup-parts';
import { manifestOf } from './manifest';
import { type EntryRow, entriesInOrder, lookupRunning, nextFile } from './queries';
import { MANIFEST } from './rules';
import { planFiles } from './stored-files';
import type { BackupRow } from './views';

/** Entries that a step has added to the zip. */
type Written = Partial<EntryRow> & { position: number };

/** Another process has done the step, or the backup was cancelled: this attempt is discarded. */
class StepTaken extends Error {}

/**
 * One step of a backup: writes a part of the zip into a separate object, and enqueues the next step in the transaction
 * that stores the part's row. A killed step runs again; if two jobs run one step, only one counts. The first step reads
 * the database at one moment, the next steps copy stored files, and the last step writes the directory.
 * @throws upload.disk_full
 */
export async function buildCreatorBackup(
  ctx: Ctx,
  { backupId, step }: { backupId: string; step: number },
): Promise<void> {
  const row = await lookupRunning(ctx, backupId);
  if (row?.step !== step) return;
  const part = newPart(row);
  try {
    await runStep(ctx, row, part);
  } catch (error) {
    await ctx.ports.storage.remove(part.key);
    if (!(error instanceof StepTaken)) throw error;
  }
}

async function runStep(ctx: Ctx, row: BackupRow, part: BackupPart): Promise<void> {
  if (row.filesBytes === null) return writeData(ctx, row, part);
  const file = await nextFile(ctx, row.id);
  return file ? copyFiles(ctx, row, { part, file }) : writeEnd(ctx, row, part);
}

function writeData(ctx: Ctx, row: BackupRow, part: BackupPart): Promise<void> {
  return transact(
    ctx,
    async (tx) => {
      const entries: (typeof backupEntries.$inferInsert)[] = [];
      part.bytes = 0;
      await writePart(tx, part, dataEntries(tx, row, entries));
      await tx.db.insert(backupEntries).values(entries);
      const filesBytes = await planFiles(tx, row, entries.length);
      await assertDiskSpace(tx, filesBytes);
      await finishStep(tx, row, part, { filesBytes });
    },
    { isolationLevel: 'repeatable read' },
  );
}

type NewEntries = (typeof backupEntries.$inferInsert)[];

async function* dataEntries(tx: TxCtx, row: BackupRow, entries: NewEntries): AsyncGenerator<Buffer, void> {
  const [creator] = await tx.db
    .select({ id: creators.id, name: creators.name, language: users.language })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(creators.id, row.creatorId));
  let offset = 0;
  for await (const { name, content } of contentsOf(tx, creator!)) {
    const counted = { rows: 0 };
    const head = { name, offset, isCompressed: true, at: row.requestedAt };
    const { end, ...tail } = yield* writeEntry(
      head,
      content(() => void counted.rows++),
    );
    entries.push({ backupId: row.id, position: entries.length, name, offset, ...tail, ...counted });
    offset = end;
  }
}

async function copyFiles(
  ctx: Ctx,
  row: BackupRow,
  { part, file }: { part: BackupPart; file: EntryRow },
): Promise<void> {
  const written: Written[] = [];
  await writePart(ctx, part, fileEntries(ctx, row, { file, written }));
  await ctx.reach('archive.written');
  await transact(ctx, async (tx) => {
    await finishStep(tx, row, part);
    for (const { position, ...facts } of written) {
      const isEntry = and(eq(backupEntries.backupId, row.id), eq(backupEntries.position, position));
      await tx.db.update(backupEntries).set(facts).where(isEntry);
    }
  });
}

/** Copies files until the time of the step is used up. */
async function* fileEntries(
  ctx: Ctx,
  row: BackupRow,
  { file: first, written }: { file: EntryRow; written: Written[] },
): AsyncGenerator<Buffer, void> {
  const began = performance.now();
  let offset = row.bytes;
  for (let file: EntryRow | null = first; file; file = await nextFile(ctx, row.id, file.position)) {
    const { name, position } = file;
    const content = await openFile(ctx, file.storageKey!);
    if (content) {
      const { end, ...tail } = yield* writeEntry({ name, offset, isCompressed: false, at: row.requestedAt }, content);
      written.push({ position, offset, ...tail });
      offset = end;
    } else written.push({ position, isMissing: true });
    const { stepMs, stepBytes, stepFiles } = CREATOR_BACKUP_LIMITS;
    const isLong = performance.now() - began >= stepMs || offset - row.bytes >= stepBytes;
    if (isLong || written.length >= stepFiles) return;
  }
}

/** Null if the storage has no such object: a missing file must not cost the creator the whole backup. */
async function openFile({ ports, log }: Ctx, key: string) {
  if (await ports.storage.head(key)) return ports.storage.read(key);
  log.warn({ key }, 'object missing in storage, left out of an archive');
  return null;
}

/** The manifest, with the checksums of all earlier entries, and the directory of the zip. */
async function writeEnd(ctx: Ctx, row: BackupRow, part: BackupPart): Promise<void> {
  await writePart(ctx, part, endOf(ctx, row));
  await ctx.reach('archive.written');
  await transact(ctx, async (tx) => {
    await finishStep(tx, row, part, { isLast: true });
    await expireFormer(tx, row);
    if (row.requestedBy === null) return;
    const [creator] = await tx.db.select().from(creators).where(eq(creators.id, row.creatorId));
    const user = await findUser(tx, row.requestedBy);
    const url = tx.urls.app(`${languagePrefix(user.language ?? DEFAULT_LANGUAGE)}${LEAVING_PATH}`);
    await queueAccountEmail(tx, user, { topic: 'archive_ready', url, creator: creator!.name });
  });
  await removeParts(ctx, row.id, [...row.parts, part]);
}

async function* endOf(ctx: Ctx, row: BackupRow): AsyncGenerator<Buffer, void> {
  const head = { name: MANIFEST, offset: row.bytes, isCompressed: true, at: row.requestedAt };
  const { end, ...tail } = yield* writeEntry(head, manifestOf(ctx, row));
  async function* directory() {
    for await (const entry of entriesInOrder(ctx, row.id))
      yield { ...entry, isCompressed: entry.storageKey === null, at: row.requestedAt };
    yield { ...head, ...tail };
  }
  yield* writeDirectory(directory(), end);
}

/** Expires former backups, because an owner needs only the newest one. */
async function expireFormer(tx: TxCtx, { id, creatorId, requestedAt }: BackupRow): Promise<void> {
  const isFormer = and(eq(creatorBackups.creatorId, creatorId), lt(creatorBackups.requestedAt, requestedAt));
  await tx.db
    .update(creatorBackups)
    .set({ expiresAt: tx.now() })
    .where(and(isFormer, ne(creatorBackups.id, id)));
}

type Progress = { filesBytes?: number; isLast?: boolean };

async function finishStep(
  tx: TxCtx,
  row: BackupRow,
  part: BackupPart,
  { filesBytes, isLast }: Progress = {},
): Promise<void> {
  const now = tx.now();
  const step = row.step + 1;
  const end = isLast ? { readyAt: now, expiresAt: later(now, CREATOR_BACKUP_LIMITS.lifetime) } : {};
  const raised = await tx.db
    .update(creatorBackups)
    .set({ step, parts: [...row.parts, part], bytes: row.bytes + part.bytes, filesBytes, updatedAt: now, ...end })
    .where(and(eq(creatorBackups.id, row.id), eq(creatorBackups.step, row.step), isNull(creatorBackups.failedAt)))
    .returning({ id: creatorBackups.id });
  if (raised.length === 0) throw new StepTaken();
  if (!isLast) await tx.jobs.enqueue(buildCreatorBackupJob, { archiveId: row.id, step });
}
