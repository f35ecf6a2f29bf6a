/** One indexing in a process of its own, for its time from cold and its memory: `index-once.ts <file>`. */
import { encodeIndex, indexMp3 } from '~/server/audio/indexing';
import { fileSource } from './hour';

const source = await fileSource(process.argv[2]!);
const base = process.resourceUsage().maxRSS / 1024;
const begun = performance.now();
const found = await indexMp3(source);
const cold = performance.now() - begun;
const warm: number[] = [];
const peak = process.resourceUsage().maxRSS / 1024;
for (let i = 0; i < 5; i++) {
  const again = performance.now();
  await indexMp3(source);
  warm.push(performance.now() - again);
}
const stored = found.ok ? encodeIndex(found.index).length : 0;
const frames = found.ok ? found.index.frames : 0;
process.stdout.write(JSON.stringify({ cold, warm: warm.sort((a, b) => a - b)[2], base, peak, stored, frames }));
