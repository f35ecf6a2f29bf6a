import { and, eq, gt, inArray, isNotNull, isNull, ne, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { episodes } from '~/db/schema/episodes';
import { gifts } from '~/db/schema/gifts';
import { products } from '~/db/schema/products';
import type { Actor, Ctx } from '../runtime/ctx';
import { readCreatorOf } from './actor';
import { availableFrom } from './drip';

/**
 * Every rule about what is visible, audible or listed, each as a predicate over loaded facts (`is…`, `can…`) and as its
 * SQL twin (`where…`) for queries from `episodes` joined with `products`. Change both together: a test compares them
 * for every combination of facts and actors (decision 0074).
 */
type ProductColumn = 'priceMinor' | 'archivedAt' | 'takenDownAt' | 'retiredAt';
export type ProductFacts = Pick<typeof products.$inferSelect, ProductColumn>;
type EpisodeColumn =
  | 'creatorId'
  | 'status'
  | 'type'
  | 'earlyUntil'
  | 'audioKey'
  | 'audioBytes'
  | 'deletedAt'
  | 'takenDownAt';
export type EpisodeFacts = Pick<typeof episodes.$inferSelect, EpisodeColumn> & {
  product: ProductFacts;
  /** The actor holds a live grant to the product: a subscription, a purchase or a gift. */
  hasGrant: boolean;
  /**
   * When the product's drip makes the episode available to the grant's holder (drip.ts); null if they need not wait.
   */
  availableAt: string | null;
};

/**
 * The facts about an actor that the SQL rules read. In a prepared select (db/driver/prepared-select.ts) its values are
 * placeholders.
 */
export type QueryActor = { type: Exclude<Actor['type'], 'user'> } | UserInQuery;
type UserInQuery = {
  type: 'user';
  userId: number | Placeholder;
  /** The result of `readCreatorOf`. */
  creatorId: number | Placeholder | null;
  /** The current time in ISO 8601, because grants end. */
  now: string | Placeholder;
};

export function actorInQuery({ actor, now }: Pick<Ctx, 'actor' | 'now'>): QueryActor {
  if (actor.type !== 'user') return actor;
  return { type: 'user', userId: actor.userId, creatorId: readCreatorOf(actor), now: now().toISOString() };
}

export type GrantFacts = Pick<typeof grants.$inferSelect, 'source' | 'startsAt' | 'endsAt'>;

/** Valid now: started and not ended. */
export function isLiveGrant({ startsAt, endsAt }: GrantFacts, now: Date): boolean {
  return startsAt <= now && (endsAt === null || endsAt > now);
}
export function whereLiveGrant(now: string | Placeholder): SQL {
  const begun = sql`${grants.startsAt} <= ${now}::timestamptz`;
  return all(begun, any(isNull(grants.endsAt), sql`${grants.endsAt} > ${now}::timestamptz`));
}

/** The listener or a giver has paid for it. Following is free. */
export const isPaidGrant = ({ source }: Pick<GrantFacts, 'source'>): boolean => source !== 'follow';
export const wherePaidGrant = (): SQL => ne(grants.source, 'follow');

/**
 * Gives access to a product's private episodes. Following gives access to those of a free product only
 * (docs/decisions/0152).
 */
export function isOpeningGrant(
  grant: GrantFacts,
  { priceMinor }: Pick<ProductFacts, 'priceMinor'>,
  now: Date,
): boolean {
  return isLiveGrant(grant, now) && (isPaidGrant(grant) || priceMinor === null);
}
export function whereOpeningGrant(now: string | Placeholder): SQL {
  return all(whereLiveGrant(now), any(wherePaidGrant(), isNull(products.priceMinor)));
}

/** Whether the actor holds a grant that gives access to the product, in a query with `products`. */
export function whereGranted(actor: QueryActor, further = sql`true`): SQL<boolean> {
  if (actor.type !== 'user') return sql<boolean>`false`;
  const own = all(eq(grants.userId, actor.userId), eq(grants.productId, products.id), whereOpeningGrant(actor.now));
  return sql<boolean>`exists (select from ${grants} where ${own} and ${further})`;
}

/** When the product's drip makes an episode available to the actor, in a query from `episodes` with `products`. */
export function availableAt(actor: QueryActor): SQL<string | null> {
  if (actor.type !== 'user') return sql<null>`null`;
  const own = all(eq(grants.userId, actor.userId), eq(grants.productId, products.id), whereOpeningGrant(actor.now));
  return availableFrom(sql`(select min(${grants.dripsFrom}) from ${grants} where ${own})`, actor.now);
}

/** Whether the actor's grant gives access to a published episode now. */
export const isHeard = ({ hasGrant, availableAt }: Pick<EpisodeFacts, 'hasGrant' | 'availableAt'>): boolean =>
  hasGrant && availableAt === null;
export function whereHeard(actor: QueryActor): SQL<boolean> {
  return sql<boolean>`(${whereGranted(actor)} and ${availableAt(actor)} is null)`;
}

/**
 * When the last of the actor's grants with access to the product ends, in a query with `products`. Null if it does not
 * end.
 */
export function grantedUntil(actor: QueryActor): SQL<string | null> {
  if (actor.type !== 'user') return sql<null>`null`;
  const own = all(eq(grants.userId, actor.userId), eq(grants.productId, products.id), whereOpeningGrant(actor.now));
  return sql<string | null>`(
    select case when bool_or(${grants.endsAt} is null) then null else max(${grants.endsAt}) end from ${grants} where ${own})`;
}

/**
 * Whether there are buyers who may hear the product, or redeem a gift of it, in a query with `products`: its creator
 * may leave, but buyers keep it.
 */
export function wherePaidFor(now: Date): SQL<boolean> {
  const paid = all(eq(grants.productId, products.id), wherePaidGrant(), whereLiveGrant(now.toISOString()));
  const given = all(eq(gifts.productId, products.id), whereOpenGift(now));
  return sql<boolean>`(exists (select from ${grants} where ${paid}) or exists (select from ${gifts} where ${given}))`;
}

/** A gift that is paid for and can be redeemed (`stateOfGift` in billing/base/gift-links.ts). */
export function whereOpenGift(now: Date): SQL {
  return all(isNull(gifts.redeemedAt), isNull(gifts.cancelledAt), gt(gifts.expiresAt, now));
}

/** A retired product and its episodes are invisible, even to the owner. */
export const isProductVisible = ({ retiredAt }: Pick<ProductFacts, 'retiredAt'>): boolean => retiredAt === null;
export const whereProductVisible = (): SQL => isNull(products.retiredAt);

/**
 * Not taken down by an operator. After a take-down, only its team sees a product, even if other users have paid for it
 * (docs/decisions/0261).
 */
export const isProductOffered = (product: Pick<ProductFacts, 'takenDownAt' | 'retiredAt'>): boolean =>
  isProductVisible(product) && product.takenDownAt === null;
export const whereProductOffered = (): SQL => all(whereProductVisible(), isNull(products.takenDownAt));

/** Shown to all visitors. An archived product remains for its team and for holders of a grant with access. */
export const isProductPublic = (product: Pick<ProductFacts, 'archivedAt' | 'takenDownAt' | 'retiredAt'>): boolean =>
  isProductOffered(product) && product.archivedAt === null;
export const whereProductPublic = (): SQL => all(whereProductOffered(), isNull(products.archivedAt));

/** A deleted episode is invisible, even to the owner, who can restore it for some days (episodes/delete-episode.ts). */
export const isKept = ({ deletedAt }: Pick<EpisodeFacts, 'deletedAt'>): boolean => deletedAt === null;
export const whereKept = (): SQL => isNull(episodes.deletedAt);

export const isEpisodeVisible = (episode: Pick<EpisodeFacts, 'deletedAt' | 'product'>): boolean =>
  isProductVisible(episode.product) && isKept(episode);
export const whereEpisodeVisible = (): SQL => all(whereProductVisible(), whereKept());

/** Neither the episode nor its product is taken down. */
export const isEpisodeOffered = (episode: Pick<EpisodeFacts, 'deletedAt' | 'takenDownAt' | 'product'>): boolean =>
  isProductOffered(episode.product) && isKept(episode) && episode.takenDownAt === null;
export const whereEpisodeOffered = (): SQL => all(whereProductOffered(), whereKept(), isNull(episodes.takenDownAt));

export const isEpisodePublic = (episode: Pick<EpisodeFacts, 'deletedAt' | 'takenDownAt' | 'product'>): boolean =>
  isProductPublic(episode.product) && isEpisodeOffered(episode);
const whereEpisodePublic = (): SQL => all(whereProductPublic(), whereEpisodeOffered());

export const isPublished = ({ status }: Pick<EpisodeFacts, 'status'>): boolean => status === 'published';
export const wherePublished = (): SQL => eq(episodes.status, 'published');

/** Listed on public pages and counted in `episodesCount`: private episodes of paid products are listed with a lock. */
export function isListed(episode: EpisodeFacts): boolean {
  const { product } = episode;
  return isEpisodePublic(episode) && isPublished(episode) && (isOpen(episode) || product.priceMinor !== null);
}
export function whereListed(): SQL {
  return all(whereEpisodePublic(), wherePublished(), any(whereOpen(), isNotNull(products.priceMinor)));
}

/** May know that the episode exists: in a free product only the team and grant holders see private ones. */
export function canSee(actor: Actor, episode: EpisodeFacts): boolean {
  if (actor.type === 'system' || !isEpisodeVisible(episode)) return false;
  const isGranted = episode.hasGrant && isPublished(episode) && isEpisodeOffered(episode);
  return readsContentOf(actor, episode) || isListed(episode) || isGranted;
}
export function whereSeen(actor: QueryActor, grant = whereGranted(actor)): SQL {
  if (actor.type === 'system') return sql`false`;
  return all(
    whereEpisodeVisible(),
    any(whereContentReader(actor), whereListed(), all(wherePublished(), whereEpisodeOffered(), grant)),
  );
}

/** The check of the audio has succeeded at least once. */
export const hasAudio = ({ audioKey }: Pick<EpisodeFacts, 'audioKey'>): boolean => audioKey !== null;
export const whereHasAudio = (): SQL => isNotNull(episodes.audioKey);

/**
 * May hear the episode: the team at any time, a grant holder once it is published and the drip has made it available,
 * all other listeners if it is open.
 */
export function canPlay(actor: Actor, episode: EpisodeFacts): boolean {
  if (actor.type === 'system' || !hasAudio(episode) || !isEpisodeVisible(episode)) return false;
  const isForAll = isProductPublic(episode.product) && isOpen(episode);
  const byAudience = isPublished(episode) && isEpisodeOffered(episode) && (isForAll || isHeard(episode));
  return readsContentOf(actor, episode) || byAudience;
}
export function wherePlayable(actor: QueryActor, heard = whereHeard(actor)): SQL {
  if (actor.type === 'system') return sql`false`;
  const forAudience = any(all(whereProductPublic(), whereOpen()), heard);
  const byAudience = all(wherePublished(), whereEpisodeOffered(), forAudience);
  return all(whereEpisodeVisible(), whereHasAudio(), any(whereContentReader(actor), byAudience));
}

/**
 * May hear the promo: the team at any time, all others while the episode is published and locked. Without a lock, the
 * episode itself is heard (docs/decisions/0316), but creators choose the shows that they recommend by their promos
 * (docs/decisions/0362).
 */
export function canPlayPromo(actor: Actor, episode: EpisodeFacts): boolean {
  if (actor.type === 'system' || !isEpisodeVisible(episode)) return false;
  const isCreator = actor.type === 'user' && actor.creatorId !== null;
  return readsContentOf(actor, episode) || (isListed(episode) && (isCreator || !isOpen(episode)));
}

/** May read the transcript: those who may hear the episode, and if its creator allows it, all who see it listed. */
export const canReadTranscript = (actor: Actor, episode: EpisodeFacts & { transcriptShowAll: boolean }): boolean =>
  canPlay(actor, episode) || (episode.transcriptShowAll && isListed(episode));
export const whereTranscriptRead = (actor: QueryActor, heard = whereHeard(actor)): SQL =>
  any(wherePlayable(actor, heard), all(eq(episodes.transcriptShowAll, true), whereListed()));

/** Included in the player's queue: even the owner hears an unpublished episode only on its own page. */
export function isQueued(actor: Actor, episode: EpisodeFacts): boolean {
  return isPublished(episode) && canPlay(actor, episode);
}
export function whereQueued(actor: QueryActor, heard = whereHeard(actor)): SQL {
  return all(wherePublished(), wherePlayable(actor, heard));
}

/** Included in the public feed. An enclosure needs the length of its file (Apple, PSP-1). */
export function isInPublicFeed(episode: EpisodeFacts): boolean {
  return isEpisodePublic(episode) && isPublished(episode) && isOpen(episode) && (episode.audioBytes ?? 0) > 0;
}
export function whereInPublicFeed(): SQL {
  return all(whereEpisodePublic(), wherePublished(), whereOpen(), gt(episodes.audioBytes, 0));
}

type PlaceColumn = 'status' | 'type' | 'publishedAt' | 'heldAt' | 'deletedAt';
/**
 * Facts for counting places: among the published public and private episodes, and among a plan's free ones. An episode
 * that is taken down keeps its place, but gets no new one.
 */
export type PlaceFacts = Pick<typeof episodes.$inferSelect, PlaceColumn> & { takenDownAt?: Date | null };

/** Published, or published until its audio was replaced: an episode keeps its place while another file is checked. */
export function hasPlace(episode: PlaceFacts): boolean {
  const { status, publishedAt, heldAt } = episode;
  const isReplaced = (status === 'in_progress' || status === 'failed') && publishedAt !== null && heldAt === null;
  return isKept(episode) && (isPublished(episode) || isReplaced);
}
export function whereHasPlace(): SQL {
  const checked = inArray(episodes.status, ['in_progress', 'failed']);
  const replaced = all(checked, isNotNull(episodes.publishedAt), isNull(episodes.heldAt));
  return all(whereKept(), any(wherePublished(), replaced));
}

/** Counts towards the public ≤ private rule (spec §5). Trailers don't count. */
export function countsForBalance(episode: PlaceFacts): boolean {
  return hasPlace(episode) && episode.type !== 'trailer';
}
export function whereCountsForBalance(): SQL {
  return all(whereHasPlace(), inArray(episodes.type, ['public', 'private']));
}

/** Shown to all visitors on the discovery page: it has episodes to hear, unless its creator has disabled that. */
export function isDiscoverable(product: ProductFacts & { isListed: boolean; episodesCount: number }): boolean {
  const { isListed: isOffered, episodesCount } = product;
  return isProductPublic(product) && isOffered && episodesCount > 0;
}
export function whereDiscoverable(): SQL {
  const listed = sql`exists (select from ${episodes} where ${eq(episodes.productId, products.id)} and ${whereListed()})`;
  return all(whereProductPublic(), eq(products.isListed, true), listed);
}

/** Open to all listeners: neither private, nor still in early access. */
export const isOpen = ({ type, earlyUntil }: Pick<EpisodeFacts, 'type' | 'earlyUntil'>): boolean =>
  type !== 'private' && earlyUntil === null;
const whereOpen = (): SQL => all(ne(episodes.type, 'private'), isNull(episodes.earlyUntil));

/** The owner, and team members who may read content. */
const readsContentOf = (actor: Actor, { creatorId }: EpisodeFacts): boolean => readCreatorOf(actor) === creatorId;
function whereContentReader(actor: QueryActor): SQL {
  if (actor.type !== 'user' || actor.creatorId === null) return sql`false`;
  return eq(episodes.creatorId, actor.creatorId);
}

// Drizzle's `and` and `or` are undefined without conditions; these always have some
const all = (...conditions: [SQL, ...SQL[]]): SQL => and(...conditions) as SQL;
const any = (...conditions: [SQL, ...SQL[]]): SQL => or(...conditions) as SQL;
