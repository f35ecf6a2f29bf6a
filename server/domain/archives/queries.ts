import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { archiveEntries, creatorArchives } from '~/db/schema/archives';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import type { Ctx } from '../../runtime/ctx';
import type { ArchiveRow } from './views';

export type EntryRow = typeof archiveEntries.$inferSelect;
/** Once it is written. */
export type WrittenEntry = EntryRow & { [K in 'storedBytes' | 'offset' | 'crc32']: number } & { sha256: string };

type Reads = Pick<Ctx, 'db'>;

export async function lookupRunning({ db }: Reads, id: string): Promise<ArchiveRow | null> {
  const isRunning = and(isNull(creatorArchives.readyAt), isNull(creatorArchives.failedAt));
  const [row] = await db
    .select()
    .from(creatorArchives)
    .where(and(eq(creatorArchives.id, id), isRunning));
  return row ?? null;
}

/** The first stored file that waits to be copied. */
export async function nextFile({ db }: Reads, archiveId: string, after = -1): Promise<EntryRow | null> {
  const waits = and(isNull(archiveEntries.sha256), eq(archiveEntries.isMissing, false));
  const [row] = await db
    .select()
    .from(archiveEntries)
    .where(and(eq(archiveEntries.archiveId, archiveId), gt(archiveEntries.position, after), waits))
    .orderBy(asc(archiveEntries.position))
    .limit(1);
  return row ?? null;
}

/** What the zip has, in its order. */
export async function* entriesInOrder({ db }: Reads, archiveId: string): AsyncGenerator<WrittenEntry, void> {
  for (let after = -1; ; ) {
    const isNext = and(eq(archiveEntries.archiveId, archiveId), gt(archiveEntries.position, after));
    const rows = await db
      .select()
      .from(archiveEntries)
      .where(and(isNext, isNotNull(archiveEntries.sha256)))
      .orderBy(asc(archiveEntries.position))
      .limit(ARCHIVE_LIMITS.rows);
    yield* rows as WrittenEntry[];
    const last = rows.at(-1);
    if (!last || rows.length < ARCHIVE_LIMITS.rows) return;
    after = last.position;
  }
}

/** The stored files that were not there. They are few, or the installation has other problems. */
export async function missingFiles({ db }: Reads, archiveId: string): Promise<string[]> {
  const rows = await db
    .select({ name: archiveEntries.name })
    .from(archiveEntries)
    .where(and(eq(archiveEntries.archiveId, archiveId), sql`${archiveEntries.isMissing}`))
    .orderBy(asc(archiveEntries.position))
    .limit(ARCHIVE_LIMITS.missing);
  return rows.map(({ name }) => name);
}
