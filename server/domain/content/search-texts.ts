import { inArray, lt, sql } from 'drizzle-orm';
import { contentWords } from '~/db/schema/content';
import { DAYS, earlier } from '../../base/time';
import type { Entry, Library } from '../../content/library';
import { CONTENT_LIMITS } from '../../limits/content';
import type { Ctx } from '../../runtime/ctx';

/** The libraries whose words are in the database, by their database. */
const indexed = new WeakMap<Library, Promise<void>>();

/** The texts that have all words, in any form, the best first. */
export async function searchTexts<T extends Entry>(ctx: Ctx, texts: readonly T[], words: string): Promise<T[]> {
  const library = await ctx.content.library();
  await indexOnce(ctx, library);
  if (texts.length === 0) return [];
  const rows = await ctx.db
    .select({ hash: contentWords.hash })
    .from(contentWords)
    .where(
      sql`${inArray(
        contentWords.hash,
        texts.map(({ hash }) => hash),
      )} and ${contentWords.words} @@ search_query(${words})`,
    )
    .orderBy(sql`ts_rank(${contentWords.words}, search_query(${words})) desc`, contentWords.hash);
  const byHash = new Map(texts.map((text) => [text.hash, text]));
  return rows.flatMap(({ hash }) => byHash.get(hash) ?? []);
}

/** A failed attempt is repeated by the next search. */
function indexOnce(ctx: Ctx, library: Library): Promise<void> {
  const running = indexed.get(library) ?? indexTexts(ctx, library);
  indexed.set(library, running);
  running.catch(() => indexed.delete(library));
  return running;
}

/** Stores the words of new texts, and deletes those that no process has had for some weeks. */
async function indexTexts({ db, now }: Ctx, { entries }: Library): Promise<void> {
  const seenAt = now();
  const texts = JSON.stringify(
    entries.map(({ hash, language, data, text }) => ({
      hash,
      language,
      title: data.title,
      about: data.description,
      text,
    })),
  );
  await db.execute(sql`
    insert into ${contentWords} (hash, words, seen_at)
    select distinct on (hash) hash,
      setweight(to_tsvector(search_config(language), search_text(title)), 'A')
        || setweight(to_tsvector(search_config(language), search_text(about)), 'B')
        || to_tsvector(search_config(language), search_text(text)),
      ${seenAt.toISOString()}::timestamptz
    from jsonb_to_recordset(${texts}::jsonb) as t(hash text, language text, title text, about text, text text)
    order by hash
    on conflict (hash) do update set seen_at = excluded.seen_at`);
  await db.delete(contentWords).where(lt(contentWords.seenAt, earlier(seenAt, DAYS(CONTENT_LIMITS.wordsKeptDays))));
}
