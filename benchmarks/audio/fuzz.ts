/** `node --import tsx benchmarks/audio/fuzz.ts [files] [first]`: breaks files and holds the engine against them. */
import type { Recording } from '~/server/audio/splice';
import { broken, decode, digest, LONGEST_MS, MOST_GROWTH_MB, openWatch, seeds } from '~/tests/support/fuzz';

/** Decoding needs two threads each time, so only one in so many is decoded too. */
const DECODE_EVERY = 50;

const count = Number(process.argv[2] ?? 20_000);
const first = Number(process.argv[3] ?? 1);
const files = await seeds();
const verdicts: Record<string, number> = {};
const times: number[] = [];
const sample: [number, Recording][] = [];
const failures: string[] = [];
const fail = (number: number, why: unknown) =>
  failures.push(`file ${number}: ${why instanceof Error ? why.stack : why}`);
const megabytes = () => process.resourceUsage().maxRSS / 1024;

const watch = openWatch();
const before = megabytes();
for (let number = first; number < first + count; number++) {
  watch.next(number);
  try {
    const { verdict, ms, recording } = await digest(broken(files, number));
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    times.push(ms);
    if (ms > LONGEST_MS) fail(number, `${ms.toFixed(0)} ms`);
    if (recording && number % DECODE_EVERY === 0) sample.push([number, recording]);
  } catch (error) {
    fail(number, error);
  }
}
await watch.end();
const digested = megabytes();
if (digested - before > MOST_GROWTH_MB) fail(count, `the process grew by ${(digested - before).toFixed(0)} MB`);

let slowestDecoding = 0;
for (const [number, recording] of sample) {
  const begun = performance.now();
  await decode(recording).catch((error) => fail(number, error));
  slowestDecoding = Math.max(slowestDecoding, performance.now() - begun);
}
const grown = megabytes() - digested;

times.sort((a, b) => a - b);
const at = (share: number) => `${times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1)} ms`;
console.log(`${count} files, ${failures.length} failures`, verdicts);
console.log(`median ${at(0.5)}, 99 % ${at(0.99)}, slowest ${at(1)}`);
console.log(`memory ${before.toFixed(0)} MB before, ${digested.toFixed(0)} MB behind`);
console.log(
  `${sample.length} of them decoded and conformed, the slowest in ${slowestDecoding.toFixed(0)} ms, with ${grown.toFixed(0)} MB more`,
);
for (const failure of failures) console.error(failure);
process.exit(failures.length > 0 ? 1 : 0);
