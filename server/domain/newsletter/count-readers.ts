import { and, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
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
  // our address must not lead on to what was taken down
  const isOffered = exists(
    db
      .select({ id: creators.id })
      .from(creators)
      .innerJoin(editions, eq(editions.creatorId, creators.id))
      .where(and(eq(editions.id, id), isNull(creators.takenDownAt), isNull(creators.closedAt))),
  );
  const [row] = await db
    .update(editionLinks)
    .set({ clicks: sql`${editionLinks.clicks} + 1` })
    .where(and(eq(editionLinks.editionId, id), eq(editionLinks.position, position), isOffered))
    .returning({ href: editionLinks.href });
  if (!row) throw editionNotFound();
  return row;
}
