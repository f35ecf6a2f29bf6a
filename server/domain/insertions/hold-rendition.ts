import { and, eq, inArray, isNotNull, lt, not, or, type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns, replacedPassages } from '~/db/schema/insertions';
import { renditionDownloads } from '~/db/schema/renditions';
import type { ListenerDoor } from '~/db/values/insertions';
import { earlier, utcDay } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { chooseClips, isPlain, spares } from './choose-clips';
import type { InsertableEpisode } from './insertables';
import { hasRoom, mayPlay } from './queries';
import { type BuiltRendition, ensureRendition } from './renditions';

/**
 * A client that asks for an episode: keys as in `downloads`, in hexadecimal. A machine gets clips, but no room of a cap.
 * `isKept`: the choice is; otherwise nothing is written, and the client gets what it would get now.
 */
export type RenditionListener = {
  listenerKey: string;
  formerKey: string | null;
  door: ListenerDoor;
  isSubscriber: boolean;
  country: string | null;
  app: string;
  isMachine: boolean;
  isKept: boolean;
};
export type Held = { renditionId: string; beganAt: Date };

/**
 * Whether an episode may have clips, or somebody has got clips in the last day, who keeps them; in a query from
 * `episodes`.
 */
export function hasInsertions(now: Date): SQL<boolean> {
  const campaign = and(eq(insertionCampaigns.productId, episodes.productId), mayPlay(now));
  const { day, episodeId } = renditionDownloads;
  // two days, each found in the index; a range of days would read the rows of all episodes
  const days = [utcDay(now), utcDay(earlier(now, RENDITION_LIMITS.window))];
  const held = and(eq(episodeId, episodes.id), inArray(day, days));
  return sql<boolean>`(
    exists (select from ${insertionCampaigns} where ${campaign})
    or exists (select from ${replacedPassages} where ${eq(replacedPassages.episodeId, episodes.id)})
    or exists (select from ${renditionDownloads} where ${held}))`;
}

/** `hasInsertions` for one episode. */
export async function lookupInsertions({ db, now }: Pick<Ctx, 'db' | 'now'>, episodeId: number): Promise<boolean> {
  const [row] = await db
    .select({ has: hasInsertions(now()) })
    .from(episodes)
    .where(eq(episodes.id, episodeId));
  return row?.has ?? false;
}

/** The rendition that a listener began to download within the last 24 hours; null without one. */
export async function lookupHeld(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  episodeId: number,
  { listenerKey, formerKey }: Pick<RenditionListener, 'listenerKey' | 'formerKey'>,
): Promise<Held | null> {
  const d = renditionDownloads;
  const at = now();
  const keyOn = (day: string, key: string) => and(eq(d.day, day), sql`${d.listenerKey} = decode(${key}, 'hex')`);
  const yesterday = utcDay(earlier(at, RENDITION_LIMITS.window));
  const [row] = await db
    .select({ renditionId: d.renditionId, beganAt: d.beganAt })
    .from(d)
    .where(
      and(
        eq(d.episodeId, episodeId),
        or(keyOn(utcDay(at), listenerKey), formerKey === null ? undefined : keyOn(yesterday, formerKey)),
        sql`${d.beganAt} > ${earlier(at, RENDITION_LIMITS.window).toISOString()}::timestamptz`,
      ),
    )
    .orderBy(d.beganAt)
    .limit(1);
  return row ?? null;
}

/** Other listeners may take the last room of several caps in turn. */
const ROUNDS = 8;

/**
 * Chooses clips for a listener, and keeps the choice for 24 hours if that is wanted. Room in the caps of its campaigns is
 * reserved in the same transaction, so that no number of listeners exceeds a cap. Null if the listener gets the file
 * itself.
 */
export async function holdRendition(
  ctx: Ctx,
  episode: InsertableEpisode,
  listener: RenditionListener,
): Promise<BuiltRendition | Held | null> {
  const { door, country, isSubscriber, listenerKey: turn } = listener;
  const without = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const arrangement = chooseClips(episode, { door, country, isSubscriber, turn, without });
    const made = isPlain(arrangement) ? null : await ensureRendition(ctx, episode.source, arrangement);
    if (!made) return null;
    if (!listener.isKept) return made;
    const campaignIds = arrangement.clips.flatMap(({ campaignId }) => campaignId ?? []);
    const capped = listener.isMachine ? [] : cappedOf(episode, campaignIds);
    const claimed = { episode, listener, rendition: made, campaignIds, capped };
    const outcome = await transact(ctx, (tx) => claim(tx, claimed));
    if (outcome === 'held') return made;
    // another request of this listener was first, or one of somebody else in the same network, who was promised nothing
    if (outcome === 'known') return spares(episode, listener) ? made : lookupHeld(ctx, made.episodeId, listener);
    for (const id of outcome.full) without.add(id);
  }
  return null;
}

const cappedOf = ({ campaigns }: InsertableEpisode, ids: number[]) =>
  campaigns.filter(({ id, cap }) => cap !== null && ids.includes(id)).map(({ id }) => id);

type Claim = {
  episode: InsertableEpisode;
  listener: RenditionListener;
  rendition: BuiltRendition;
  campaignIds: number[];
  capped: number[];
};

async function claim(
  tx: TxCtx,
  { episode, listener, rendition, campaignIds, capped }: Claim,
): Promise<'held' | 'known' | { full: number[] }> {
  const at = tx.now();
  const stopped = await listStopped(
    tx,
    campaignIds.filter((id) => !capped.includes(id)),
  );
  if (stopped.length > 0) return { full: stopped };
  const { listenerKey, country, app } = listener;
  const own = {
    day: utcDay(at),
    episodeId: rendition.episodeId,
    listenerKey: Buffer.from(listenerKey, 'hex'),
  };
  const inserted = await tx.db
    .insert(renditionDownloads)
    .values({ ...own, renditionId: rendition.id, beganAt: at, country, app, reservedIds: capped })
    .onConflictDoNothing()
    .returning({ day: renditionDownloads.day });
  if (inserted.length === 0) return 'known';
  if (capped.length === 0) return 'held';
  await tx.reach('download.kept');
  const roomy = await reserve(tx, capped, episode.today);
  if (roomy.length === capped.length) return 'held';
  const isOwn = and(
    eq(renditionDownloads.day, own.day),
    eq(renditionDownloads.episodeId, own.episodeId),
    eq(renditionDownloads.listenerKey, own.listenerKey),
  );
  await tx.db.delete(renditionDownloads).where(isOwn);
  return { full: capped.filter((id) => !roomy.includes(id)) };
}

/** Those that were paused, ended or deleted after they were chosen; `reserve` leaves out those with a cap. */
async function listStopped({ db }: TxCtx, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { id, isActive, endedAt, deletedAt } = insertionCampaigns;
  const isStopped = or(not(isActive), isNotNull(endedAt), isNotNull(deletedAt));
  const rows = await db
    .select({ id })
    .from(insertionCampaigns)
    .where(and(inArray(id, ids), isStopped))
    .orderBy(id);
  return rows.map((row) => row.id);
}

/**
 * Reserves one impression of each campaign, or of none if one of them has no room. The lengths of its show change with
 * the last room of a campaign. @returns the campaigns with room
 */
async function reserve(tx: TxCtx, ids: number[], today: string): Promise<number[]> {
  const { db } = tx;
  const rows = await db.execute<{ id: string; product: string; isLast: boolean }>(sql`
    select c.id, c.product_id as product, not (${hasRoom(today, 1)}) as "isLast" from insertion_campaigns c
    where c.id = any(${plainArray(ids)}::bigint[]) and ${hasRoom(today)}
      and c.is_active and c.ended_at is null and c.deleted_at is null
    order by c.id for no key update of c`);
  if (rows.length < ids.length) return rows.map(({ id }) => Number(id));
  await db
    .update(insertionCampaigns)
    .set({ reserved: sql`${insertionCampaigns.reserved} + 1` })
    .where(
      and(
        inArray(insertionCampaigns.id, ids),
        lt(sql`${insertionCampaigns.impressions} + ${insertionCampaigns.reserved}`, insertionCampaigns.cap),
      ),
    );
  const [filled] = rows.filter(({ isLast }) => isLast);
  if (filled) await tx.jobs.enqueue(refreshServed, { productId: Number(filled.product) });
  return ids;
}
