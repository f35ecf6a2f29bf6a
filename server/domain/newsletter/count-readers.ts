import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { editionLinks, editions } from '~/db/schema/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { editionNotFound } from './errors';
import type { FindEdition, FindLink } from './schema';

/**
 * Counts that a picture of an edition was loaded. Nothing about the reader is read or stored: apps that load it for
 * everybody make the number approximate.
 */
export async function countOpen({ db }: Pick<Ctx, 'db'>, { id }: FindEdition): Promise<void> {
  await db
    .update(editions)
    .set({ opens: sql`${editions.opens} + 1` })
    .where(and(eq(editions.id, id), isNotNull(editions.startedAt)));
}

/** Counts a click on a link, and returns where it leads. @throws newsletter.edition_not_found */
export async function countClick({ db }: Pick<Ctx, 'db'>, { id, position }: FindLink): Promise<{ href: string }> {
  const [row] = await db
    .update(editionLinks)
    .set({ clicks: sql`${editionLinks.clicks} + 1` })
    .where(and(eq(editionLinks.editionId, id), eq(editionLinks.position, position)))
    .returning({ href: editionLinks.href });
  if (!row) throw editionNotFound();
  return row;
}
