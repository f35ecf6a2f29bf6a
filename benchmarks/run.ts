// `npm run bench -- <name>` runs one benchmark and prints a small table; without a name, lists the benchmarks.
import { ensureBuilt } from './built';
import { describeMachine, isQuiet } from './machine';
import { type BenchmarkRow, formatMarkdown, formatTable } from './table';

const BENCHMARKS: Record<string, () => Promise<{ run: () => Promise<BenchmarkRow[]> }>> = {
  guard: () => import('./guard'),
  'page-cached': () => import('./page-cached'),
  'page-uncached': () => import('./page-uncached'),
  feed: () => import('./feed'),
  feeds: () => import('./feeds'),
  'private-feeds': () => import('./private-feeds'),
  import: () => import('./import'),
  audience: () => import('./audience'),
  'audience-import': () => import('./audience-import'),
  newsletter: () => import('./newsletter'),
  webhooks: () => import('./webhooks'),
  archive: () => import('./creator-backup'),
  'import-audio': () => import('./import-audio'),
  audio: () => import('./audio'),
  downloads: () => import('./downloads'),
  insertions: () => import('./insertions'),
  statistics: () => import('./statistics'),
  transcription: () => import('./transcription'),
  payments: () => import('./payments'),
  rest: () => import('./rest'),
  episodes: () => import('./episodes'),
  studio: () => import('./studio'),
  discover: () => import('./discover'),
  'said-words': () => import('./said-words'),
  sustained: () => import('./sustained'),
  boot: () => import('./boot'),
  'first-start': () => import('./first-start'),
  memory: () => import('./memory'),
  idle: () => import('./idle'),
  bytes: () => import('./bytes'),
  phone: () => import('./phone'),
  'player-start': () => import('./player-start'),
};

const args = process.argv.slice(2).filter((arg) => arg !== '--keep');
/** These fill a database for half an hour, copy gigabytes, or run for half an hour; `guard` repeats others. */
const APART = [
  'guard',
  'statistics',
  'insertions',
  'studio',
  'discover',
  'said-words',
  'archive',
  'import-audio',
  'sustained',
  'transcription',
];
const names = args[0] === 'all' ? Object.keys(BENCHMARKS).filter((name) => !APART.includes(name)) : args;
if (names.length === 0 || names.some((name) => !BENCHMARKS[name])) {
  console.log(`npm run bench -- <name>\n\n  ${Object.keys(BENCHMARKS).join('\n  ')}\n  all\n  guard --keep`);
  process.exit(names.length === 0 ? 0 : 1);
}
ensureBuilt();
const quiet = isQuiet();
console.log(`${describeMachine()}; ${quiet ? 'quiet' : 'busy, so goals are not judged'}`);
const results: { name: string; rows: BenchmarkRow[] }[] = [];
for (const name of names) {
  const startedAt = performance.now();
  const { run } = await BENCHMARKS[name]!();
  const rows = await run();
  results.push({ name, rows });
  console.log(`\n${name} (${Math.round((performance.now() - startedAt) / 1000)} s)\n${formatTable(rows)}`);
}
if (names.length > 1) console.log(`\n${formatMarkdown(results)}`);
const regressed = results.flatMap(({ name, rows }) =>
  rows.filter((row) => row.regressed).map(({ label }) => `${name}: ${label}`),
);
if (regressed.length > 0) console.log(`\nWorse than before by more than the tolerance:\n  ${regressed.join('\n  ')}`);
process.exit(quiet && regressed.length > 0 ? 1 : 0);
