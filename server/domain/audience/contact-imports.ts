import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { contactImportProblems, contactImports } from '~/db/schema/contact-imports';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { contactImportNotFound } from './errors';
import type { ExportImportProblems } from './schema';

const VIEW = {
  id: contactImports.id,
  fileName: contactImports.fileName,
  host: contactImports.host,
  kind: contactImports.kind,
  status: contactImports.status,
  rows: contactImports.rows,
  merged: contactImports.merged,
  added: contactImports.added,
  changed: contactImports.changed,
  suppressed: contactImports.suppressed,
  leftOut: contactImports.leftOut,
  undated: contactImports.undated,
  failure: contactImports.failure,
  createdAt: contactImports.createdAt,
};

/** The creator's latest import of contacts; null without one. */
export async function latestContactImport(ctx: Ctx) {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const [row] = await ctx.db
    .select(VIEW)
    .from(contactImports)
    .where(eq(contactImports.creatorId, creatorId))
    .orderBy(desc(contactImports.id))
    .limit(1);
  return row ?? null;
}

export type ContactImportView = NonNullable<Awaited<ReturnType<typeof latestContactImport>>>;

/** The next rows that brought no contact, or one without their date. @throws contact_import.not_found, also for imports of other creators */
export async function listImportProblems(ctx: Ctx, { id, after }: ExportImportProblems) {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const own = and(eq(contactImports.id, id), eq(contactImports.creatorId, creatorId));
  if ((await ctx.db.$count(contactImports, own)) === 0) throw contactImportNotFound();
  const { line, text, fault, row } = contactImportProblems;
  return ctx.db
    .select({ line, text, fault, row })
    .from(contactImportProblems)
    .where(and(eq(contactImportProblems.importId, id), gt(line, after)))
    .orderBy(asc(line))
    .limit(CONTACT_IMPORT_LIMITS.exported);
}
