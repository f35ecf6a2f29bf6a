import { hash, randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import type { MachineRequest, ReceivedParts, RenditionParts, Span } from '~/db/values/listening';
import type { Source } from '~/db/values/statistics';
import { DAYS, earlier, utcDay } from '../../base/time';
import { DOWNLOAD_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';
import { factsTable } from './facts-table';
import { agentName } from './machines';
import { describePlay, type Listener } from './play-facts';
import { type AddToSums, FACTS } from './rollups';
import { contentSpan, isProbe, mergeSpans, neededBytes, networkPrefix, toMultirange, totalBytes } from './rules';

/** Bytes of an episode that were sent to a client, and the range it requested. */
export type Delivery = {
  episode: ReceivedParts['episode'];
  method: string;
  status: number;
  /** The single requested range; null for the whole file. */
  requested: Span | null;
  delivered: Span;
  client: Listener;
  source: Source;
  /** What the bytes belong to, if clips are in the episode; `episode` then has the layout of this file. */
  rendition?: DeliveredRendition;
};
type DeliveredRendition = { id: string; clips: RenditionParts['clips'] };

type DeliveryCtx = Pick<Ctx, 'recorders' | 'now' | 'urls'> & { ports: Pick<Ctx['ports'], 'geo'> };

const KEY_BYTES = 16;
const MAX_AGENT_LENGTH = 300;

/**
 * Stores the delivered bytes, and counts a download once one listener has received enough of the episode within 24
 * hours of the first byte, over all range requests (IAB Podcast Measurement 2.3; decision 0321). HEAD, 304 and two-byte
 * probes are ignored; machines are counted apart. Resolves after the commit. @throws common.server_busy
 */
export async function recordDelivery(ctx: DeliveryCtx, delivery: Delivery): Promise<void> {
  const at = ctx.now();
  const judged = await judgeDelivery(ctx, delivery, { at, keysOf: (client) => saltedKeys(ctx.recorders, client, at) });
  if (judged?.machine) await ctx.recorders.machines.record(judged.machine);
  if (!judged?.parts) return;
  const { rendition } = delivery;
  await Promise.all([
    ctx.recorders.downloads.record(judged.parts),
    rendition && ctx.recorders.renditions.record(renditionParts(judged.parts, rendition)),
  ]);
}

/** What a listener has got of a rendition. */
export function renditionParts(
  { episode, facts, ...parts }: ReceivedParts,
  { id, clips }: DeliveredRendition,
): RenditionParts {
  const { day, listenerKey, formerKey, spans, at } = parts;
  const listener = { day, listenerKey, formerKey, spans, at, country: facts.country, app: facts.app };
  return { ...listener, episodeId: episode.id, renditionId: id, neededBytes: neededBytes(episode), clips };
}

/** Whether a listener has received bytes of the episode in the last 24 hours, so that they must not get other ones. */
export async function hasBegun(
  { db }: Pick<Ctx, 'db'>,
  episodeId: number,
  { listenerKey, formerKey }: ListenerKeys,
  at: Date,
): Promise<boolean> {
  const begun = earlier(at, DOWNLOAD_LIMITS.window).toISOString();
  const former = formerKey ?? '';
  const [row] = await db.execute(sql`
    select 1 from downloads
    where episode_id = ${episodeId} and first_at > ${begun}::timestamptz and (
      (day = ${utcDay(at)}::date and listener_key = decode(${listenerKey}, 'hex'))
      or (day = ${utcDay(at)}::date - 1 and listener_key = decode(${former}, 'hex')))
    limit 1`);
  return row !== undefined;
}

export type ListenerKeys = Pick<ReceivedParts, 'listenerKey' | 'formerKey'>;
type Moment = { at: Date; keysOf(client: Listener): Promise<ListenerKeys> };
export type JudgedDelivery =
  | { parts: ReceivedParts; machine?: undefined }
  | { machine: MachineRequest; parts?: undefined };

/** What a delivery is: audio for a listener, a request of a machine, or null. */
export async function judgeDelivery(
  ctx: Parameters<typeof describePlay>[0],
  delivery: Delivery,
  { at, keysOf }: Moment,
): Promise<JudgedDelivery | null> {
  const { episode, client, source } = delivery;
  const span = audioOf(delivery);
  if (!span) return null;
  const day = utcDay(at);
  const { facts, machine } = await describePlay(ctx, client, source);
  if (machine) {
    const { creatorId, productId } = episode;
    return { machine: { creatorId, productId, day, reason: machine, agent: agentName(client.userAgent) } };
  }
  const userAgent = client.userAgent.slice(0, MAX_AGENT_LENGTH);
  return { parts: { day, episode, ...(await keysOf(client)), userAgent, spans: [span], at, facts } };
}

/** The audio that was delivered; null for probes and failed requests. */
export function audioOf({ method, status, requested, delivered, episode }: Omit<Delivery, 'client'>): Span | null {
  if (method !== 'GET' || (status !== 200 && status !== 206)) return null;
  return isProbe(requested) ? null : contentSpan(delivered, episode);
}

/** The keys under which a listener's bytes may be stored: those of this day, and of the day before. */
export async function saltedKeys({ saltOf, lookupSalt }: Ctx['recorders'], client: Listener, at: Date) {
  const [salt, former] = await Promise.all([saltOf(utcDay(at)), lookupSalt(utcDay(earlier(at, DAYS(1))))]);
  return toKeys({ salt, former }, client);
}

/** @param former the salt of the day before; null if nobody downloaded then */
export const toKeys = ({ salt, former }: { salt: Buffer; former: Buffer | null }, client: Listener): ListenerKeys => ({
  listenerKey: hashListener(salt, client),
  formerKey: former && hashListener(former, client),
});

/** Addresses are never stored: once the day's salt is deleted, a key can't be traced back to an address. */
function hashListener(salt: Buffer, { address, userAgent }: Listener): string {
  // one call, because an HMAC object would take a tenth of the time of a download event
  return hash('sha256', `${salt.toString('hex')}\n${networkPrefix(address)}\n${userAgent}`).slice(0, KEY_BYTES * 2);
}

/** A statement may update a row only once, so a listener's requests are merged. */
function mergeByListener(items: ReceivedParts[]): ReceivedParts[] {
  const byKey = new Map<string, ReceivedParts>();
  for (const item of items) {
    const key = `${item.episode.id} ${item.listenerKey}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...known, spans: mergeSpans([...known.spans, ...item.spans]) } : item);
  }
  return [...byKey.values()];
}

/** Around midnight, a batch has items of two days; those of the second one may belong to rows that the first creates. */
export async function insertDownloads(db: Ctx['db'], items: ReceivedParts[], addToSums: AddToSums): Promise<null[]> {
  for (const day of [...new Set(items.map((item) => item.day))].sort()) {
    const ofDay = items.filter((item) => item.day === day);
    await insertDay(db, { day, addToSums }, ofDay);
  }
  return items.map(() => null);
}

type Target = { day: string; addToSums: AddToSums };

async function insertDay(db: Ctx['db'], { day, addToSums }: Target, items: ReceivedParts[]): Promise<void> {
  const rows = mergeByListener(items);
  const facts = factsTable(rows);
  const plain = (pick: (item: ReceivedParts, index: number) => string | number | boolean) => plainArray(rows.map(pick));
  const escaped = (pick: (item: ReceivedParts) => string) => sql.param(rows.map(pick));
  /** Marks the rows that this statement counts: RETURNING can't see the previous value. */
  const flush = randomInt(1, 2 ** 47);
  const window = sql`interval '${sql.raw(`${DOWNLOAD_LIMITS.window}`)} milliseconds'`;
  const enough = sql`
    (select sum(upper(r) - lower(r)) from unnest(d.spans + excluded.spans) r) >= d.needed_bytes`;
  await db.execute(sql`
    with facts as materialized (${facts.rows}), arrived as (
      select creator_id, product_id, episode_id, decode(listener_key, 'hex') as listener_key,
        decode(former_key, 'hex') as former_key, user_agent, spans::int8multirange as spans, needed_bytes,
        to_timestamp(at / 1000.0::float8) as at, enough::bool as enough, fact
      from unnest(
        ${plain((i) => i.episode.creatorId)}::bigint[], ${plain((i) => i.episode.productId)}::bigint[],
        ${plain((i) => i.episode.id)}::bigint[], ${plain((i) => i.listenerKey)}::text[],
        ${plain((i) => i.formerKey ?? 'null')}::text[], ${escaped((i) => i.userAgent)}::text[],
        ${plain((i) => `"${toMultirange(i.spans)}"`)}::text[], ${plain((i) => neededBytes(i.episode))}::int[],
        ${plain((i) => i.at.getTime())}::bigint[],
        ${plain((i) => totalBytes(i.spans) >= neededBytes(i.episode))}::text[], ${plain((_, i) => facts.indexes[i]!)}::int[]
      ) as a(creator_id, product_id, episode_id, listener_key, former_key, user_agent, spans, needed_bytes, at, enough, fact)
    ), aimed as (
      -- a window that began on the day before takes the bytes
      select a.*, coalesce(w.day, ${day}::date) as day, coalesce(w.listener_key, a.listener_key) as row_key
      from arrived a left join lateral (
        select b.day, b.listener_key from downloads b
        where b.day = ${day}::date - 1 and b.episode_id = a.episode_id and b.listener_key = a.former_key
          and b.first_at > a.at - ${window}
        limit 1
      ) w on true
    ), kept as (
      insert into downloads as d (day, creator_id, product_id, episode_id, listener_key, user_agent, spans,
        needed_bytes, first_at, counted_at, counted_in, is_from_old_feed, ${FACTS})
      select day, creator_id, product_id, episode_id, row_key, user_agent, spans, needed_bytes, at,
        case when enough then at end, case when enough then ${flush}::bigint end, source = 'former_host', ${FACTS}
      from aimed join facts using (fact)
      order by day, episode_id, row_key
      on conflict (day, episode_id, listener_key) do update set
        spans = d.spans + excluded.spans,
        first_at = least(d.first_at, excluded.first_at),
        counted_at = case when ${enough} then excluded.first_at end,
        counted_in = case when ${enough} then ${flush}::bigint end
      where d.counted_in is null
      returning day, creator_id, product_id, episode_id, first_at as at, listener_key, counted_in, ${FACTS}
    ), ${addToSums('downloads', sql`select * from kept where counted_in = ${flush}::bigint`)}
    select 1`);
}
