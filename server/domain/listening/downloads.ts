import { hash, randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ReceivedParts, Span } from '~/db/values/listening';
import { classifyAgent } from '../../agents/classify';
import { utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { addToRollups } from './rollups';
import { contentSpan, isProbe, mergeSpans, neededBytes, networkPrefix, toMultirange, totalBytes } from './rules';

/** Bytes of an episode that were sent to a client, and the range it requested. */
export type Delivery = {
  episode: ReceivedParts['episode'];
  method: string;
  status: number;
  /** The single requested range; null for the whole file. */
  requested: Span | null;
  delivered: Span;
  client: { address: string; userAgent: string };
  /** The client followed the redirect of the show's former host. */
  isFromOldFeed?: boolean;
};

const KEY_BYTES = 16;
const MAX_AGENT_LENGTH = 300;

/**
 * Stores the delivered bytes, and counts a download once one listener has received enough of the episode on one day,
 * over all range requests (IAB Podcast Measurement 2.3; decision 0014). HEAD, 304, two-byte probes and bots are
 * ignored. Resolves after the commit. @throws common.server_busy
 */
export async function recordDelivery(ctx: Pick<Ctx, 'recorders' | 'now'>, delivery: Delivery): Promise<void> {
  const { episode, client, isFromOldFeed = false } = delivery;
  const span = audioOf(delivery);
  if (!span) return;
  const at = ctx.now();
  const day = utcDay(at);
  const listenerKey = hashListener(await ctx.recorders.saltOf(day), client);
  const userAgent = client.userAgent.slice(0, MAX_AGENT_LENGTH);
  await ctx.recorders.downloads.record({ day, episode, listenerKey, userAgent, spans: [span], at, isFromOldFeed });
}

/** The audio that was delivered; null for probes, bots and failed requests. */
export function audioOf({ method, status, requested, client, delivered, episode }: Delivery): Span | null {
  if (method !== 'GET' || (status !== 200 && status !== 206)) return null;
  const isMachine = classifyAgent(client.userAgent).kind === 'bot';
  return isProbe(requested) || isMachine ? null : contentSpan(delivered, episode);
}

/** Addresses are never stored: once the day's salt is deleted, a key can't be traced back to an address. */
function hashListener(salt: Buffer, { address, userAgent }: Delivery['client']): string {
  // one call, because an HMAC object would take a tenth of the time of a download event
  return hash('sha256', `${salt.toString('hex')}\n${networkPrefix(address)}\n${userAgent}`).slice(0, KEY_BYTES * 2);
}

/** A statement may update a row only once, so a listener's requests are merged. */
function mergeByListener(items: ReceivedParts[]): ReceivedParts[] {
  const byKey = new Map<string, ReceivedParts>();
  for (const item of items) {
    const key = `${item.day} ${item.episode.id} ${item.listenerKey}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...known, spans: mergeSpans([...known.spans, ...item.spans]) } : item);
  }
  return [...byKey.values()];
}

export async function insertDownloads(db: Ctx['db'], items: ReceivedParts[]): Promise<null[]> {
  const rows = mergeByListener(items);
  /**
   * An array of values without special characters, written as one text, because the driver escapes each value of other
   * arrays.
   */
  const plain = (pick: (item: ReceivedParts) => string | number | boolean) =>
    sql.param(`{${rows.map(pick).join(',')}}`);
  const escaped = (pick: (item: ReceivedParts) => string) => sql.param(rows.map(pick));
  /** Marks the rows that this statement counts: RETURNING can't see the previous value. */
  const flush = randomInt(1, 2 ** 47);
  const enough = sql`
    (select sum(upper(r) - lower(r)) from unnest(d.spans + excluded.spans) r) >= d.needed_bytes`;
  await db.execute(sql`
    with arrived as (
      select day::date as day, creator_id, product_id, episode_id, decode(listener_key, 'hex') as listener_key,
        user_agent, spans::int8multirange as spans, needed_bytes, to_timestamp(at / 1000.0) as at, enough::bool as enough,
        old_feed::bool as old_feed
      from unnest(
        ${plain((i) => i.day)}::text[], ${plain((i) => i.episode.creatorId)}::bigint[],
        ${plain((i) => i.episode.productId)}::bigint[], ${plain((i) => i.episode.id)}::bigint[],
        ${plain((i) => i.listenerKey)}::text[], ${escaped((i) => i.userAgent)}::text[],
        ${plain((i) => `"${toMultirange(i.spans)}"`)}::text[], ${plain((i) => neededBytes(i.episode))}::int[],
        ${plain((i) => i.at.getTime())}::bigint[],
        ${plain((i) => totalBytes(i.spans) >= neededBytes(i.episode))}::text[],
        ${plain((i) => i.isFromOldFeed ?? false)}::text[]
      ) as a(day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, at, enough,
        old_feed)
    ), kept as (
      insert into downloads as d (day, creator_id, product_id, episode_id, listener_key, user_agent, spans,
        needed_bytes, first_at, counted_at, counted_in, is_from_old_feed)
      select day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, at,
        case when enough then at end, case when enough then ${flush}::bigint end, old_feed
      from arrived
      order by day, episode_id, listener_key
      on conflict (day, episode_id, listener_key) do update set
        spans = d.spans + excluded.spans,
        counted_at = case when ${enough} then excluded.first_at end,
        counted_in = case when ${enough} then ${flush}::bigint end
      where d.counted_in is null
      returning day, creator_id, product_id, episode_id, counted_in
    ), ${addToRollups('downloads', sql`select day, creator_id, product_id, episode_id from kept where counted_in = ${flush}::bigint`)}
    select 1`);
  return items.map(() => null);
}
