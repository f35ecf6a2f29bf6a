// `npm run bench -- <name>`: measures one thing and prints a small table; without a name, says which there are.

import { ensureBuilt } from './built';
import { machine } from './machine';
import { printed, type Row } from './table';

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

const wanted = process.argv.slice(2);
const names = wanted[0] === 'all' ? Object.keys(BENCHMARKS) : wanted;
if (names.length === 0 || names.some((name) => !BENCHMARKS[name])) {
  console.log(`npm run bench -- <name>\n\n  ${Object.keys(BENCHMARKS).join('\n  ')}\n  all`);
  process.exit(names.length === 0 ? 0 : 1);
}
ensureBuilt();
console.log(machine());
for (const name of names) {
  const { run } = await BENCHMARKS[name]!();
  console.log(`\n${name}\n${printed(await run())}`);
}
process.exit(0);
