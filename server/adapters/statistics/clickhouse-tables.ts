/**
 * Days that raw events are kept, as in Postgres. The rollups stay: ClickHouse adds to them whatever is inserted into
 * `plays`.
 */
const KEPT_DAYS = 90;

/** The latest inserts whose keys are remembered: one that is repeated is among the last few. */
const REMEMBERED = 'non_replicated_deduplication_window = 10000';

const DIMENSIONS = ['country', 'region', 'app', 'device', 'os', 'source', 'referrer'];

const values = DIMENSIONS.map((name) => `('${name}', toString(${name}))`).join(', ');
const pair = `('pair', if(country = '' or app = '', '', concat(country, '|', app)))`;

const rollup = (name: string, columns: string, key: string) => `
  create table if not exists ${name} (${columns}, plays Int64) engine = SummingMergeTree(plays)
  order by (${key}) settings ${REMEMBERED}`;

const fill = (name: string, query: string) => `
  create materialized view if not exists ${name}_of_plays to ${name} as ${query}`;

/**
 * The tables, with the statements that create them. Sums are by the same parts as the rollups in Postgres: quarters of an
 * hour and values of a show's day, hours and values of an episode. `slot` is 255 for plays without a time of day.
 */
export const CLICKHOUSE_TABLES: string[] = [
  `create table if not exists plays (
    id UInt64, measure LowCardinality(String), creator_id UInt64, product_id UInt64, episode_id UInt64,
    at DateTime('UTC'), ${DIMENSIONS.map((name) => `${name} LowCardinality(String)`).join(', ')}
  ) engine = MergeTree partition by toYYYYMM(at) order by (creator_id, product_id, at, id)
  ttl at + interval ${KEPT_DAYS} day settings ${REMEMBERED}, ttl_only_drop_parts = 1`,
  rollup(
    'show_slots',
    'creator_id UInt64, product_id UInt64, day Date, slot UInt8, measure LowCardinality(String)',
    'creator_id, product_id, day, slot, measure',
  ),
  rollup(
    'show_values',
    'creator_id UInt64, product_id UInt64, day Date, dimension LowCardinality(String), key String',
    'creator_id, product_id, day, dimension, key',
  ),
  rollup(
    'episode_hours',
    "episode_id UInt64, hour DateTime('UTC'), measure LowCardinality(String)",
    'episode_id, hour, measure',
  ),
  rollup(
    'episode_values',
    'episode_id UInt64, month Date, dimension LowCardinality(String), key String',
    'episode_id, month, dimension, key',
  ),
  fill(
    'show_slots',
    `select creator_id, product_id, toDate(at) as day, toUInt8(toHour(at) * 4 + intDiv(toMinute(at), 15)) as slot,
      measure, toInt64(count()) as plays
    from plays group by creator_id, product_id, day, slot, measure`,
  ),
  fill(
    'show_values',
    `select creator_id, product_id, toDate(at) as day, value.1 as dimension, value.2 as key, toInt64(count()) as plays
    from plays array join [${values}, ${pair}] as value
    where measure != 'p' and value.2 != '' group by creator_id, product_id, day, dimension, key`,
  ),
  fill(
    'episode_hours',
    `select episode_id, toStartOfHour(at) as hour, measure, toInt64(count()) as plays
    from plays group by episode_id, hour, measure`,
  ),
  fill(
    'episode_values',
    `select episode_id, toStartOfMonth(at) as month, value.1 as dimension, value.2 as key, toInt64(count()) as plays
    from plays array join [${values}] as value
    where measure != 'p' and value.2 != '' group by episode_id, month, dimension, key`,
  ),
];
