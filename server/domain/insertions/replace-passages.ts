import { and, asc, eq, inArray } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { replacedPassages } from '~/db/schema/insertions';
import type { OmittedPassage } from '~/db/values/insertions';
import { formatClock } from '../../base/clock';
import { PASSAGE_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { episodeNotFound } from '../episodes/errors';
import { type EpisodeRow, findEpisodeRecord } from '../episodes/queries';
import { requireFeature } from '../plans/features';
import { findProductRecord } from '../products/queries';
import { recordAbout, recordActivity } from '../team/activity';
import {
  clipNotFound,
  passageNotFound,
  passageOutside,
  passageOverlaps,
  soundNotMeasured,
  tooManyPassages,
} from './errors';
import { lockClips } from './list-clips';
import { prepareClips } from './prepare-clips';
import { doOverlap } from './rules';
import type { ReplacePassage, ReplacePassages, RestorePassage } from './schema';

type Replacement = OmittedPassage & { clipId: number | null };

/**
 * Replaces a passage of an episode by a clip, or by nothing. The file stays as it is, so it can be undone at any time.
 * @throws episode.not_found, plan.insertions_required, clip.not_found, point.not_measured, passage.outside,
 * passage.overlaps, passage.too_many
 */
export async function replacePassage(ctx: Ctx, { id, ...passage }: ReplacePassage): Promise<void> {
  const { episode } = await findEpisodeRecord(ctx, id);
  const { productId, creatorId } = authorize(ctx, 'episode.manage', episode);
  await replaceIn(ctx, { productId, creatorId, episodeIds: [id] }, passage);
}

/**
 * Replaces the same passage in a list of episodes of a show, in all or in none of them. @throws as replacePassage;
 * product.not_found; episode.not_found if one of them is not in the show
 */
export async function replacePassages(ctx: Ctx, { productId, episodeIds, ...passage }: ReplacePassages): Promise<void> {
  const { product } = await findProductRecord(ctx, productId);
  const { creatorId } = authorize(ctx, 'product.manage', product);
  authorize(ctx, 'episode.manage', { creatorId });
  await replaceIn(ctx, { productId, creatorId, episodeIds: [...new Set(episodeIds)] }, passage);
}

type Where = { productId: number; creatorId: number; episodeIds: number[] };

async function replaceIn(ctx: Ctx, { productId, creatorId, episodeIds }: Where, passage: Replacement): Promise<void> {
  await requireFeature(ctx, creatorId, 'insertions');
  await transact(ctx, async (tx) => {
    const { clipId } = passage;
    if (clipId !== null && !(await lockClips(tx, creatorId, [clipId]))) throw clipNotFound();
    const rows = await tx.db
      .select()
      .from(episodes)
      .where(and(inArray(episodes.id, episodeIds), eq(episodes.productId, productId), whereKept()))
      .orderBy(asc(episodes.id))
      // of two passages at once, the second sees the first
      .for('update');
    if (rows.length < episodeIds.length) throw episodeNotFound();
    await assertFree(tx, rows, passage);
    const values = rows.map(({ id: episodeId, audioKey }) => ({ creatorId, episodeId, audioKey, ...passage }));
    const inserted = await tx.db
      .insert(replacedPassages)
      .values(values.map((row) => ({ ...row, createdAt: tx.now() })))
      .returning({ id: replacedPassages.id });
    await prepareClips(tx, { passageIds: inserted.map(({ id }) => id) });
    await recordActivity(
      tx,
      rows.map(({ id, name }) => ({
        creatorId,
        action: 'episode.passage_replaced',
        subjectId: id,
        params: { name },
      })),
    );
    await tx.jobs.enqueue(refreshServed, { productId });
  });
}

/** @param rows locked */
async function assertFree(tx: TxCtx, rows: EpisodeRow[], passage: Replacement): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const known = await tx.db
    .select()
    .from(replacedPassages)
    .where(inArray(replacedPassages.episodeId, ids))
    .orderBy(asc(replacedPassages.id));
  for (const { id, name, durationMs, audioKey } of rows) {
    if (durationMs === null || audioKey === null) throw soundNotMeasured();
    if (passage.toMs > durationMs) throw passageOutside({ name, length: formatClock(durationMs / 1000) });
    const others = known.filter(
      ({ episodeId, audioKey: key }) => episodeId === id && (key === null || key === audioKey),
    );
    if (others.some((other) => doOverlap(other, passage))) throw passageOverlaps({ name });
    const { perEpisode: count } = PASSAGE_LIMITS;
    if (others.length >= count) throw tooManyPassages({ name, count });
  }
}

/** Undoes the replacement of a passage. @throws passage.not_found */
export async function restorePassage(ctx: Ctx, { id }: RestorePassage): Promise<void> {
  const [found] = await ctx.db
    .select({ passage: replacedPassages, episode: episodes })
    .from(replacedPassages)
    .innerJoin(episodes, eq(episodes.id, replacedPassages.episodeId))
    .where(eq(replacedPassages.id, id));
  if (!found) throw passageNotFound();
  const { episode } = found;
  authorize(ctx, 'passage.manage', found.passage);
  await transact(ctx, async (tx) => {
    const deleted = await tx.db.delete(replacedPassages).where(eq(replacedPassages.id, id)).returning();
    if (deleted.length === 0) throw passageNotFound();
    await recordAbout(tx, 'episode.passage_restored', episode);
    await tx.jobs.enqueue(refreshServed, { productId: episode.productId });
  });
}
