import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { servedRenditions, servedShows } from '~/db/schema/renditions';
import { type Arrangement, LISTENER_DOORS, type ListenerDoor, type ServedPart } from '~/db/values/insertions';
import { timeOf } from '../../audio/frame-header';
import { dayIn } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { refreshServed as refreshJob } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { chooseClips, isPlain } from './choose-clips';
import { loadInsertables } from './insertables';
import { listFull } from './queries';
import { type BuiltRendition, type EpisodeSource, ensureRendition } from './renditions';

type Served = typeof servedRenditions.$inferInsert;

/**
 * The job after each change of a show's campaigns, points, passages or episodes, and at the start of a day: makes the
 * renditions that listeners of each door get now, and stores their lengths, which feeds and pages state. Verbs enqueue it
 * in their transaction: `tx.jobs.enqueue(refreshServed, { productId })`. One run handles some episodes, those with ids
 * above `after` first, and enqueues the next run. Safe to repeat.
 */
export async function refreshServed(
  ctx: Ctx,
  { productId, after = 0 }: { productId: number; after?: number },
): Promise<void> {
  const ids = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), gt(episodes.id, after), isNotNull(episodes.audioKey)))
    .orderBy(asc(episodes.id))
    .limit(RENDITION_LIMITS.episodes);
  const part = { productId, episodeIds: ids.map(({ id }) => id) };
  const chosen = await chosenFor(ctx, part);
  const rows: Served[] = [];
  for (const each of chosen) rows.push(...(await servedBy(ctx, each)));
  await ctx.reach('lengths.computed');
  await transact(ctx, async (tx) => {
    // one run after the other, so that a late one does not write what has changed since it has read
    await noteDay(tx, productId);
    if (fingerprint(await chosenFor(tx, part)) !== fingerprint(chosen))
      return tx.jobs.enqueue(refreshJob, { productId, after });
    await writeServed(tx, part, rows);
    const last = part.episodeIds.at(-1);
    if (last !== undefined && part.episodeIds.length === RENDITION_LIMITS.episodes)
      await tx.jobs.enqueue(refreshJob, { productId, after: last });
  });
}

type ShowPart = { productId: number; episodeIds: number[] };
type Chosen = { source: EpisodeSource; door: ListenerDoor; arrangement: Arrangement };

/** What a listener of each door gets whose country is not known; nothing for episodes without insertions. */
async function chosenFor(ctx: Pick<Ctx, 'db' | 'now'>, { productId, episodeIds }: ShowPart): Promise<Chosen[]> {
  if (episodeIds.length === 0) return [];
  const found = await loadInsertables(ctx, productId, episodeIds);
  const [first] = found;
  const without = first ? await listFull(ctx, productId, first.today) : undefined;
  return found.flatMap((episode) =>
    LISTENER_DOORS.map((door) => ({
      source: episode.source,
      door,
      arrangement: chooseClips(episode, { door, country: null, turn: '', without }),
    })).filter(({ arrangement }) => !isPlain(arrangement)),
  );
}

const fingerprint = (rows: Chosen[]): string => JSON.stringify(rows);

async function servedBy(ctx: Ctx, { source, door, arrangement }: Chosen): Promise<Served[]> {
  const { episodeId } = source;
  const made = await ensureRendition(ctx, source, arrangement);
  if (!made) ctx.log.warn({ episodeId, door }, 'rendition could not be made');
  const { audioKey } = source;
  return made
    ? [
        {
          episodeId,
          door,
          audioKey,
          renditionId: made.id,
          bytes: made.bytes,
          durationMs: made.durationMs,
          parts: partsOf(made),
        },
      ]
    : [];
}

function partsOf({ timeline }: BuiltRendition): ServedPart[] {
  const ms = (frames: number) => Math.round(timeOf(timeline, frames));
  return timeline.parts
    .filter(({ role }) => role === 'episode')
    .map(({ start, from, frames }) => ({ heardMs: ms(start), fromMs: ms(from), lengthMs: ms(frames) }));
}

async function writeServed(tx: TxCtx, { productId, episodeIds }: ShowPart, rows: Served[]): Promise<void> {
  const ofPart = inArray(servedRenditions.episodeId, episodeIds);
  const former = await tx.db.select().from(servedRenditions).where(ofPart).orderBy(servedRenditions.episodeId);
  const byPlace = (all: Served[]) =>
    all.map((row) => [row.episodeId, row.door, row.audioKey, row.renditionId, Boolean(row.parts)].join()).sort();
  if (byPlace(former).join(' ') === byPlace(rows).join(' ')) return;
  await tx.db.delete(servedRenditions).where(ofPart);
  if (rows.length > 0) await tx.db.insert(servedRenditions).values(rows);
  // private feeds compare versions
  await markProductChanged(tx, productId);
}

async function noteDay(ctx: Pick<Ctx, 'db' | 'now'>, productId: number): Promise<void> {
  const [show] = await ctx.db
    .select({ zone: creators.timeZone })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(products.id, productId));
  if (!show) return;
  const day = dayIn(ctx.now(), show.zone);
  await ctx.db
    .insert(servedShows)
    .values({ productId, day })
    .onConflictDoUpdate({ target: servedShows.productId, set: { day } });
}

/** Joins what listeners of a door get now of the file that an episode has, in a query from `episodes`. */
export const isServedAt = (door: ListenerDoor): SQL | undefined =>
  and(
    eq(servedRenditions.episodeId, episodes.id),
    eq(servedRenditions.door, door),
    eq(servedRenditions.audioKey, episodes.audioKey),
  );

/** The rendition that listeners of a door get now; null for the file itself. */
export async function lookupServed(
  { db }: Pick<Ctx, 'db'>,
  episodeId: number,
  door: ListenerDoor,
): Promise<string | null> {
  const [row] = await db
    .select({ id: servedRenditions.renditionId })
    .from(servedRenditions)
    .innerJoin(episodes, eq(episodes.id, servedRenditions.episodeId))
    .where(and(eq(servedRenditions.episodeId, episodeId), isServedAt(door)));
  return row?.id ?? null;
}

/**
 * Enqueues `refreshServed` for the shows with campaigns in whose time zone another day has begun, or whose lengths an
 * impression has changed. The last time for a campaign is on the day after its last one.
 */
export async function refreshDue(ctx: Ctx): Promise<void> {
  const { productId, isComplete, isActive, endedAt, deletedAt, lastDay } = insertionCampaigns;
  const isStated = or(isNull(lastDay), isNull(servedShows.day), lte(servedShows.day, lastDay));
  const shows = await ctx.db
    .selectDistinct({ productId, zone: creators.timeZone, day: servedShows.day })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .leftJoin(servedShows, eq(servedShows.productId, productId))
    .where(and(isComplete, isActive, isNull(endedAt), isNull(deletedAt), isStated))
    .orderBy(asc(productId));
  const due = shows.filter(({ zone, day }) => day === null || day !== dayIn(ctx.now(), zone));
  await transact(ctx, (tx) =>
    tx.jobs.enqueueAll(
      refreshJob,
      due.map((show) => ({ productId: show.productId })),
    ),
  );
}
