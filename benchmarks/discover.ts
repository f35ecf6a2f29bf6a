import { rm } from 'node:fs/promises';
import { discoverPage } from '~/server/domain/pages/discover-page';
import type { DiscoverProducts } from '~/server/domain/products/schema';
import { acting } from '~/tests/support/acting';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { prepareDiscover, SIZES } from './discover-data';
import { type BenchmarkRow, judge, milliseconds, percentile } from './table';

const REQUESTS = 100;
const GOAL_MS = 50;

/** The discovery page's data at its largest size: from the procedure's input to the views, with all queries. */
export async function run(sizes = SIZES): Promise<BenchmarkRow[]> {
  const prepared = await prepareDiscover(sizes);
  const { runtime, close } = await openTestRuntime(prepared.databaseUrl, prepared.dataDir);
  const ctx = acting(runtime).visitorCtx();
  const rows: BenchmarkRow[] = [];
  for (const [label, inputs] of Object.entries(searches(prepared.words))) {
    const times: number[] = [];
    let found = 0;
    for (let i = 0; i < REQUESTS * 1.2; i += 1) {
      const startedAt = performance.now();
      const { total } = await discoverPage(ctx, { page: 1, pageSize: 20, ...inputs(i) } as DiscoverProducts);
      if (i >= REQUESTS * 0.2) times.push(performance.now() - startedAt);
      found += total;
    }
    // an empty result is fast
    if (found === 0) throw new Error(`“${label}” finds nothing`);
    const p95 = percentile(times, 0.95);
    rows.push({
      label,
      figure: `p95 ${milliseconds(p95)}`,
      details: `median ${milliseconds(percentile(times, 0.5))}, ${Math.round(found / (REQUESTS * 1.2))} found`,
      goal: `≤ ${GOAL_MS} ms`,
      ...judge(GOAL_MS / p95, { holds: false }),
    });
  }
  await close();
  await prepared.close();
  await rm(prepared.dataDir, { recursive: true, force: true });
  const size = `${sizes.products.toLocaleString('en')} products, ${sizes.episodes.toLocaleString('en')} episodes`;
  return [{ label: size, figure: '' }, ...rows];
}

/** Different words each time, so that only frequently used data is cached. The first words are the most common. */
function searches(words: string[]): Record<string, (i: number) => object> {
  const word = (from: number) => (i: number) => words[from + i]!;
  const [common, rare] = [word(5), word(30_000)];
  const mistyped = (text: string) => `${text.slice(0, 2)}x${text.slice(3)}`;
  const categories = [100, 300, 700, 1100, 1500];
  return {
    browse: () => ({}),
    'browse, newest': () => ({ ordering: '-created_at' }),
    'browse, by name': () => ({ ordering: 'name' }),
    'browse, page 25': () => ({ page: 25 }),
    'a category': (i) => ({ category: categories[i % categories.length] }),
    'a category in one language, paid': (i) => ({
      category: categories[i % categories.length],
      language: 'en',
      price: 'paid',
    }),
    'search, common word': (i) => ({ search: common(i) }),
    'search, common word, page 25': (i) => ({ search: common(i), page: 25 }),
    'search, common word, newest': (i) => ({ search: common(i), ordering: '-created_at' }),
    'search, common word in a category': (i) => ({
      search: common(i),
      category: categories[i % categories.length],
    }),
    'search, two common words': (i) => ({ search: `${common(i)} ${common(i + 1)}` }),
    'search, rare word': (i) => ({ search: rare(i) }),
    'search, word of one episode': (i) => ({ search: `unico${(i + 1) * 20}` }),
    'search, accents and capitals': (i) => ({ search: rare(i).toUpperCase().replace(/A/g, 'Á') }),
    'search, mistyped': (i) => ({ search: mistyped(rare(i)) }),
  };
}
