import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodeTranscripts, transcriptSearch } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';
import { type ActorValues, actorOf, actorValues } from '../../policy/actor-values';
import { actorInQuery, whereTranscriptRead } from '../../policy/visibility';
import type { Actor, Ctx } from '../../runtime/ctx';
import { excerptAround } from './rules';

/** A place in a transcript where the words occur. `startMs`: where to listen; null without times. */
export type FoundPassage = {
  episode: { id: number; name: string; slug: string };
  startMs: number | null;
  text: string;
};
/** `next`: the number of the following part; null after the last one. */
export type FoundPassages = { items: FoundPassage[]; next: number | null };

type Search = { productId: number; words: string; part: number };

/**
 * Passages of a show's transcripts that have all words, in any form of any language: of the newest episode first, and
 * in the order in which they are said. Only of transcripts that the caller may read; others leave no trace, not even in
 * the number of parts.
 */
export async function searchTranscripts(ctx: Ctx, { productId, words, part }: Search): Promise<FoundPassages> {
  const { perPart, parts, matches } = TRANSCRIPT_SEARCH_LIMITS;
  if (part > parts) return { items: [], next: null };
  const rows = await ctx.db.execute<Row>(sql`
    with written as materialized (select search_query(${words}) as query),
    readable as materialized (${readableOf(ctx, productId)}), found as materialized (
      select s.episode_id, s.position, readable.release_at from ${transcriptSearch} s
      join readable on readable.id = s.episode_id
      where s.product_id = ${productId} and s.words @@ (select query from written)
      limit ${matches}
    ), page as materialized (
      select * from found order by release_at desc nulls last, episode_id desc, position
      limit ${perPart + 1} offset ${(part - 1) * perPart}
    )
    select page.episode_id as id, e.name, e.slug, s.start_ms, left(s.text, 20000) as text
    from page join ${episodes} e on e.id = page.episode_id
    join ${transcriptSearch} s on s.episode_id = page.episode_id and s.position = page.position
    order by page.release_at desc nulls last, page.episode_id desc, page.position`);
  const items = rows.slice(0, perPart).map(({ id, name, slug, start_ms, text }) => ({
    episode: { id: Number(id), name, slug },
    startMs: start_ms,
    text: excerptAround(text, words, TRANSCRIPT_SEARCH_LIMITS.excerpt),
  }));
  return { items, next: rows.length > perPart && part < parts ? part + 1 : null };
}

type Row = { id: string; name: string; slug: string; start_ms: number | null; text: string };

/** The episodes of a show whose transcripts the caller may read. */
function readableOf(ctx: Ctx, productId: number): SQL {
  return sql`
    select ${episodes.id}, ${episodes.releaseAt} from ${episodes}
    inner join ${products} on ${products.id} = ${episodes.productId}
    where ${episodes.productId} = ${productId} and ${whereTranscriptRead(actorInQuery(ctx))}`;
}

type Shown = ActorValues & { productId: number };

// each view of a show's page asks it
const selectReadable = preparedSelect((db, { productId, ...actor }: Inputs<Shown>, type: Actor['type']) =>
  db
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(episodeTranscripts, eq(episodeTranscripts.episodeId, episodes.id))
    .where(and(eq(episodes.productId, productId), whereTranscriptRead(actorOf(actor, type))))
    .limit(1),
);

/** Whether a show has a transcript that the caller may read. */
export async function hasReadableTranscript(ctx: Ctx, productId: number): Promise<boolean> {
  const found = await selectReadable(ctx.db, { productId, ...actorValues(ctx) }, ctx.actor.type);
  return found.length > 0;
}
