import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

// Runs the tests of both stores of statistics, ClickHouse's engine included. chdb is no dependency, because it has half a
// gigabyte: `npm install --prefix ~/chdb chdb@3.4.0`, then `CHDB_PATH=~/chdb/node_modules/chdb npm run prove:clickhouse`.

const { CHDB_PATH } = process.env;
if (!CHDB_PATH || !fs.existsSync(CHDB_PATH)) {
  console.error('CHDB_PATH must name the folder of the package chdb, such as ~/chdb/node_modules/chdb');
  process.exit(1);
}
const args = ['vitest', 'run', '--project', 'integration', 'tests/domain/statistics/stores.test.ts'];
process.exit(spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1);
