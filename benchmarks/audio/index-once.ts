/** One indexing in a process of its own, for its time from cold and its memory: `index-once.ts <file>`. */
import { encodeIndex, indexMp3 } from '~/server/audio/indexing';
import { fileSource } from './hour';

const source = await fileSource(process.argv[2]!);
const rss = () => process.resourceUsage().maxRSS / 1024;

/** By the clock, and of the processor (all threads, reading included), in ms. */
async function timed() {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const found = await indexMp3(source);
  const { user, system } = process.cpuUsage(cpu);
  return { found, clock: performance.now() - begun, cpu: (user + system) / 1000 };
}

const base = rss();
const { found, ...cold } = await timed();
const peak = rss();
const warm: { clock: number; cpu: number }[] = [];
for (let i = 0; i < 5; i++) warm.push(await timed());
const middle = (kind: 'clock' | 'cpu') => warm.map((run) => run[kind]).sort((a, b) => a - b)[2];
const stored = found.ok ? encodeIndex(found.index).length : 0;
const frames = found.ok ? found.index.frames : 0;
const processor = { cold: cold.cpu, warm: middle('cpu') };
process.stdout.write(
  JSON.stringify({ cold: cold.clock, warm: middle('clock'), processor, base, peak, stored, frames }),
);
