/** `node --import tsx benchmarks/audio/fuzz.ts [files] [first]`: breaks files and holds the engine against them. */
import { bufferSource } from '~/server/audio/bytes';
import { measureInWorker } from '~/server/audio/in-worker';
import { broken, digest, seeds } from '~/tests/support/fuzz';

/** Decoding needs a thread each time, so only one in so many is decoded too. */
const DECODE_EVERY = 50;

const count = Number(process.argv[2] ?? 20_000);
const first = Number(process.argv[3] ?? 1);
const files = await seeds();
const verdicts: Record<string, number> = {};
const times: number[] = [];
let failures = 0;
let decoded = 0;
let slowestDecoding = 0;
const before = process.memoryUsage().rss;
for (let number = first; number < first + count; number++) {
  try {
    const { verdict, ms, index, file } = await digest(broken(files, number));
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    times.push(ms);
    if (!index || number % DECODE_EVERY > 0) continue;
    const begun = performance.now();
    await measureInWorker(bufferSource(file), index);
    decoded += 1;
    slowestDecoding = Math.max(slowestDecoding, performance.now() - begun);
  } catch (error) {
    failures += 1;
    console.error(`file ${number}: ${error instanceof Error ? error.stack : error}`);
  }
}
times.sort((a, b) => a - b);
const at = (share: number) => `${times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1)} ms`;
const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
console.log(`${count} files, ${failures} failures`, verdicts);
console.log(
  `median ${at(0.5)}, 99 % ${at(0.99)}, slowest ${at(1)}; memory ${mb(before)} before, at most ${mb(process.resourceUsage().maxRSS * 1024)}`,
);
console.log(`${decoded} of them decoded as well, the slowest in ${slowestDecoding.toFixed(0)} ms`);
process.exit(failures > 0 ? 1 : 0);
