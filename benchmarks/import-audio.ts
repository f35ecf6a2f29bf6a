import { eq } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { feedOrigin, settleImport } from '~/tests/support/feed-origin';
import { makers } from '~/tests/support/make';
import { mp3 } from '~/tests/support/mp3';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, megabytes } from './table';

const SIZES = [100, 1000, 5000] as const;
const AUDIO_SECONDS = 60;

/** A whole import from a local server: the feed, the copy and the check of each file. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const opened = await openTestRuntime(prepared.databaseUrl, prepared.dataDir, { FETCH_ALLOW_LOOPBACK: 'true' });
  const { runtime } = opened;
  const origin = await feedOrigin();
  const make = makers(runtime, { passwordHash: '', cover: null });
  const audio = mp3(AUDIO_SECONDS);
  const rows: BenchmarkRow[] = [];
  for (const count of SIZES) {
    origin.items = Array.from({ length: count }, () => ({ bytes: audio.length }));
    for (let i = 1; i <= count; i += 1) origin.files.set(`/audio-${i}.mp3`, audio);
    const { api } = await make.creator({ name: 'Julia' });
    const { id } = await api.imports.request({ url: origin.feedUrl(), proof: 'feed' });
    await runtime.db.update(rssImports).set({ status: 'in_progress' }).where(eq(rssImports.id, id));
    const began = performance.now();
    await settleImport(runtime, id, { steps: Number.POSITIVE_INFINITY });
    const seconds = (performance.now() - began) / 1000;
    const { progress } = await api.imports.get({ id });
    if (progress.imported !== count) throw new Error(`${progress.imported} of ${count} episodes were imported`);
    const peak = process.resourceUsage().maxRSS * 1024;
    rows.push({
      label: `import of ${count.toLocaleString('en')} episodes of ${Math.round(audio.length / 1000)} kB`,
      figure: `${seconds.toFixed(1)} s`,
      details: `${((seconds / count) * 1000).toFixed(0)} ms per episode; peak memory so far ${megabytes(peak)}`,
    });
  }
  await origin.close();
  await opened.close();
  await prepared.close();
  return rows;
}
