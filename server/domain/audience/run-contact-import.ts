import { and, asc, eq, gt, inArray, lt, notExists, type SQL, sql } from 'drizzle-orm';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { WORKING_IMPORTS } from '~/db/values/contact-imports';
import { AppError } from '../../base/errors';
import type { CsvRow } from '../../base/split-csv';
import { earlier, utcDay } from '../../base/time';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { importContacts } from '../../queue/jobs/audience';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { incomingKey } from '../media/rules';
import { contactFileTooLong, contactImportStuck } from './errors';
import { mergeBatch, suppressRows } from './merge-contacts';
import { openContactFile } from './open-contact-file';
import { contactReader, isLeftOut, type ReadLine } from './read-contacts';

export type ContactImportRow = typeof contactImports.$inferSelect;

/**
 * The job: stages the rows of the file, then suppresses addresses, then adds contacts. Each batch notes its last line in
 * its transaction, so a killed job continues there, and of two jobs for one import only one gets on.
 */
export async function runContactImport(ctx: Ctx, importId: number): Promise<void> {
  const steps = { reading: stageRows, suppressing: suppressAll, merging: mergeNext } as const;
  for (;;) {
    const row = await lookupImport(ctx, importId);
    if (row?.status !== 'reading' && row?.status !== 'suppressing' && row?.status !== 'merging') return;
    try {
      if (!(await steps[row.status](ctx, row))) return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await failImports(ctx, eq(contactImports.id, row.id), error);
    }
  }
}

async function lookupImport({ db }: Ctx, id: number): Promise<ContactImportRow | null> {
  const [row] = await db.select().from(contactImports).where(eq(contactImports.id, id));
  return row ?? null;
}

/** @returns false if another job has done this step */
async function noteStep(tx: TxCtx, row: ContactImportRow, changes: Partial<ContactImportRow>): Promise<boolean> {
  const isCurrent = and(
    eq(contactImports.id, row.id),
    eq(contactImports.status, row.status),
    eq(contactImports.readTo, row.readTo),
    eq(contactImports.mergedTo, row.mergedTo),
  );
  const noted = await tx.db
    .update(contactImports)
    .set({ ...changes, updatedAt: tx.now() })
    .where(isCurrent)
    .returning({ id: contactImports.id });
  return noted.length > 0;
}

/**
 * A killed job reads the file again, and skips the lines that are staged. The database stages a batch while the next one
 * is read.
 */
async function stageRows(ctx: Ctx, row: ContactImportRow): Promise<boolean> {
  const { columns, order, names } = row.mapping;
  const read = contactReader({ kind: row.kind, columns, order, names, today: utcDay(row.createdAt) });
  const current = await openContactFile(ctx, { uploadKey: row.fileKey }, async ({ parts }) => {
    let staging: Promise<ContactImportRow | null> = Promise.resolve(row);
    try {
      for await (const lines of readBatches(parts, row.readTo, read)) {
        const staged = await staging;
        if (!staged) return null;
        await ctx.reach('contacts.read');
        staging = stageBatch(ctx, staged, lines);
        // awaited only after the next lines
        staging.catch(() => {});
      }
    } finally {
      await staging;
    }
    return staging;
  });
  if (!current) return false;
  return transact(ctx, async (tx) => {
    const isNoted = await noteStep(tx, current, { status: 'suppressing' });
    if (isNoted) await tx.jobs.enqueue(removeObjects, { keys: [incomingKey(row.fileKey)] });
    return isNoted;
  });
}

/** The lines of a file that are not staged, in batches. */
async function* readBatches(
  parts: AsyncIterable<CsvRow[]>,
  readTo: number,
  read: (row: CsvRow) => ReadLine,
): AsyncGenerator<ReadLine[], void> {
  let waiting: ReadLine[] = [];
  for await (const part of parts) {
    for (const row of part) if (row.line > readTo) waiting.push(read(row));
    if (waiting.length < CONTACT_IMPORT_LIMITS.batch) continue;
    yield waiting.slice(0, CONTACT_IMPORT_LIMITS.batch);
    waiting = waiting.slice(CONTACT_IMPORT_LIMITS.batch);
  }
  if (waiting.length > 0) yield waiting;
}

/** @returns the import after it; null if another job has staged these lines */
async function stageBatch(ctx: Ctx, row: ContactImportRow, lines: ReadLine[]): Promise<ContactImportRow | null> {
  const leftOut = lines.filter(isLeftOut);
  const problems = lines.flatMap((line) => (isLeftOut(line) ? line : (line.note ?? [])));
  const rows = row.rows + lines.length;
  if (rows > CONTACT_IMPORT_LIMITS.rows) throw contactFileTooLong({ max: CONTACT_IMPORT_LIMITS.rows });
  const changes = { rows, readTo: lines.at(-1)!.line, leftOut: row.leftOut + leftOut.length };
  const staged = lines.flatMap((line) => {
    if (isLeftOut(line)) return [];
    return [{ ...line, note: undefined, tags: line.tags.length > 0 ? line.tags : null }];
  });
  return transact(ctx, async (tx) => {
    if (!(await noteStep(tx, row, changes))) return null;
    await tx.db.execute(sql`
      insert into ${contactImportRows} (import_id, line, email, name, tags, since, state)
      select ${row.id}::bigint, r.line, r.email, r.name, r.tags, r.since, r.state
      from jsonb_to_recordset(${JSON.stringify(staged)}::text::jsonb) as r
        (line integer, email text, name text, tags jsonb, since date, state text)`);
    if (problems.length > 0)
      await tx.db.insert(contactImportProblems).values(problems.map((problem) => ({ ...problem, importId: row.id })));
    return { ...row, ...changes };
  });
}

async function suppressAll(ctx: Ctx, row: ContactImportRow): Promise<boolean> {
  return transact(ctx, async (tx) => {
    if (!(await noteStep(tx, row, { status: 'merging' }))) return false;
    const { rows, suppressed } = await suppressRows(tx, row);
    await tx.db
      .update(contactImports)
      .set({ merged: row.leftOut + rows, suppressed })
      .where(eq(contactImports.id, row.id));
    return true;
  });
}

/** One batch; after the last one, the import is done. */
async function mergeNext(ctx: Ctx, row: ContactImportRow): Promise<boolean> {
  await ctx.reach('contacts.staged');
  return transact(ctx, async (tx) => {
    const [end] = await tx.db.select({ line: sql<number | null>`max(line)` }).from(
      tx.db
        .select({ line: contactImportRows.line })
        .from(contactImportRows)
        .where(and(eq(contactImportRows.importId, row.id), gt(contactImportRows.line, row.mergedTo)))
        .orderBy(asc(contactImportRows.line))
        .limit(CONTACT_IMPORT_LIMITS.batch)
        .as('batch'),
    );
    const to = end?.line ?? null;
    if (to === null) {
      const isUndated = and(eq(contactImportProblems.importId, row.id), eq(contactImportProblems.fault, 'bad_since'));
      const undated = await tx.db.$count(contactImportProblems, isUndated);
      return noteStep(tx, row, { status: 'done', endedAt: tx.now(), merged: row.rows, undated });
    }
    if (!(await noteStep(tx, row, { mergedTo: to }))) return false;
    const { rows, added, changed, leftOut } = await mergeBatch(tx, row, { after: row.mergedTo, to });
    await tx.db
      .update(contactImports)
      .set({
        merged: row.merged + rows,
        added: row.added + added,
        changed: row.changed + changed,
        leftOut: row.leftOut + leftOut,
      })
      .where(eq(contactImports.id, row.id));
    return true;
  });
}

/** @param which imports that are not done */
async function failImports(ctx: Ctx, which: SQL, { code: failure }: AppError): Promise<void> {
  await transact(ctx, async (tx) => {
    const failed = await tx.db
      .update(contactImports)
      .set({ status: 'failed', failure, endedAt: tx.now(), updatedAt: tx.now() })
      .where(which)
      .returning({ id: contactImports.id, fileKey: contactImports.fileKey });
    if (failed.length === 0) return;
    const ids = failed.map(({ id }) => id);
    await tx.db.delete(contactImportRows).where(inArray(contactImportRows.importId, ids));
    await tx.jobs.enqueue(removeObjects, { keys: failed.map(({ fileKey }) => incomingKey(fileKey)) });
  });
}

/**
 * Continues imports whose job ran out of attempts. One that does not get on for long has failed, because its creator could
 * start no other one. Deletes old reports with their addresses, and staged rows of imports that are gone.
 */
export async function recoverContactImports(ctx: Ctx): Promise<void> {
  const { lost, kept, stuck, recovered } = CONTACT_IMPORT_LIMITS;
  const waiting = (milliseconds: number) =>
    ctx.db
      .select({ importId: contactImports.id })
      .from(contactImports)
      .where(
        and(
          inArray(contactImports.status, [...WORKING_IMPORTS]),
          lt(contactImports.updatedAt, earlier(ctx.now(), milliseconds)),
        ),
      )
      .orderBy(asc(contactImports.updatedAt))
      .limit(recovered);
  await failImports(ctx, inArray(contactImports.id, waiting(stuck)), contactImportStuck());
  const found = await waiting(lost);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(importContacts, found));
  const isOld = and(
    inArray(contactImports.status, ['done', 'failed']),
    lt(contactImports.updatedAt, earlier(ctx.now(), kept)),
  );
  await ctx.db.delete(contactImports).where(isOld);
  const isThere = ctx.db
    .select({ id: contactImports.id })
    .from(contactImports)
    .where(eq(contactImports.id, contactImportRows.importId));
  await ctx.db.delete(contactImportRows).where(notExists(isThere));
}
