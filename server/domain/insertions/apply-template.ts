import { and, asc, eq, exists, gt, gte, inArray, isNotNull, ne, or } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { insertionPoints, insertionSlots } from '~/db/schema/insertions';
import { SLOT_RULES, type SlotRule } from '~/db/values/insertions';
import { POINT_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { applyTemplate as applyJob, refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockProduct } from '../episodes/balance';
import { requireFeature } from '../plans/features';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import { chapterStarts } from './episode-places';
import { insertPoints } from './mark-points';
import { readPauses } from './pauses';
import { templatePlaces } from './rules';
import type { FindSlots, SaveSlots } from './schema';

/** Where episodes of the show get a mid-roll without anybody marking it. @throws product.not_found */
export async function viewSlots(ctx: Ctx, { productId }: FindSlots): Promise<{ rules: SlotRule[] }> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'episode.read', { creatorId: product.creatorId });
  return { rules: await rulesOf(ctx, productId) };
}

async function rulesOf(ctx: Pick<Ctx, 'db'>, productId: number): Promise<SlotRule[]> {
  const { rule } = insertionSlots;
  const rows = await ctx.db
    .select({ rule })
    .from(insertionSlots)
    .where(eq(insertionSlots.productId, productId))
    .orderBy(rule);
  return SLOT_RULES.filter((each) => rows.some((row) => row.rule === each));
}

/**
 * Saves the template of a show. A job marks its places in all episodes; those whose points the creator has marked keep
 * them. @throws product.not_found, plan.insertions_required
 */
export async function saveSlots(ctx: Ctx, { productId, rules }: SaveSlots): Promise<{ rules: SlotRule[] }> {
  const { product } = await findProductRecord(ctx, productId);
  const own = authorize(ctx, 'product.manage', product);
  await requireFeature(ctx, own.creatorId, 'insertions');
  await transact(ctx, async (tx) => {
    await lockProduct(tx, productId);
    await tx.db.delete(insertionSlots).where(eq(insertionSlots.productId, productId));
    const rows = [...new Set(rules)].map((rule) => ({ productId, rule }));
    if (rows.length > 0) await tx.db.insert(insertionSlots).values(rows);
    await recordAbout(tx, 'product.template_changed', own);
    await tx.jobs.enqueue(applyJob, { productId });
  });
  return { rules: await rulesOf(ctx, productId) };
}

/**
 * The job after a change of a template: marks its places in some episodes, those with ids above `after` first, and
 * enqueues the next run. Safe to repeat.
 */
export async function applyTemplate(
  ctx: Ctx,
  { productId, after = 0 }: { productId: number; after?: number },
): Promise<void> {
  const part = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), gt(episodes.id, after), isNotNull(episodes.peaksKey), whereKept()))
    .orderBy(asc(episodes.id))
    .limit(POINT_LIMITS.templateAtOnce);
  const ids = part.map(({ id }) => id);
  const marked = await findPlaces(ctx, { productId, ids });
  await transact(ctx, async (tx) => {
    await writePlaces(tx, marked);
    const last = ids.at(-1);
    if (last !== undefined && ids.length === POINT_LIMITS.templateAtOnce)
      return tx.jobs.enqueue(applyJob, { productId, after: last });
    await tx.jobs.enqueue(refreshServed, { productId });
  });
}

/** The places of an episode's file by the template of its show. */
type Marked = { episodeId: number; audioKey: string; durationMs: number; places: number[] };

/** Finds the places by the template of their show in some of its episodes whose sound is measured. */
export async function findPlaces(
  ctx: Pick<Ctx, 'db' | 'ports'>,
  { productId, ids }: { productId: number; ids: number[] },
): Promise<Marked[]> {
  const { id, audioKey, peaksKey, durationMs } = episodes;
  const [rules, rows, chapters] = await Promise.all([
    rulesOf(ctx, productId),
    ctx.db.select({ id, audioKey, peaksKey, durationMs }).from(episodes).where(inArray(id, ids)).orderBy(id),
    chapterStarts(ctx, ids),
  ]);
  const found = await Promise.all(
    rows.map(async (row): Promise<Marked[]> => {
      const pauses = await readPauses(ctx, row);
      if (pauses === null || row.audioKey === null || row.durationMs === null) return [];
      const sound = { durationMs: row.durationMs, pauses, chapters: chapters.get(row.id) ?? [] };
      const places = templatePlaces(rules, sound);
      return [{ episodeId: row.id, audioKey: row.audioKey, durationMs: row.durationMs, places }];
    }),
  );
  return found.flat();
}

/**
 * Writes the places of a template. Points beyond the end of the file disappear, and an episode keeps what the creator has
 * marked. Skips episodes whose file was replaced meanwhile.
 */
export async function writePlaces(tx: TxCtx, marked: Marked[]): Promise<void> {
  if (marked.length === 0) return;
  const current = await tx.db
    .select({ id: episodes.id, audioKey: episodes.audioKey })
    .from(episodes)
    .where(
      inArray(
        episodes.id,
        marked.map(({ episodeId }) => episodeId),
      ),
    )
    .orderBy(asc(episodes.id))
    .for('update');
  const keyOf = new Map(current.map(({ id, audioKey }) => [id, audioKey]));
  const valid = marked.filter(({ episodeId, audioKey }) => keyOf.get(episodeId) === audioKey);
  const ids = valid.map(({ episodeId }) => episodeId);
  if (ids.length === 0) return;
  const isBeyond = exists(
    tx.db
      .select({ id: episodes.id })
      .from(episodes)
      .where(and(eq(episodes.id, insertionPoints.episodeId), gte(insertionPoints.atMs, episodes.durationMs))),
  );
  const isDropped = or(ne(insertionPoints.origin, 'creator'), isBeyond);
  await tx.db.delete(insertionPoints).where(and(inArray(insertionPoints.episodeId, ids), isDropped));
  const own = await tx.db
    .selectDistinct({ episodeId: insertionPoints.episodeId })
    .from(insertionPoints)
    .where(inArray(insertionPoints.episodeId, ids))
    .orderBy(insertionPoints.episodeId);
  const hasOwn = new Set(own.map(({ episodeId }) => episodeId));
  await insertPoints(
    tx,
    valid.flatMap(({ episodeId, audioKey, places }) =>
      hasOwn.has(episodeId) ? [] : places.map((atMs) => ({ episodeId, atMs, audioKey, origin: 'template' as const })),
    ),
  );
}
