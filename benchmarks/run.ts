// `npm run bench -- <name>` runs one benchmark and prints a small table; without a name, lists the benchmarks.
import { ensureBuilt } from './built';
import { describeMachine, isQuiet } from './machine';
import { formatTable, type Row } from './table';

const BENCHMARKS: Record<string, () => Promise<{ run: () => Promise<Row[]> }>> = {
  'page-cached': () => import('./page-cached'),
  'page-uncached': () => import('./page-uncached'),
  feed: () => import('./feed'),
  feeds: () => import('./feeds'),
  audio: () => import('./audio'),
  downloads: () => import('./downloads'),
  payments: () => import('./payments'),
  rest: () => import('./rest'),
  boot: () => import('./boot'),
  memory: () => import('./memory'),
  bytes: () => import('./bytes'),
};

const args = process.argv.slice(2);
const names = args[0] === 'all' ? Object.keys(BENCHMARKS) : args;
if (names.length === 0 || names.some((name) => !BENCHMARKS[name])) {
  console.log(`npm run bench -- <name>\n\n  ${Object.keys(BENCHMARKS).join('\n  ')}\n  all`);
  process.exit(names.length === 0 ? 0 : 1);
}
ensureBuilt();
const quiet = isQuiet();
console.log(`${describeMachine()}; ${quiet ? 'quiet' : 'busy, so goals are not judged'}`);
const regressed: string[] = [];
for (const name of names) {
  const { run } = await BENCHMARKS[name]!();
  const rows = await run();
  console.log(`\n${name}\n${formatTable(rows)}`);
  regressed.push(...rows.filter((row) => row.regressed).map(({ label }) => `${name}: ${label}`));
}
if (regressed.length > 0) console.log(`\nMissed by more than 20 %, and met before:\n  ${regressed.join('\n  ')}`);
process.exit(quiet && regressed.length > 0 ? 1 : 0);
