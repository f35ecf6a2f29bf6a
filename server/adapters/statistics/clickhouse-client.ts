import type { ClickHouseClient } from '@clickhouse/client';
import { openOnce } from '../../flow/open-once';
import { STATISTICS_STORE_LIMITS } from '../../limits/statistics-store';
import { CLICKHOUSE_TABLES } from './clickhouse-tables';
import { statisticsUnavailable } from './errors';

export type ClickHouseSettings = { url: string; database: string; username: string; password: string };

/** Each failure, so that the operator learns the reason; people only learn that statistics are not available. */
type OnFailure = (error: unknown) => void;

export type ClickHouse = {
  /** @throws statistics.unavailable */
  select<Row>(query: string, params: Record<string, unknown>): Promise<Row[]>;
  /** A repeated insert with the same key adds nothing, neither here nor to the rollups. @throws statistics.unavailable */
  insert(table: string, rows: object[], key: string): Promise<void>;
  close(): Promise<void>;
};

/** Ends a call for which a page waits. */
const soon = () => AbortSignal.timeout(STATISTICS_STORE_LIMITS.timeout);

/** Connects at the first call and creates the tables, so that the app starts without ClickHouse. */
export function openClickHouse(settings: ClickHouseSettings, onFailure: OnFailure): ClickHouse {
  let opened: ClickHouseClient | null = null;
  const client = openOnce(async () => {
    const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
    // failures are in our own log
    const log = { level: ClickHouseLogLevel.OFF };
    opened ??= createClient({ ...settings, log, request_timeout: STATISTICS_STORE_LIMITS.insertTimeout });
    for (const query of CLICKHOUSE_TABLES) await opened.command({ query, abort_signal: soon() });
    return opened;
  });
  const guard = async <Result>(work: (open: ClickHouseClient) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await client.get());
    } catch (error) {
      onFailure(error);
      throw statisticsUnavailable();
    }
  };
  return {
    select: <Row>(query: string, query_params: Record<string, unknown>) =>
      guard(async (open) => {
        const found = await open.query({ query, query_params, format: 'JSONEachRow', abort_signal: soon() });
        return found.json<Row>();
      }),
    insert: (table, values, key) =>
      guard(async (open) => {
        const clickhouse_settings = {
          insert_deduplicate: 1,
          insert_deduplication_token: key,
          // the server may be killed after the plays and before their sums
          deduplicate_blocks_in_dependent_materialized_views: 1,
          // a repeated insert must have the same blocks
          async_insert: 0,
          input_format_parallel_parsing: 0,
        } as const;
        await open.insert({ table, values, format: 'JSONEachRow', clickhouse_settings });
      }),
    async close() {
      await opened?.close();
    },
  };
}
