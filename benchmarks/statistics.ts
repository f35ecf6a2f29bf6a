import { userAgentRows } from './statistics/user-agents';
import type { BenchmarkRow } from './table';

/** What statistics cost: to recognise clients. */
export function run(): Promise<BenchmarkRow[]> {
  return userAgentRows();
}
