import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { dailySalts } from '~/db/schema/listening';
import type { Ctx } from '../../ctx';
import { RECORDER_LIMITS } from '../../limits/listening';
import { utcDay } from '../../time';
import { createRecorder, type Recorder, retryOnDeadlock } from './recording';
import { addToRollups } from './rolling-up';
import {
  type AudioLayout,
  contentSpan,
  isBot,
  isProbe,
  mergeSpans,
  neededBytes,
  networkPrefix,
  type Span,
  toMultirange,
  totalBytes,
} from './rules';

/** Bytes of an episode that were handed to a client, and what it asked for. */
export type Delivery = {
  episode: AudioLayout & { id: number; creatorId: number; productId: number };
  method: string;
  status: number;
  /** The one range that was asked for; null for the whole file. */
  requested: Span | null;
  delivered: Span;
  client: { address: string; userAgent: string };
};

/** One listener's part of one episode on one UTC day. */
type Heard = {
  day: string;
  episode: Delivery['episode'];
  /** Hexadecimal. */
  listenerKey: string;
  userAgent: string;
  spans: Span[];
  at: Date;
};

type Needs = Pick<Ctx, 'db' | 'now'>;

const KEY_BYTES = 16;
const LONGEST_AGENT = 300;

const recorders = new WeakMap<object, Recorder<Heard, null>>();
const salts = new WeakMap<object, Map<string, Promise<Buffer>>>();

function recorderOf(db: Ctx['db']): Recorder<Heard, null> {
  const known = recorders.get(db);
  if (known) return known;
  const { capacity, batch } = RECORDER_LIMITS;
  const made = createRecorder({
    capacity,
    batch,
    write: (items: Heard[]) => retryOnDeadlock(() => insertHeard(db, items)),
  });
  recorders.set(db, made);
  return made;
}

/**
 * Keeps what was delivered, and counts a download once enough of the episode reached one listener on one day, ranges
 * put together (IAB Podcast Measurement 2.3; product decisions, Listening). HEAD, 304, two-byte probes and robots are nothing.
 * Settles after the commit. @throws common.server_busy
 */
export async function recordDelivery(ctx: Needs, delivery: Delivery): Promise<void> {
  const { episode, client, requested } = delivery;
  if (delivery.method !== 'GET' || (delivery.status !== 200 && delivery.status !== 206)) return;
  if (isProbe(requested) || isBot(client.userAgent)) return;
  const span = contentSpan(delivery.delivered, episode);
  if (!span) return;
  const at = ctx.now();
  const day = utcDay(at);
  const listenerKey = keyOf(await saltOf(ctx.db, day), client);
  const userAgent = client.userAgent.slice(0, LONGEST_AGENT);
  await recorderOf(ctx.db).record({ day, episode, listenerKey, userAgent, spans: [span], at });
}

/** For a shutdown: settles when every delivery that was heard of is committed. */
export async function deliveriesDrained(ctx: Pick<Ctx, 'db'>): Promise<void> {
  await recorders.get(ctx.db)?.drained();
}

/** Addresses are never stored: without the day's salt, which is thrown away, nobody can come back to one. */
function keyOf(salt: Buffer, { address, userAgent }: Delivery['client']): string {
  const hmac = createHmac('sha256', salt).update(`${networkPrefix(address)}\n${userAgent}`);
  return hmac.digest('hex').slice(0, KEY_BYTES * 2);
}

/** Whoever comes first on a day makes its salt; all processes use the same. */
function saltOf(db: Ctx['db'], day: string): Promise<Buffer> {
  const byDay = salts.get(db) ?? new Map<string, Promise<Buffer>>();
  salts.set(db, byDay);
  const known = byDay.get(day);
  if (known) return known;
  const made = makeSalt(db, day);
  byDay.clear();
  byDay.set(day, made);
  made.catch(() => byDay.delete(day));
  return made;
}

async function makeSalt(db: Ctx['db'], day: string): Promise<Buffer> {
  await db
    .insert(dailySalts)
    .values({ day, salt: randomBytes(32) })
    .onConflictDoNothing();
  const [row] = await db.select({ salt: dailySalts.salt }).from(dailySalts).where(eq(dailySalts.day, day));
  if (!row) throw new Error(`the salt of ${day} is gone`);
  return row.salt;
}

/** One statement may touch a row only once: what one listener got in many requests becomes one. */
function merged(items: Heard[]): Heard[] {
  const byKey = new Map<string, Heard>();
  for (const item of items) {
    const key = `${item.day} ${item.episode.id} ${item.listenerKey}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...known, spans: mergeSpans([...known.spans, ...item.spans]) } : item);
  }
  return [...byKey.values()];
}

async function insertHeard(db: Ctx['db'], items: Heard[]): Promise<null[]> {
  const rows = merged(items);
  const column = (pick: (item: Heard) => string | number) => sql.param(rows.map(pick));
  /** Names this statement in the rows that it counts: RETURNING can't tell what was so before. */
  const flush = randomInt(1, 2 ** 47);
  const enough = sql`
    (select sum(upper(r) - lower(r)) from unnest(d.spans + excluded.spans) r) >= d.needed_bytes`;
  await db.execute(sql`
    with arrived as (
      select day::date as day, creator_id, product_id, episode_id, decode(listener_key, 'hex') as listener_key,
        user_agent, spans::int8multirange as spans, needed_bytes, at::timestamptz as at, enough::bool as enough
      from unnest(
        ${column((i) => i.day)}::text[], ${column((i) => i.episode.creatorId)}::bigint[],
        ${column((i) => i.episode.productId)}::bigint[], ${column((i) => i.episode.id)}::bigint[],
        ${column((i) => i.listenerKey)}::text[], ${column((i) => i.userAgent)}::text[],
        ${column((i) => toMultirange(i.spans))}::text[], ${column((i) => neededBytes(i.episode))}::int[],
        ${column((i) => i.at.toISOString())}::text[],
        ${column((i) => String(totalBytes(i.spans) >= neededBytes(i.episode)))}::text[]
      ) as a(day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, at, enough)
    ), kept as (
      insert into downloads as d (day, creator_id, product_id, episode_id, listener_key, user_agent, spans,
        needed_bytes, first_at, counted_at, counted_in)
      select day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, at,
        case when enough then at end, case when enough then ${flush}::bigint end
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
