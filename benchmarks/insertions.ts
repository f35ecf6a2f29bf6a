import { firstBytes } from './insertion-delays';
import { delivery, memoryOfConnections } from './insertion-delivery';
import { feeds } from './insertion-feeds';
import { prepareBenchmark } from './prepare-benchmark';
import type { BenchmarkRow } from './table';

/** What clips in episodes cost: delivery, memory, the time until a saved campaign plays, and feeds. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark({ shows: [1000] });
  const parts = [delivery, memoryOfConnections, firstBytes, feeds];
  const wanted = process.env.INSERTIONS?.split(',') ?? parts.map(({ name }) => name);
  const rows: BenchmarkRow[] = [];
  for (const part of parts) if (wanted.includes(part.name)) rows.push(...(await part(prepared)));
  await prepared.close();
  return rows;
}
