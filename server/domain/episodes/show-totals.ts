import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { isOpen, whereListed } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { EpisodeRow } from './queries';

type Total = { episodes: number; durationMs: number };
/** How many episodes a show's page lists, and how long they are together, without trailers. */
export type ShowTotals = {
  all: Total;
  private: Total;
  /** Those that everyone may hear, by their type and the end of early access. */
  open: Total;
};

const isPrivate = sql`${episodes.type} = 'private'`;
const isOpenNow = sql`${episodes.type} = 'public' and ${episodes.earlyUntil} is null`;
const countOf = (condition: SQL) => sql<number>`count(*) filter (where ${condition})::int`;
const lengthOf = (condition: SQL) =>
  sql<number>`coalesce(sum(${episodes.durationMs}) filter (where ${condition}), 0)::float8`;

const selectTotals = preparedSelect((db, { productId }: Inputs<{ productId: number }>) =>
  db
    .select({
      all: { episodes: countOf(sql`true`), durationMs: lengthOf(sql`true`) },
      private: { episodes: countOf(isPrivate), durationMs: lengthOf(isPrivate) },
      open: { episodes: countOf(isOpenNow), durationMs: lengthOf(isOpenNow) },
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.productId, productId), whereListed(), ne(episodes.type, 'trailer'))),
);

export async function showTotals({ db }: Pick<Ctx, 'db'>, productId: number): Promise<ShowTotals> {
  const [row] = await selectTotals(db, { productId });
  return row ?? totalsOf([]);
}

type Counted = Pick<EpisodeRow, 'type' | 'earlyUntil' | 'durationMs'>;

/** The same from all listed episodes, which saves a query. */
export function totalsOf(listed: Counted[]): ShowTotals {
  const heard = listed.filter(({ type }) => type !== 'trailer');
  return {
    all: totalOf(heard),
    private: totalOf(heard.filter(({ type }) => type === 'private')),
    open: totalOf(heard.filter(isOpen)),
  };
}

const totalOf = (counted: Counted[]): Total => ({
  episodes: counted.length,
  durationMs: counted.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
});
