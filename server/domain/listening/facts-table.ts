import { type SQL, sql } from 'drizzle-orm';
import { DIMENSIONS, type PlayFacts } from '~/db/values/statistics';

/**
 * The different facts of many events, each once, because most events have the same. `rows` selects `fact` and a column
 * for each dimension; `indexes`: the `fact` of each event.
 */
export function factsTable(items: readonly { facts: PlayFacts }[]): { rows: SQL; indexes: number[] } {
  const known = new Map<string, number>();
  const indexes = items.map(({ facts }) => {
    const key = JSON.stringify(DIMENSIONS.map((name) => facts[name]));
    const index = known.get(key) ?? known.size;
    known.set(key, index);
    return index;
  });
  const columns = sql.raw(DIMENSIONS.map((name, i) => `each ->> ${i} as ${name}`).join(', '));
  const rows = sql`
    select (place - 1)::int as fact, ${columns}
    from jsonb_array_elements(${`[${[...known.keys()].join(',')}]`}::text::jsonb) with ordinality e(each, place)`;
  return { rows, indexes };
}
