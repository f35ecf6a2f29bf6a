import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/db/client';
import { plainArray } from '~/db/driver/plain-array';
import type { RenditionParts, Span } from '~/db/values/listening';
import { dayIn } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import type { Ctx } from '../../runtime/ctx';
import { hasRoom } from './queries';

type Row = {
  item: number;
  day: string;
  episode: string;
  key: string;
  spans: string;
  counted: number[];
  reserved: string[];
  country: string | null;
  app: string | null;
  /** In ms. */
  began: number;
};
/** A clip that a listener has got whole, in a counted download. */
type Impression = {
  campaignId: number;
  episodeId: number;
  country: string;
  app: string;
  at: Date;
  beganAt: Date;
  isReserved: boolean;
};

/**
 * Adds received bytes to the downloads of renditions, and counts each clip whose bytes were all sent, once per download
 * and only if that counts: one minute of audio was sent (IAB Podcast Measurement 2.3 §6.3). A batch is one transaction.
 * Rows are locked before campaigns, like in hold-rendition.ts.
 */
export async function countImpressions(
  db: Pick<Database, 'transaction'>,
  items: RenditionParts[],
  reach: Ctx['reach'] = () => undefined,
): Promise<null[]> {
  const merged = mergeParts(items);
  await db.transaction(async (tx) => {
    await insertMissing(tx, merged);
    const rows = await lockRows(tx, merged);
    await reach('impressions.locked');
    const changed = rows.map((row) => ({ row, ...addTo(row, merged[row.item]!) }));
    await writeRows(tx, changed);
    const found = changed.flatMap(({ impressions }) => impressions);
    if (found.length > 0) await addImpressions(tx, found);
  });
  return items.map(() => null);
}

function mergeParts(items: RenditionParts[]): RenditionParts[] {
  const byKey = new Map<string, RenditionParts>();
  for (const item of items) {
    const key = `${item.day} ${item.episodeId} ${item.listenerKey} ${item.renditionId}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...known, spans: [...known.spans, ...item.spans] } : item);
  }
  return [...byKey.values()];
}

const window = sql`interval '${sql.raw(`${RENDITION_LIMITS.window}`)} milliseconds'`;

/** The items as rows `a`, with their positions as `item`. */
function asRows(items: RenditionParts[]) {
  const plain = (pick: (item: RenditionParts) => string | number) => plainArray(items.map(pick));
  return sql`
    select item - 1 as item, day, episode_id, rendition_id, decode(key, 'hex') as key, decode(former, 'hex') as former,
      to_timestamp(at / 1000.0::float8) as at
    from unnest(${plain((i) => i.day)}::date[], ${plain((i) => i.episodeId)}::bigint[],
      ${plain((i) => i.renditionId)}::text[], ${plain((i) => i.listenerKey)}::text[],
      ${plain((i) => i.formerKey ?? 'null')}::text[], ${plain((i) => i.at.getTime())}::bigint[])
      with ordinality as a(day, episode_id, rendition_id, key, former, at, item)`;
}

const isWindow = sql`d.episode_id = a.episode_id and d.began_at > a.at - ${window}
  and ((d.day = a.day and d.listener_key = a.key) or (d.day = a.day - 1 and d.listener_key = a.former))`;

/**
 * A listener who continues after more than a day begins another download, without reserved room in caps. Not of a file
 * that was replaced: requests for it must not keep it from being deleted.
 */
async function insertMissing(tx: Transaction, items: RenditionParts[]): Promise<void> {
  const values = sql.param(items.map(({ country }) => country ?? ''));
  const apps = sql.param(items.map(({ app }) => app));
  await tx.execute(sql`
    with a as materialized (${asRows(items)})
    insert into rendition_downloads (day, episode_id, listener_key, rendition_id, began_at, country, app)
    select a.day, a.episode_id, a.key, a.rendition_id, a.at, nullif(f.country, ''), f.app
    from a join unnest(${values}::text[], ${apps}::text[]) with ordinality as f(country, app, item) on f.item = a.item + 1
    where exists (
        select from renditions r join episodes e on e.id = r.episode_id and e.audio_key = r.audio_key
        where r.id = a.rendition_id)
      and not exists (select from rendition_downloads d where ${isWindow})
    order by a.day, a.episode_id, a.key
    on conflict do nothing`);
}

async function lockRows(tx: Transaction, items: RenditionParts[]): Promise<Row[]> {
  const rows = await tx.execute<Row>(sql`
    with a as materialized (${asRows(items)})
    select a.item::int as item, d.day::text as day, d.episode_id as episode, encode(d.listener_key, 'hex') as key, d.spans::text as spans, d.counted,
      d.reserved_ids as reserved, d.country, d.app, (extract(epoch from d.began_at) * 1000)::float8 as began
    from a join rendition_downloads d on ${isWindow} and d.rendition_id = a.rendition_id
    order by d.day, d.episode_id, d.listener_key
    for update of d`);
  return [...rows];
}

type Changed = { row: Row; spans: Span[]; counted: number[]; reserved: number[]; impressions: Impression[] };

function addTo(row: Row, item: RenditionParts): Omit<Changed, 'row'> {
  const spans = merge([...readSpans(row.spans), ...item.spans]).slice(0, RENDITION_LIMITS.spans);
  const counted = [...row.counted];
  const beganAt = new Date(row.began);
  let reserved = row.reserved.map(Number);
  const impressions: Impression[] = [];
  const isCounted = spans.reduce((sum, { from, to }) => sum + to - from, 0) >= item.neededBytes;
  for (const { position, campaignId, from, to } of isCounted ? item.clips : []) {
    const isWhole = spans.some((span) => span.from <= from && to <= span.to);
    if (!isWhole || counted.includes(position)) continue;
    counted.push(position);
    const isReserved = reserved.includes(campaignId);
    reserved = reserved.filter((id) => id !== campaignId);
    const place = { country: row.country ?? '', app: row.app ?? '' };
    impressions.push({ campaignId, episodeId: item.episodeId, ...place, at: item.at, beganAt, isReserved });
  }
  return { spans, counted, reserved, impressions };
}

const readSpans = (multirange: string): Span[] =>
  [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => ({ from: Number(from), to: Number(to) }));

function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

async function writeRows(tx: Transaction, changed: Changed[]): Promise<void> {
  if (changed.length === 0) return;
  const plain = (pick: (each: Changed) => string | number) => plainArray(changed.map(pick));
  const quoted = (pick: (each: Changed) => string) => sql.param(changed.map(pick));
  await tx.execute(sql`
    update rendition_downloads d
    set spans = a.spans::int8multirange, counted = a.counted::int[], reserved_ids = a.reserved::bigint[]
    from unnest(${plain(({ row }) => row.day)}::date[], ${plain(({ row }) => row.episode)}::bigint[],
      ${plain(({ row }) => row.key)}::text[], ${quoted(({ spans }) => toMultirange(spans))}::text[],
      ${quoted(({ counted }) => `{${counted}}`)}::text[], ${quoted(({ reserved }) => `{${reserved}}`)}::text[])
      as a(day, episode_id, key, spans, counted, reserved)
    where d.day = a.day and d.episode_id = a.episode_id and d.listener_key = decode(a.key, 'hex')`);
}

const toMultirange = (spans: Span[]): string => `{${spans.map(({ from, to }) => `[${from},${to})`).join()}}`;

type Campaign = { id: string; room: number | null; zone: string; stopped: number | null; lastDay: string | null };

/**
 * An impression without a reservation counts while its campaign's cap has room, and if the download began before the
 * campaign ended: the address of a rendition works for longer, for anyone.
 */
async function addImpressions(tx: Transaction, found: Impression[]): Promise<void> {
  const ids = [...new Set(found.map(({ campaignId }) => campaignId))];
  const campaigns = await tx.execute<Campaign>(sql`
    select c.id, (c.cap - c.impressions - c.reserved)::int as room, o.time_zone as zone, c.last_day::text as "lastDay",
      (extract(epoch from least(c.ended_at, c.deleted_at, case when not c.is_active then c.updated_at end)) * 1000)::float8
        as stopped
    from insertion_campaigns c join creators o on o.id = c.creator_id
    where c.id = any(${plainArray(ids)}::bigint[]) order by c.id for no key update of c`);
  const sums: { id: number; counted: number; reserved: number; further: number }[] = [];
  const days = new Map<string, { impression: Impression; day: string; count: number }>();
  for (const { id, room, zone, stopped, lastDay } of campaigns) {
    const own = found.filter(({ campaignId }) => campaignId === Number(id));
    const ran = ({ beganAt }: Impression) =>
      (stopped === null || beganAt.getTime() < stopped) && (lastDay === null || dayIn(beganAt, zone) <= lastDay);
    const reserved = own.filter(({ isReserved }) => isReserved);
    const further = own.filter((each) => !each.isReserved && ran(each)).slice(0, room ?? own.length);
    sums.push({
      id: Number(id),
      counted: reserved.length + further.length,
      reserved: reserved.length,
      further: further.length,
    });
    for (const impression of [...reserved, ...further]) {
      const day = dayIn(impression.at, zone);
      const key = JSON.stringify([id, day, impression.episodeId, impression.country, impression.app]);
      days.set(key, { impression, day, count: (days.get(key)?.count ?? 0) + 1 });
    }
  }
  const plain = (values: number[]) => plainArray(values);
  await tx.execute(sql`
    update insertion_campaigns c set impressions = c.impressions + a.counted, reserved = c.reserved - a.reserved
    from unnest(${plain(sums.map(({ id }) => id))}::bigint[], ${plain(sums.map(({ counted }) => counted))}::int[],
      ${plain(sums.map(({ reserved }) => reserved))}::int[]) as a(id, counted, reserved)
    where c.id = a.id`);
  const rows = [...days.values()];
  await tx.execute(sql`
    insert into impression_days as i (campaign_id, day, episode_id, country, app, impressions)
    select * from unnest(${plain(rows.map(({ impression }) => impression.campaignId))}::bigint[],
      ${plainArray(rows.map(({ day }) => day))}::date[], ${plain(rows.map(({ impression }) => impression.episodeId))}::bigint[],
      ${sql.param(rows.map(({ impression }) => impression.country))}::text[],
      ${sql.param(rows.map(({ impression }) => impression.app))}::text[], ${plain(rows.map(({ count }) => count))}::int[])
    order by 1, 2, 3, 4, 5
    on conflict (campaign_id, day, episode_id, country, app) do update set impressions = i.impressions + excluded.impressions`);
  const filled = sums.filter(({ further }) => further > 0).map(({ id }) => id);
  if (filled.length > 0) await forgetServed(tx, filled, found[0]!.at);
}

/**
 * Downloads with a reservation have changed the stated lengths when they took the last room of a cap. Where an impression
 * without one takes it, `refreshDue` finds that the show has no lengths of today.
 */
async function forgetServed(tx: Transaction, campaignIds: number[], at: Date): Promise<void> {
  const today = sql`(${at.toISOString()}::timestamptz at time zone o.time_zone)`;
  await tx.execute(sql`
    delete from served_shows where product_id in (
      select c.product_id from insertion_campaigns c join creators o on o.id = c.creator_id
      where c.id = any(${plainArray(campaignIds)}::bigint[]) and c.cap is not null and not (${hasRoom(today)}))`);
}
