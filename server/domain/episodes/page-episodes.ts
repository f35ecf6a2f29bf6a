import { and, desc, eq, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodeSearch } from '~/db/schema/discovery';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { lookupFormerOwner } from '~/db/slug-history';
import { PAGE_LIMITS } from '../../limits/paging';
import { VISITOR } from '../../policy/actor';
import { type ActorValues, actorOf, actorValues } from '../../policy/actor-values';
import { whereEpisodeVisible, whereKept, whereListed, wherePlayable } from '../../policy/visibility';
import type { Actor, Reader } from '../../runtime/ctx';
import { type EpisodeRecord, selectEpisodes, selectRecords } from './queries';

// The queries of public pages. Building their SQL for each request would take a fifth of a page's time.

type OwnSlug = { productId: number; slug: string };

const selectBySlug = preparedSelect(
  (db, { productId, slug, ...actor }: Inputs<ActorValues & OwnSlug>, type: ActorType) =>
    selectRecords(db, actorOf(actor, type)).where(
      and(eq(episodes.productId, productId), eq(episodes.slug, slug), whereKept()),
    ),
);
type ActorType = Actor['type'];

/** An episode of a product by its current slug, otherwise by a former one; null if the slug was never used. */
export async function lookupEpisodeBySlug(ctx: Reader, productId: number, slug: string): Promise<EpisodeRecord | null> {
  const [current] = await selectBySlug(ctx.db, { productId, slug, ...actorValues(ctx) }, ctx.actor.type);
  if (current) return current;
  const formerOwner = await lookupFormerOwner(ctx.db, formerEpisodeSlugs, { scopeId: productId, slug });
  if (formerOwner === null) return null;
  const [former] = await selectEpisodes(ctx).where(and(eq(episodes.id, formerOwner), whereEpisodeVisible()));
  return former ?? null;
}

type Latest = ActorValues & { ofCreator: number; limit: number };

const selectLatest = preparedSelect((db, { ofCreator, limit, ...actor }: Inputs<Latest>, type: ActorType) =>
  selectRecords(db, actorOf(actor, type))
    .where(and(eq(episodes.creatorId, ofCreator), wherePlayable(VISITOR)))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(limit),
);

/** A creator's newest episodes of all products that all visitors can play. */
export function listLatestRows(ctx: Reader, creatorId: number, limit: number): Promise<EpisodeRecord[]> {
  return selectLatest(ctx.db, { ofCreator: creatorId, limit, ...actorValues(ctx) }, ctx.actor.type);
}

type Matching = ActorValues & { ofCreator: number; words: string };

const selectMatching = preparedSelect((db, { ofCreator, words, ...actor }: Inputs<Matching>, type: ActorType) =>
  selectRecords(db, actorOf(actor, type))
    .innerJoin(episodeSearch, eq(episodeSearch.episodeId, episodes.id))
    .where(and(eq(episodes.creatorId, ofCreator), whereListed(), sql`${episodeSearch.words} @@ search_query(${words})`))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(PAGE_LIMITS.size),
);

/** The newest listed episodes of a creator whose name or notes have all words, in any form. */
export function listMatchingRows(
  ctx: Reader,
  { creatorId, words }: { creatorId: number; words: string },
): Promise<EpisodeRecord[]> {
  return selectMatching(ctx.db, { ofCreator: creatorId, words, ...actorValues(ctx) }, ctx.actor.type);
}
