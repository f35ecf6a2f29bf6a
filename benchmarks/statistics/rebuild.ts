import { recountMonth } from '~/server/domain/listening/recount-month';
import { type BenchmarkRow, milliseconds } from '../table';
import type { OpenHistory } from './charts';
import { RAW_MONTH, SHOWS } from './history';

class Undone extends Error {}

/** Counts a month of each show again, and undoes it. */
export async function rebuildRows({ ctx, history: { sql } }: OpenHistory): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const [name, productId] of Object.entries(SHOWS)) {
    const [found] = await sql<{ creatorId: number; plays: number }[]>`
      select creator_id::int as "creatorId", sum(listens + downloads)::float8 as plays from listening_days
      where product_id = ${productId} and day >= ${RAW_MONTH.from} and day < ${RAW_MONTH.until} group by 1`;
    const startedAt = performance.now();
    let ms = Number.NaN;
    await ctx.db
      .transaction(async (db) => {
        await recountMonth({ ...ctx, db }, { creatorId: found!.creatorId, productId, ...RAW_MONTH });
        ms = performance.now() - startedAt;
        throw new Undone();
      })
      .catch((error) => {
        if (!(error instanceof Undone)) throw error;
      });
    const details = `${found!.plays.toLocaleString('en')} plays`;
    rows.push({ label: `a month of the ${name} show counted again`, figure: milliseconds(ms), details });
  }
  return rows;
}
