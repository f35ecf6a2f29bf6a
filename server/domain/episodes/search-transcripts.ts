import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { creators } from '~/db/schema/creators';
import { productSearch } from '~/db/schema/discovery';
import { episodeTranscripts, transcriptSearch } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';
import { VISITOR } from '../../policy/actor';
import { type ActorValues, actorOf, actorValues } from '../../policy/actor-values';
import { actorInQuery, whereListed, whereProductPublic, whereTranscriptRead } from '../../policy/visibility';
import type { Actor, Ctx } from '../../runtime/ctx';
import { excerptAround } from './rules';

/** A place in a transcript where the words occur. `startMs`: where to listen; null without times. */
export type FoundPassage = {
  episode: { id: number; name: string; slug: string };
  product: { name: string; slug: string; language: string };
  creator: { domain: string };
  startMs: number | null;
  text: string;
};
/** `next`: the number of the following part; null after the last one. */
export type FoundPassages = { items: FoundPassage[]; next: number | null };

/** A show, all public shows of a creator, or those of Discover that meet a condition on `product_search`. */
export type SearchScope = { productId: number } | { creatorId: number } | { discovered: SQL };

type Search = { within: SearchScope; words: string; part: number };

/**
 * Passages of transcripts that have all words, in any form of any language: of the newest episode first, and in the
 * order in which they are said; on Discover one of each episode. If more than `TRANSCRIPT_SEARCH_LIMITS.matches` places
 * have the words, some are left out, not the oldest ones in particular. Only transcripts that the caller may read are
 * searched, on Discover only those that all visitors may read. Others change neither the results nor the number of
 * parts, as long as at most `TRANSCRIPT_SEARCH_LIMITS.examined` places have the words.
 */
export async function searchTranscripts(ctx: Ctx, { within, words, part }: Search): Promise<FoundPassages> {
  const { perPart, parts, matches } = TRANSCRIPT_SEARCH_LIMITS;
  if (part > parts) return { items: [], next: null };
  const rows = await ctx.db.execute<Row>(sql`
    with written as materialized (select search_query(${words}) as query),
    ${'discovered' in within ? sql`` : sql`readable as materialized (${readableOf(ctx, within)}),`}
    found as materialized (${piecesIn(within)} limit ${matches}),
    page as materialized (
      select * from ${'discovered' in within ? ONE_OF_EACH : sql`found`}
      order by release_at desc nulls last, episode_id desc, position
      limit ${perPart + 1} offset ${(part - 1) * perPart}
    )
    select page.episode_id as id, e.name, e.slug, p.name as show, p.slug as show_slug, p.language, c.domain,
      s.start_ms, left(s.text, 20000) as text
    from page join ${episodes} e on e.id = page.episode_id
    join ${products} p on p.id = e.product_id join ${creators} c on c.id = e.creator_id
    join ${transcriptSearch} s on s.episode_id = page.episode_id and s.position = page.position
    order by page.release_at desc nulls last, page.episode_id desc, page.position`);
  const items = rows.slice(0, perPart).map(({ id, name, slug, show, show_slug, language, domain, start_ms, text }) => ({
    episode: { id: Number(id), name, slug },
    product: { name: show, slug: show_slug, language },
    creator: { domain },
    startMs: start_ms,
    text: excerptAround(text, words, TRANSCRIPT_SEARCH_LIMITS.excerpt),
  }));
  return { items, next: rows.length > perPart && part < parts ? part + 1 : null };
}

type Row = {
  id: string;
  name: string;
  slug: string;
  show: string;
  show_slug: string;
  language: string;
  domain: string;
  start_ms: number | null;
  text: string;
};

const HAS_WORDS = sql`s.words @@ (select query from written)`;
const ONE_OF_EACH = sql`(select distinct on (episode_id) * from found order by episode_id, position) first_ones`;

/**
 * Readable pieces with the words. Visitors' rules are plain columns, so Discover reads no list of all episodes before.
 * Its inner limit is far above that of `found`, which counts readable pieces only: otherwise one creator's private
 * transcripts, or other languages than the filter's, would leave no room for the results.
 */
function piecesIn(within: SearchScope): SQL {
  if ('discovered' in within)
    return sql`
      select s.episode_id, s.position, ${episodes.releaseAt} as release_at from (
        select s.episode_id, s.position from ${transcriptSearch} s where ${HAS_WORDS}
        limit ${TRANSCRIPT_SEARCH_LIMITS.examined}
      ) s
      join ${episodes} on ${episodes.id} = s.episode_id join ${products} on ${products.id} = ${episodes.productId}
      join ${productSearch} on ${productSearch.productId} = ${products.id}
      where ${and(within.discovered, eq(products.isListed, true))} and ${whereListed()} and ${whereTranscriptRead(VISITOR)}`;
  const ofShow =
    'productId' in within
      ? sql`= ${within.productId}`
      : sql`in (select ${products.id} from ${products} where ${eq(products.creatorId, within.creatorId)})`;
  return sql`
    select s.episode_id, s.position, readable.release_at from ${transcriptSearch} s
    join readable on readable.id = s.episode_id where s.product_id ${ofShow} and ${HAS_WORDS}`;
}

/** The episodes whose transcripts the caller may read. */
function readableOf(ctx: Ctx, within: { productId: number } | { creatorId: number }): SQL {
  const isWithin =
    'productId' in within
      ? eq(episodes.productId, within.productId)
      : and(eq(episodes.creatorId, within.creatorId), whereProductPublic());
  return sql`
    select ${episodes.id}, ${episodes.releaseAt} from ${episodes}
    inner join ${products} on ${products.id} = ${episodes.productId}
    where ${isWithin} and ${whereTranscriptRead(actorInQuery(ctx))}`;
}

type Shown = ActorValues & { ofId: number };
type ShownShape = { of: 'show' | 'creator'; actorType: Actor['type'] };

// each view of a public page asks it
const selectReadable = preparedSelect((db, { ofId, ...actor }: Inputs<Shown>, { of, actorType }: ShownShape) =>
  db
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(episodeTranscripts, eq(episodeTranscripts.episodeId, episodes.id))
    .where(
      and(
        of === 'show' ? eq(episodes.productId, ofId) : and(eq(episodes.creatorId, ofId), whereProductPublic()),
        whereTranscriptRead(actorOf(actor, actorType)),
      ),
    )
    .limit(1),
);

/** Whether a show, or a public show of a creator, has a transcript that the caller may read. */
export async function hasReadableTranscript(
  ctx: Ctx,
  within: { productId: number } | { creatorId: number },
): Promise<boolean> {
  const [ofId, of] =
    'productId' in within ? [within.productId, 'show' as const] : [within.creatorId, 'creator' as const];
  const shape = { of, actorType: ctx.actor.type };
  return (await selectReadable(ctx.db, { ofId, ...actorValues(ctx) }, shape)).length > 0;
}
