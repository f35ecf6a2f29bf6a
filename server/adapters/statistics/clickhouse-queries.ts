import type { Filters } from './port';

/** Rows of a creator, or of one show. */
const IN_SCOPE = 'creator_id = {creator:UInt64} and ({product:UInt64} = 0 or product_id = {product:UInt64})';
const IN_DAYS = 'day between {from:Date} and {to:Date}';
const SUM = 'toFloat64(sum(plays))';
const NOON = 48;
const NO_SLOT = 255;

/** The number of the bucket in which a quarter of an hour is, from 1; 0 outside. */
const inBuckets = (sums: string) => `
  select bucket, measure, ${SUM} as plays from (
    select arrayLastIndex(start -> start <= quarter, {starts:Array(UInt32)}) as bucket, quarter, measure, plays
    from (${sums})
  ) where bucket > 0 and quarter < {ends:Array(UInt32)}[bucket]
  group by bucket, measure`;

export const BUCKETS = inBuckets(`
  select toUInt32(day) * 96 + if(slot = ${NO_SLOT}, ${NOON}, slot) as quarter, measure, sum(plays) as plays
  from show_slots where ${IN_SCOPE} and ${IN_DAYS} group by quarter, measure`);

/** As BUCKETS, for each show of a creator. */
export const SHOW_BUCKETS = `
  select toFloat64(product_id) as productId, bucket, ${SUM} as plays from (
    select product_id, arrayLastIndex(start -> start <= quarter, {starts:Array(UInt32)}) as bucket, quarter, plays
    from (
      select product_id, toUInt32(day) * 96 + if(slot = ${NO_SLOT}, ${NOON}, slot) as quarter, sum(plays) as plays
      from show_slots where creator_id = {creator:UInt64} and ${IN_DAYS} and measure != 'p' group by product_id, quarter
    )
  ) where bucket > 0 and quarter < {ends:Array(UInt32)}[bucket]
  group by product_id, bucket order by product_id, bucket`;

/** Plays of a country, of an app, or of an app in a country; all as if they were downloads. */
export function filteredDays({ country, app }: Filters): string {
  const dimension = country && app ? 'pair' : country ? 'country' : 'app';
  const key = country && app ? "concat({country:String}, '|', {app:String})" : `{${dimension}:String}`;
  return inBuckets(`
    select toUInt32(day) * 96 + ${NOON} as quarter, 'd' as measure, sum(plays) as plays
    from show_values where ${IN_SCOPE} and ${IN_DAYS} and dimension = '${dimension}' and key = ${key} group by quarter`);
}

export const VALUES = `
  select dimension, key, ${SUM} as plays from show_values
  where ${IN_SCOPE} and ${IN_DAYS} and dimension != 'pair' group by dimension, key`;

export const FILTERED_PAIRS = `
  select value.1 as dimension, value.2 as key, ${SUM} as plays
  from (
    select splitByChar('|', key) as parts, sum(plays) as plays from show_values
    where ${IN_SCOPE} and ${IN_DAYS} and dimension = 'pair' group by parts
  ) array join [('country', parts[1]), ('app', parts[2])] as value
  where ({country:String} = '' or parts[1] = {country:String}) and ({app:String} = '' or parts[2] = {app:String})
  group by dimension, key`;

export const WEEKDAYS = `
  select {offsets:Array(Int32)}[indexOf({days:Array(Date)}, day)] as offset, toDayOfWeek(day) - 1 as weekday, slot,
    ${SUM} as plays
  from show_slots
  where ${IN_SCOPE} and day in {days:Array(Date)} and slot != ${NO_SLOT} and measure != 'p'
  group by offset, weekday, slot`;

export const MONTHS = `
  select toString(toStartOfMonth(hour)) as month, measure, formatDateTime(hour, '%d%H') as moment, ${SUM} as plays
  from episode_hours
  where episode_id = {id:UInt64} and toStartOfMonth(hour) between {from:Date} and {to:Date}
  group by month, measure, moment`;

export const MONTH_VALUES = `
  select toString(v.month) as month, dimension, key, ${SUM} as plays from episode_values as v
  where episode_id = {id:UInt64} and v.month between {from:Date} and {to:Date} group by v.month, dimension, key`;

/** Plays of episodes with their hour since the release. */
const SINCE_RELEASE = `
  select episode_id as id, plays,
    dateDiff('hour', {releases:Array(DateTime('UTC'))}[indexOf({ids:Array(UInt64)}, episode_id)], hour) as passed
  from episode_hours where episode_id in {ids:Array(UInt64)} and measure != 'p'`;

const within = (hours: number) => `toFloat64(sumIf(plays, passed between 0 and ${hours - 1}))`;

export const STARTS = `
  select toFloat64(id) as id, ${within(24)} as day, ${within(168)} as week, ${within(720)} as month
  from (${SINCE_RELEASE}) group by id`;

export const HOURS_SINCE_RELEASE = `
  select toFloat64(id) as id, toInt32(passed) as hour, ${SUM} as plays
  from (${SINCE_RELEASE}) where passed between 0 and {hours:Int32} - 1 group by id, passed`;

export const EPISODES = `
  select toFloat64(episode_id) as id, ${SUM} as plays from episode_hours
  where episode_id in {ids:Array(UInt64)} and measure != 'p' and hour >= {from:DateTime('UTC')} and hour < {until:DateTime('UTC')}
  group by episode_id`;

export const SHOW_DAYS = `
  select toFloat64(creator_id) as creatorId, toFloat64(product_id) as productId, toString(s.day) as day, measure,
    ${SUM} as plays
  from show_slots as s where product_id >= {from:UInt64} and product_id < {until:UInt64}
  group by creator_id, product_id, day, measure`;
