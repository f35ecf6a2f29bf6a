import { catchUpSums } from '~/server/domain/listening/catch-up-sums';
import { CATCH_UP_LIMITS } from '~/server/limits/listening';
import type { BenchmarkRow } from '../table';
import type { OpenHistory } from './charts';

/** The sums of months and starts of the whole history, as after an upgrade, in one run. They exist at the next run. */
export async function catchUpRow({ ctx, history: { sql, made } }: OpenHistory): Promise<BenchmarkRow> {
  const startedAt = performance.now();
  await catchUpSums(ctx, {}, { ...CATCH_UP_LIMITS, months: 1_000_000, episodes: 1_000_000 });
  const seconds = (performance.now() - startedAt) / 1000;
  await sql`vacuum analyze listening_months, episode_totals`;
  const [sums] = await sql<{ months: number; episodes: number }[]>`
    select (select count(*)::int from listening_months) as months,
      (select count(*)::int from episode_totals where starts_plays is not null) as episodes`;
  return {
    label: `sums of ${made.downloads.toLocaleString('en')} downloads caught up with`,
    figure: `${seconds.toFixed(1)} s`,
    details: `${sums!.months.toLocaleString('en')} months of shows, ${sums!.episodes.toLocaleString('en')} episodes`,
  };
}
