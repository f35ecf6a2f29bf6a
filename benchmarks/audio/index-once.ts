/** Indexes one file in its own process, to measure the cold time and the memory: `index-once.ts <file>`. */
import { encodeIndex, indexMp3 } from '~/server/audio/indexing';
import { fileSource } from './hour';

const source = await fileSource(process.argv[2]!);
const rss = () => process.resourceUsage().maxRSS / 1024;

/** Elapsed time, and CPU time of all threads, both including the reading, in ms. */
async function timed() {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const result = await indexMp3(source);
  const { user, system } = process.cpuUsage(cpu);
  return { result, clock: performance.now() - startedAt, cpu: (user + system) / 1000 };
}

const base = rss();
const { result, ...cold } = await timed();
const peak = rss();
const warm: { clock: number; cpu: number }[] = [];
for (let i = 0; i < 5; i++) warm.push(await timed());
const middle = (kind: 'clock' | 'cpu') => warm.map((run) => run[kind]).sort((a, b) => a - b)[2];
const stored = result.ok ? encodeIndex(result.index).length : 0;
const frames = result.ok ? result.index.frames : 0;
const processor = { cold: cold.cpu, warm: middle('cpu') };
process.stdout.write(
  JSON.stringify({ cold: cold.clock, warm: middle('clock'), processor, base, peak, stored, frames }),
);
