import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@clickhouse/client';
import { openClickHouse } from '~/server/adapters/statistics/clickhouse-client';
import { clickhouseStatistics } from '~/server/adapters/statistics/clickhouse-statistics';
import { statisticsSettings } from '~/server/env/statistics';
import { CHDB_PATH, startClickHouse } from '~/tests/support/clickhouse';
import type { BenchmarkRow } from '../table';
import { type OpenHistory, storeRows } from './charts';
import { LAST_DAY } from './history';

/**
 * The charts of all shows from ClickHouse's engine behind the HTTP server of the tests, which answers one request at a
 * time, with the sums of shows as in the history in Postgres.
 */
export async function clickHouseRows(history: OpenHistory): Promise<BenchmarkRow[]> {
  if (CHDB_PATH === null) return [{ label: 'ClickHouse', figure: 'not measured', details: 'CHDB_PATH is not set' }];
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-clickhouse-'));
  const peer = await startClickHouse(folder);
  const settings = statisticsSettings({ STATISTICS_URL: peer.urlOf('statistics') })!;
  const clickhouse = openClickHouse(settings, (error) => {
    throw error;
  });
  const port = clickhouseStatistics(clickhouse);
  await port.store?.sumDays({ from: 0, until: 0 });
  const startedAt = performance.now();
  const client = createClient({ ...settings, request_timeout: 600_000 });
  for (const [table, columns] of Object.entries(SOURCES)) {
    await client.command({ query: `create table ${table} (${columns}) engine = Memory` });
    const values = await history.history.sql.unsafe(`select * from ${table}`);
    await client.insert({ table, values, format: 'JSONEachRow' });
  }
  for (const query of FILL) await client.command({ query });
  const seconds = (performance.now() - startedAt) / 1000;
  const [made] = await clickhouse.select<{ days: number; rows: number; bytes: number }>(MADE, {});
  const rows = await storeRows(history, port);
  await client.close();
  await clickhouse.close();
  await peer.kill();
  await rm(folder, { recursive: true, force: true });
  const details = `${made!.rows.toLocaleString('en')} rows, ${Math.round(made!.bytes / 1e6)} MB; made in ${Math.round(seconds)} s`;
  return [
    { label: 'ClickHouse: plays in the sums of shows', figure: made!.days.toLocaleString('en'), details },
    ...rows,
  ];
}

/** Tables of the history in Postgres that the sums are drawn from. */
const SOURCES = {
  bench_shares: 'name String, key String, share Float64',
  bench_shows: 'rank UInt64, creator_id UInt64, total Float64',
};

const DAYS = 728;
const drawn = (share: string) => `toInt64(floor(total / ${DAYS} * ${share} + rand() / 4294967296))`;
const days = `(select toDate('${LAST_DAY}') - number as day from numbers(${DAYS})) as days`;
const curve = '[1,1,1,1,2,4,7,8,7,6,5,5,5,5,5,5,6,7,7,6,5,4,3,2]';

const FILL = [
  `insert into show_values
    select creator_id, rank as product_id, day, name as dimension, key, ${drawn('share')} as plays
    from bench_shows cross join ${days} cross join bench_shares where plays > 0`,
  `insert into show_slots
    select creator_id, rank as product_id, day, slot, measure, ${drawn(`part * ${curve}[1 + intDiv(slot, 4)] / 432`)} as plays
    from bench_shows cross join ${days} cross join (select toUInt8(number) as slot from numbers(96)) as slots
    cross join (select arrayJoin([('d', 0.9), ('l', 0.1)]) as m, m.1 as measure, m.2 as part) as measures
    where plays > 0`,
  'optimize table show_values final',
  'optimize table show_slots final',
];

const MADE = `
  select (select toFloat64(sum(plays)) from show_slots) as days, toFloat64(sum(rows)) as rows,
    toFloat64(sum(bytes_on_disk)) as bytes
  from system.parts where active and table in ('show_values', 'show_slots') and database = currentDatabase()`;
