import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { byAddress } from './journey';

/** Runs a command of the operators' command line beside the server. */
export function admin(url: string, ...args: string[]): Record<string, string>[] {
  const { port } = new URL(byAddress(url));
  const env = { ...process.env, PORT: port, DATA_DIR: path.resolve('.data/journeys'), LOG_LEVEL: 'error' };
  const command = ['scripts/start.mjs', '--admin', ...args, '--json', '--as', 'olga'];
  const { status, stdout, stderr } = spawnSync('node', command, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
