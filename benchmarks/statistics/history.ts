import path from 'node:path';
import type postgres from 'postgres';
import { openKeptDatabase } from '../kept-database';
import { sharesTable } from './shares';

/** The last day of the history. Two years, with an episode of each show every week. */
export const LAST_DAY = '2026-11-26';
const DAYS = 728;
const EPISODES = DAYS / 7;
/** The month whose raw events exist, for the three shows. */
export const RAW_MONTH = { from: '2026-10-01', until: '2026-11-01' };

/** Ranks of shows: the largest has a quarter of all downloads. */
export const SHOWS = { largest: 1, median: 500, small: 1000 };
const COUNT = 1000;
const EXPONENT = 1.2;
/** Every twentieth show is of the creator with the largest one. */
const NETWORK = 20;
/** Of all plays; the others are listens in the web player. */
const DOWNLOADS = 0.9;

export type History = Awaited<ReturnType<typeof prepareHistory>>;

/**
 * A database with the sums of this many downloads, which is kept under `.data/bench-statistics`. The number of plays of
 * each show, day, episode and month is drawn, and its maps are those of a stored example with as many plays (within 5 %).
 */
export async function prepareHistory(downloads: number) {
  const dir = path.resolve('.data/bench-statistics');
  const name = `history_${downloads / 1_000_000}m`;
  const kept = await openKeptDatabase({ dir, name, fill: (sql) => fillHistory(sql, downloads) });
  const [made] = await kept.sql<
    { downloads: number; days: number; months: number; raw: number; seconds: number; bytes: number }[]
  >`
    select * from bench_made`;
  return { ...kept, made: made! };
}

async function fillHistory(sql: postgres.Sql, downloads: number): Promise<void> {
  const startedAt = performance.now();
  await sql.unsafe('select setseed(0.5)');
  for (const step of [...examples(), ...shows(downloads / DOWNLOADS), ...sums(), ...rawEvents()])
    await sql.unsafe(step);
  await sql.unsafe('vacuum analyze');
  const seconds = (performance.now() - startedAt) / 1000;
  await sql.unsafe(`
    create table bench_made as select
      (select sum(downloads)::float8 from listening_days) as downloads, (select count(*)::float8 from listening_days) as days,
      (select count(*)::float8 from episode_months) as months, (select count(*)::float8 from downloads) as raw,
      ${seconds}::float8 as seconds,
      (pg_total_relation_size('listening_days') + pg_total_relation_size('episode_months'))::float8 as bytes`);
}

/** A whole number near `expected`, so that small shows have days without plays. */
const drawn = (expected: string) => `floor(${expected} + random())::int`;

/** The maps of days and months with a few hundred numbers of plays, three of each for days. */
function examples(): string[] {
  const counted = (share: string) => `floor(plays * ${share} + random())::int`;
  const curve = 'array[1,1,1,1,2,4,7,8,7,6,5,5,5,5,5,5,6,7,7,6,5,4,3,2]';
  const ofDay = (measure: string, share: number) => `
    select plays, variant, ${measure} as measure, jsonb_object_agg(slot, n) as counts from (
      select plays, variant, slot, ${counted(`${share} * (${curve})[1 + slot / 4] / 432.0`)} as n
      from bench_sizes, generate_series(1, 3) variant, generate_series(0, 95) slot
    ) c where n > 0 group by 1, 2`;
  const weights = (table: string, starts: string, weight: string) => `
    create table ${table}_hours as
      select start, lpad(day::text, 2, '0') || lpad(hour::text, 2, '0') as key, w::float8 / sum(w) over (partition by start) as share
      from (
        select start, day, hour, (${curve})[1 + hour] * ${weight} as w
        from ${starts} start, generate_series(1, 28) day, generate_series(0, 23) hour where day >= start
      ) w`;
  const ofMonth = (table: string) => `
    create table ${table} as
      select plays, start, jsonb_object_agg(measure, counts) as hours from (
        select plays, start, measure, jsonb_object_agg(key, n) as counts from (
          select plays, start, measure, key, floor(plays * part * share + random())::int as n
          from bench_sizes, ${table}_hours, (values ('d', ${DOWNLOADS}), ('l', ${1 - DOWNLOADS})) m(measure, part)
        ) c where n > 0 group by 1, 2, 3
      ) h group by 1, 2`;
  return [
    `create table bench_sizes as select plays from generate_series(0, 40) plays
      union select floor(40 * power(1.05, n))::int from generate_series(1, 175) n`,
    ...sharesTable('bench_shares'),
    `create table bench_maps as
      select plays, variant, jsonb_object_agg(name, counts) filter (where name <> 'pair') as dimensions,
        coalesce((jsonb_agg(counts) filter (where name = 'pair')) -> 0, '{}') as pairs
      from (
        select plays, variant, name, jsonb_object_agg(key, n) as counts from (
          select plays, variant, name, key, ${counted('share')} as n from bench_sizes, generate_series(1, 3) variant, bench_shares
        ) c where n > 0 group by 1, 2, 3
      ) m group by 1, 2`,
    `create table bench_days as
      select plays, variant, jsonb_object_agg(measure, counts) as slots
      from (${ofDay("'d'", DOWNLOADS)} union all ${ofDay("'l'", 1 - DOWNLOADS)}) s group by 1, 2`,
    weights('bench_first_months', 'generate_series(1, 28)', 'power(1 + (day - start) * 24 + hour, -1.1)'),
    weights('bench_months', 'generate_series(1, 1)', '1'),
    ofMonth('bench_first_months'),
    ofMonth('bench_months'),
    ...['maps', 'days'].map((name) => `create unique index on bench_${name} (plays, variant)`),
    ...['first_months', 'months'].map((name) => `create unique index on bench_${name} (plays, start)`),
    'analyze',
  ];
}

function shows(plays: number): string[] {
  return [
    `create table bench_shows as
      select rank, case when rank % ${NETWORK} = 1 then 1 else rank end as creator_id,
        ${plays} * power(rank, -${EXPONENT}) / sum(power(rank, -${EXPONENT})) over () as total
      from generate_series(1, ${COUNT}) rank`,
    `insert into users (email, name, password_hash, country, language, currency, terms_accepted_at)
      select 'c' || n || '@mail.example', 'Creator ' || n, 'none', 'ES', 'es', 'eur', now() from generate_series(1, ${COUNT}) n`,
    `insert into creators (user_id, name, domain, claimed_at) select id, name, 'creator-' || id, now() from users order by id`,
    `insert into products (creator_id, kind, name, slug, description, category, language, cover_key, currency, feed_guid, created_at, changed_at)
      select creator_id, 'podcast', 'Show ' || rank, 'show-' || rank, '', 100, 'es', 'images/0/none', 'eur', gen_random_uuid(), now(), now()
      from bench_shows order by rank`,
    `insert into episodes (creator_id, product_id, name, slug, description, type, status, release_at, published_at, guid, upload_key, file_name, audio_key, audio_bytes, duration_ms)
      select creator_id, rank, 'Episode ' || n, 'episode-' || n, '', 'public', 'published',
        '${LAST_DAY}'::date - ${DAYS} + (n - 1) * 7 + interval '6 hours', now(), 'g' || rank || '-' || n, 'u' || rank || '-' || n,
        'audio.mp3', 'audio/0/0.mp3', 28800000, 1800000
      from bench_shows, generate_series(1, ${EPISODES}) n order by rank, n`,
  ];
}

/** Listeners come in the first days of an episode, so a show's week has its own pattern. */
function sums(): string[] {
  return [
    'alter table listening_days set (autovacuum_enabled = false)',
    'alter table episode_months set (autovacuum_enabled = false)',
    `insert into listening_days (creator_id, product_id, day, listens, downloads, listeners, slots, dimensions, pairs)
      select creator_id, product_id, day, plays - floor(plays * ${DOWNLOADS})::int, floor(plays * ${DOWNLOADS})::int,
        floor(plays * 0.8)::int, coalesce(slots, '{}'), coalesce(dimensions, '{}'), coalesce(pairs, '{}')
      from (
        select creator_id, rank as product_id, day, s.plays, 1 + (rank + day - '2024-01-01'::date) % 3 as variant
        from (
          select creator_id, rank, day::date as day,
            ${drawn(`total / ${DAYS} * (0.8 + 0.4 * random()) * (array[0.9, 1.5, 1.1, 0.9, 0.9, 0.8, 0.9])[extract(isodow from day)::int]`)} as n
          from bench_shows, generate_series('${LAST_DAY}'::date - ${DAYS - 1}, '${LAST_DAY}'::date, interval '1 day') day
        ) d, lateral (select (select array_agg(plays order by plays) from bench_sizes) as sizes offset 0) z,
          lateral (select sizes[width_bucket(n, sizes)] as plays) s
        where s.plays > 0 order by 1, 2, 3
      ) d left join bench_days using (plays, variant) left join bench_maps using (plays, variant)`,
    `insert into episode_months (creator_id, product_id, episode_id, month, listens, downloads, hours, dimensions)
      select creator_id, product_id, episode_id, month, e.plays - floor(e.plays * ${DOWNLOADS})::int, floor(e.plays * ${DOWNLOADS})::int,
        coalesce(f.hours, m.hours, '{}'), coalesce(dimensions, '{}')
      from (
        select e.creator_id, e.product_id, e.id as episode_id, month::date as month, s.plays, age,
          case when age = 0 then least(28, extract(day from e.release_at))::int else 1 end as start, 1 + (e.id % 3)::int as variant
        from episodes e join bench_shows b on b.rank = e.product_id,
          generate_series(date_trunc('month', e.release_at), '${LAST_DAY}'::date, interval '1 month') month,
          lateral (select (extract(year from age(month, date_trunc('month', e.release_at))) * 12
            + extract(month from age(month, date_trunc('month', e.release_at))))::int as age) a,
          lateral (select ${drawn(`b.total / ${EPISODES} * case age when 0 then 0.6 when 1 then 0.15 else 0.1 * power(age, -1.3) end`)} as n) d,
          lateral (select (select array_agg(plays order by plays) from bench_sizes) as sizes offset 0) z,
          lateral (select sizes[width_bucket(n, sizes)] as plays) s
        where s.plays > 0 order by 1, 2, 3, 4
      ) e left join bench_maps using (plays, variant)
        left join bench_first_months f on age = 0 and f.plays = e.plays and f.start = e.start
        left join bench_months m on age > 0 and m.plays = e.plays`,
    `insert into episode_totals (episode_id, creator_id, listens, downloads)
      select episode_id, creator_id, sum(listens), sum(downloads) from episode_months group by 1, 2`,
    `insert into machine_days (creator_id, product_id, day, requests, reasons, agents)
      select creator_id, product_id, day, downloads / 10, jsonb_build_object('bot', downloads / 10),
        jsonb_build_object('Googlebot', downloads / 20, 'Bytespider', downloads / 20)
      from listening_days where downloads >= 20`,
    ...['listening_days', 'episode_months'].map((table) => `alter table ${table} reset (autovacuum_enabled)`),
  ];
}

/** Each download of the month in which the largest, the median and the small show are counted again. */
function rawEvents(): string[] {
  const { from, until } = RAW_MONTH;
  const pick = (name: string) => `(array(select key from bench_shares where name = '${name}' order by share desc))`;
  const random = (name: string, power: number) =>
    `${name}s[1 + floor(cardinality(${name}s) * power(random(), ${power}))::int] as ${name}`;
  const events = (measure: string) => `
    from listening_days d cross join lateral generate_series(1, d.${measure}) n
      cross join (select ${['country', 'app', 'device', 'os', 'source'].map((name) => `${pick(name)} as ${name}s`).join(', ')}) v
    where product_id in (${Object.values(SHOWS).join(', ')}) and day >= '${from}' and day < '${until}'`;
  const facts = `${random('country', 2.5)}, ${random('app', 3)}, ${random('device', 2)}, ${random('os', 2)}, ${random('source', 3)}`;
  const at = "day + random() * interval '86399 seconds'";
  const episode = `(product_id - 1) * ${EPISODES} + 1 + floor(${EPISODES} * power(random(), 0.3))::int`;
  return [
    `select make_listening_partitions('${from}'::date, 3)`,
    `insert into downloads (day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, first_at, counted_at, counted_in, country, app, device, os, source)
      select day, creator_id, product_id, episode, decode(md5(day::text || product_id || n), 'hex'), 'AppleCoreMedia/1.0.0.' || n % 200,
        '{[1000,900000)}', 480000, at, at, 1, country, app, device, os, source
      from (select day, creator_id, product_id, n, ${episode} as episode, (${at}) at time zone 'UTC' as at, ${facts} ${events('downloads')}) e`,
    `insert into listens (day, creator_id, product_id, episode_id, session_id, at, country, app, device, os, source)
      select day, creator_id, product_id, ${episode}, 's' || n, (${at}) at time zone 'UTC', ${facts} ${events('listens')}`,
  ];
}
