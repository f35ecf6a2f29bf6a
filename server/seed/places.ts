import { and, asc, eq, gte } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { clips, insertionPoints, insertionSlots } from '~/db/schema/insertions';
import { SECONDS } from '../base/time';
import { saveSlots } from '../domain/insertions/apply-template';
import { markPoints } from '../domain/insertions/mark-points';
import { isOwnClip } from '../domain/insertions/queries';
import { replacePassage } from '../domain/insertions/replace-passages';
import { lookupProductBySlug } from '../domain/products/queries';
import { requireCreator } from '../policy/actor';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const CREATOR = 'lucia@altavoz.example';
const SHOW = 'postales-sonoras';
/** Mid-rolls of the first two episodes that last long enough, in seconds. */
const POINTS = [[24, 48], [30]];
const LONG_ENOUGH_MS = SECONDS(55);
const PASSAGE = { fromMs: SECONDS(10), toMs: SECONDS(16) };

/** The template of a show, mid-rolls of two of its episodes, and a passage that a clip replaces. */
export async function seedPlaces(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === CREATOR);
  if (!person) return;
  const ctx = await actAs(runtime, person);
  const { creatorId } = requireCreator(ctx);
  const found = await lookupProductBySlug(ctx, creatorId, SHOW);
  if (!found) return;
  const productId = found.product.id;
  if ((await ctx.db.$count(insertionSlots, eq(insertionSlots.productId, productId))) > 0) return;
  const [clip] = await ctx.db
    .select()
    .from(clips)
    .where(and(eq(clips.creatorId, creatorId), isOwnClip()))
    .orderBy(asc(clips.id))
    .limit(1);
  const parts = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), gte(episodes.durationMs, LONG_ENOUGH_MS)))
    .orderBy(asc(episodes.id))
    .limit(POINTS.length);
  for (const [i, { id }] of parts.entries()) {
    if ((await ctx.db.$count(insertionPoints, eq(insertionPoints.episodeId, id))) > 0) continue;
    await markPoints(ctx, { id, points: POINTS[i]!.map(SECONDS) });
  }
  const last = parts.at(-1);
  if (last && clip) await replacePassage(ctx, { id: last.id, ...PASSAGE, clipId: clip.id });
  await saveSlots(ctx, { productId, rules: ['near_middle'] });
}
