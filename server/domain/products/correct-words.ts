import { sql } from 'drizzle-orm';
import { searchWords } from '~/db/schema/discovery';
import { DISCOVER_LIMITS } from '../../limits/products';
import type { Ctx } from '../../runtime/ctx';
import { closestWord } from './rules';

/** A search text whose unknown words are replaced by the most similar known ones; null if no word is replaced. */
export async function correctWords(ctx: Pick<Ctx, 'db'>, search: string): Promise<string | null> {
  const words = await alikeWords(ctx, search);
  const corrected = words.map(({ word, alike }) => closestWord(word, alike) ?? word);
  return corrected.some((word, i) => word !== words[i]!.word) ? corrected.join(' ') : null;
}

type Alike = { word: string; alike: string[] };

/**
 * Each word with known words that share parts with it: the word itself first, if it is known, then the most similar
 * ones.
 */
async function alikeWords({ db }: Pick<Ctx, 'db'>, search: string): Promise<Alike[]> {
  const { alike, candidates, correctedFrom, wordLength } = DISCOVER_LIMITS;
  return db.transaction(async (tx) => {
    // applies to this transaction; the default misses short words with two letters swapped
    await tx.execute(sql`select set_config('pg_trgm.similarity_threshold', ${String(alike)}, true)`);
    return tx.execute<Alike>(sql`
      select written.word, array(
        select known.word from ${searchWords} known
        where known.word % written.word and length(written.word) between ${correctedFrom} and ${wordLength}
        order by known.word = written.word desc, similarity(known.word, written.word) desc, known.uses desc
        limit ${candidates}
      ) as alike
      from regexp_split_to_table(search_text(${search}), ' ') with ordinality as written (word, position)
      order by written.position`);
  });
}

/**
 * Adds the words of names that were shown for the first time to the known words. One statement, so that a crash neither
 * loses names nor counts them twice. @returns the number of names
 */
export async function learnWords(ctx: Pick<Ctx, 'db'>): Promise<number> {
  const { wordsPerRun, correctedFrom, wordLength } = DISCOVER_LIMITS;
  const [row] = await ctx.db.execute<{ names: number }>(sql`
    with taken as (
      delete from new_search_names where id in (
        select id from new_search_names order by id limit ${wordsPerRun} for update skip locked
      ) returning name
    ), counted as (
      select word, count(*)::int as uses from taken, regexp_split_to_table(search_text(name), ' ') as word
      where length(word) between ${correctedFrom} and ${wordLength} and word !~ '[0-9]' group by word order by word
    ), known as (
      insert into search_words as w (word, uses) select word, uses from counted
      on conflict (word) do update set uses = w.uses + excluded.uses
    )
    select count(*)::int as names from taken`);
  return row?.names ?? 0;
}
