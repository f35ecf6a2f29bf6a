import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The folder of the package chdb, which is not installed with the project because of its size. */
export const CHDB_PATH = process.env.CHDB_PATH ?? null;

export type Peer = {
  /** A setting `STATISTICS_URL` with this database. */
  urlOf(database: string): string;
  /** With SIGKILL; the data stay. */
  kill(): Promise<void>;
};

/** ClickHouse's engine behind its HTTP interface, in a process of its own. */
export async function startClickHouse(folder: string): Promise<Peer> {
  const script = path.resolve('tests/support/chdb-peer.mjs');
  const child = spawn(process.execPath, [script, path.join(CHDB_PATH!, 'index.mjs'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    urlOf: (database) => `clickhouse://default@127.0.0.1:${port}/${database}`,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
