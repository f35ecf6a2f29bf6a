import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { backupEntries, creatorBackups } from '~/db/schema/creator-backup';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import type { Ctx } from '../../runtime/ctx';
import type { BackupRow } from './views';

export type EntryRow = typeof backupEntries.$inferSelect;
/** An entry after it was written. */
export type WrittenEntry = EntryRow & { [K in 'storedBytes' | 'offset' | 'crc32']: number } & { sha256: string };

type Reads = Pick<Ctx, 'db'>;

export async function lookupRunning({ db }: Reads, id: string): Promise<BackupRow | null> {
  const isRunning = and(isNull(creatorBackups.readyAt), isNull(creatorBackups.failedAt));
  const [row] = await db
    .select()
    .from(creatorBackups)
    .where(and(eq(creatorBackups.id, id), isRunning));
  return row ?? null;
}

/** The first stored file that is not copied yet. */
export async function nextFile({ db }: Reads, backupId: string, after = -1): Promise<EntryRow | null> {
  const waits = and(isNull(backupEntries.sha256), eq(backupEntries.isMissing, false));
  const [row] = await db
    .select()
    .from(backupEntries)
    .where(and(eq(backupEntries.backupId, backupId), gt(backupEntries.position, after), waits))
    .orderBy(asc(backupEntries.position))
    .limit(1);
  return row ?? null;
}

/** The entries of the zip, in order. */
export async function* entriesInOrder({ db }: Reads, backupId: string): AsyncGenerator<WrittenEntry, void> {
  for (let after = -1; ; ) {
    const isNext = and(eq(backupEntries.backupId, backupId), gt(backupEntries.position, after));
    const rows = await db
      .select()
      .from(backupEntries)
      .where(and(isNext, isNotNull(backupEntries.sha256)))
      .orderBy(asc(backupEntries.position))
      .limit(CREATOR_BACKUP_LIMITS.rows);
    yield* rows as WrittenEntry[];
    const last = rows.at(-1);
    if (!last || rows.length < CREATOR_BACKUP_LIMITS.rows) return;
    after = last.position;
  }
}

/** The stored files that were missing. They are few, or the installation has other problems. */
export async function missingFiles({ db }: Reads, backupId: string): Promise<string[]> {
  const rows = await db
    .select({ name: backupEntries.name })
    .from(backupEntries)
    .where(and(eq(backupEntries.backupId, backupId), sql`${backupEntries.isMissing}`))
    .orderBy(asc(backupEntries.position))
    .limit(CREATOR_BACKUP_LIMITS.missing);
  return rows.map(({ name }) => name);
}
