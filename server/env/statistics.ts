import type { z } from 'zod';
import { SettingError } from './setting-error';
import { address } from './setting-types';

export const statisticsShape = {
  STATISTICS_URL: address('clickhouse:', 'clickhouses:').optional(),
};
type StatisticsValues = z.infer<z.ZodObject<typeof statisticsShape>>;

/** A ClickHouse server over HTTP. Null: statistics are in Postgres. */
export type StatisticsSettings = { url: string; database: string; username: string; password: string } | null;

/** `clickhouse://user:password@host:8123/database`; `clickhouses://` for HTTPS. */
export function statisticsSettings({ STATISTICS_URL: setting }: StatisticsValues): StatisticsSettings {
  if (setting === undefined) return null;
  const { protocol, hostname, port, username, password, pathname, search } = new URL(setting);
  const isEncrypted = protocol === 'clickhouses:';
  const database = pathname.slice(1);
  if (!/^\w+$/.test(database) || search !== '')
    throw new SettingError('STATISTICS_URL must end with the name of a database, such as /altavoz');
  return {
    url: `${isEncrypted ? 'https' : 'http'}://${hostname}:${port || (isEncrypted ? 8443 : 8123)}`,
    database,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  };
}
