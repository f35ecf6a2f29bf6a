import type { Database } from '~/db/client';
import { openClickHouse } from '../adapters/statistics/clickhouse-client';
import { clickhouseStatistics } from '../adapters/statistics/clickhouse-statistics';
import type { StatisticsPort } from '../adapters/statistics/port';
import { postgresStatistics } from '../domain/statistics/postgres-statistics';
import type { StatisticsSettings } from '../env/statistics';
import type { Log } from '../watching/log';

export type SelectedStatistics = { statistics: StatisticsPort; close(): Promise<void> };

/** ClickHouse if it is set, otherwise the rollups in Postgres. */
export function selectStatistics(
  settings: StatisticsSettings,
  { db, log }: { db: Database; log: Log },
): SelectedStatistics {
  if (settings === null) return { statistics: postgresStatistics(db), close: async () => {} };
  const clickhouse = openClickHouse(settings, (err) => log.error({ err }, 'ClickHouse does not answer'));
  return { statistics: clickhouseStatistics(clickhouse), close: clickhouse.close };
}
