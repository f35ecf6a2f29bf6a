import { and, asc, eq, sql } from 'drizzle-orm';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import { HISTORY_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import { isSameName } from '../products/rules';
import { recordAbout } from '../team/activity';
import { historyNotConfirmed } from './errors';
import type { RemoveHistory, ShowOverviewInput } from './schema';

/** `from` and `to`: the first and the last day with a figure. `isByMonth`: all figures are of months. */
export type ImportedSource = {
  id: number;
  name: string;
  fileName: string;
  importedAt: Date;
  figures: number;
  from: string;
  to: string;
  isByMonth: boolean;
};

/** Whose statistics were imported for a show. @throws product.not_found, common.role_not_allowed */
export async function listImportedSources(ctx: Ctx, { id, kind }: ShowOverviewInput): Promise<ImportedSource[]> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const sourceId = importedSources.id;
  return ctx.db
    .select({
      id: sourceId,
      name: importedSources.name,
      fileName: importedSources.fileName,
      importedAt: importedSources.importedAt,
      figures: sql<number>`count(*)::int`,
      from: sql<string>`min(${importedPlays.day})::text`,
      to: sql<string>`max(${importedPlays.day})::text`,
      isByMonth: sql<boolean>`bool_and(${importedPlays.period} = 'month')`,
    })
    .from(importedSources)
    .innerJoin(importedPlays, eq(importedPlays.sourceId, sourceId))
    .where(and(eq(importedSources.productId, id), eq(importedSources.creatorId, creatorId)))
    .groupBy(sourceId)
    .orderBy(asc(importedSources.name))
    .limit(HISTORY_LIMITS.sources);
}

/**
 * Removes all figures of a host. They can be imported again, from the creator's files. Repeating it is harmless.
 * @throws product.not_found, history.not_confirmed
 */
export async function removeHistory(ctx: Ctx, input: RemoveHistory): Promise<void> {
  const { product } = await findProductRecord(ctx, input.id, input.kind);
  const show = authorize(ctx, 'product.manage', product);
  const own = and(eq(importedSources.id, input.sourceId), eq(importedSources.productId, show.id));
  const [source] = await ctx.db.select().from(importedSources).where(own);
  if (!source) return;
  if (!isSameName(input.confirmation, source.name)) throw historyNotConfirmed({ name: source.name });
  await transact(ctx, async (tx) => {
    const removed = await tx.db.delete(importedSources).where(own).returning({ id: importedSources.id });
    if (removed.length > 0) await recordAbout(tx, 'statistics.history_removed', show);
  });
}
