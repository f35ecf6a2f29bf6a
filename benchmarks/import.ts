import { eq } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { runImport } from '~/server/domain/rss-import/import-feed';
import { systemCtx } from '~/server/runtime/runtime';
import { feedOrigin } from '~/tests/support/feed-origin';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, judge, megabytes } from './table';

const SIZES = [100, 1000, 5000] as const;
const GOAL_SECONDS = 0.7;

/** Reads a feed from a local server, and stores its show and episodes: an import without its audio. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const opened = await openTestRuntime(prepared.databaseUrl, prepared.dataDir, { FETCH_ALLOW_LOOPBACK: 'true' });
  const { runtime } = opened;
  const origin = await feedOrigin();
  const make = makers(runtime, { passwordHash: '', cover: null });
  const seconds: number[] = [];
  // the first import loads the code that all of them need
  for (const count of [10, ...SIZES]) {
    origin.items = Array.from({ length: count }, (_, i) => ({
      extra: `<itunes:summary>${'Notas. '.repeat(i % 300)}</itunes:summary>`,
    }));
    const { api } = await make.creator({ name: 'Julia' });
    const { id } = await api.imports.request({ url: origin.feedUrl(), proof: 'feed' });
    await runtime.db.update(rssImports).set({ status: 'in_progress' }).where(eq(rssImports.id, id));
    const began = performance.now();
    await runImport(systemCtx(runtime, 'rss-import.run'), { importId: id, step: 0 });
    seconds.push((performance.now() - began) / 1000);
    await api.imports.cancel({ id });
  }
  const peak = process.resourceUsage().maxRSS * 1024;
  await origin.close();
  await opened.close();
  await prepared.close();
  return SIZES.map((count, i) => {
    const found = seconds[i + 1]!;
    const perThousand = (found / count) * 1000;
    return {
      label: `import of ${count.toLocaleString('en')} episodes without audio`,
      figure: `${found.toFixed(2)} s`,
      details: `${perThousand.toFixed(2)} s per 1,000; peak memory of all ${megabytes(peak)}`,
      ...(count === 1000 && { goal: `≤ ${GOAL_SECONDS} s`, ...judge(GOAL_SECONDS / perThousand, { holds: false }) }),
    };
  });
}
