import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { matchesPattern, patternOf } from '~/db/search';
import type { EpisodeStatus } from '~/db/values/episodes';
import { SEARCH_LIMITS } from '../../limits/episodes';
import { requireCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { whereEpisodeVisible, whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { coverUrls } from '../media/rules';
import type { KindName } from '../products/kinds';
import type { SearchNames } from './schema';

export type FoundProduct = { id: number; kind: KindName; name: string; picture: string; isArchived: boolean };
export type FoundEpisode = {
  id: number;
  productId: number;
  kind: KindName;
  name: string;
  productName: string;
  status: EpisodeStatus;
};
export type FoundNames = { products: FoundProduct[]; episodes: FoundEpisode[] };

type Search = { creatorId: number; pattern: string; start: string };

const selectProducts = preparedSelect((db, { creatorId, pattern, start }: Inputs<Search>) =>
  db
    .select({
      id: products.id,
      kind: products.kind,
      name: products.name,
      coverKey: products.coverKey,
      isArchived: sql<boolean>`${isNotNull(products.archivedAt)}`,
    })
    .from(products)
    .where(and(eq(products.creatorId, creatorId), whereProductVisible(), matchesPattern(products.name, pattern)))
    .orderBy(desc(matchesPattern(products.name, start)!), desc(products.id))
    .limit(SEARCH_LIMITS.products),
);

const selectEpisodes = preparedSelect((db, { creatorId, pattern, start }: Inputs<Search>) =>
  db
    .select({
      id: episodes.id,
      productId: episodes.productId,
      kind: products.kind,
      name: episodes.name,
      productName: products.name,
      status: episodes.status,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.creatorId, creatorId), whereEpisodeVisible(), matchesPattern(episodes.name, pattern)))
    .orderBy(desc(matchesPattern(episodes.name, start)!), desc(episodes.id))
    .limit(SEARCH_LIMITS.episodes),
);

/**
 * Shows and episodes of the creator that the user works for, by a part of their names; names that start with it come
 * first. Team members who may not read content find only shows.
 */
export async function searchNames(ctx: Ctx, { search }: SearchNames): Promise<FoundNames> {
  const subject = authorize(ctx, 'product.read', requireCreator(ctx));
  const { creatorId } = subject;
  const pattern = patternOf(search)!;
  const words = { creatorId, pattern, start: pattern.slice(1) };
  const [shows, found] = await Promise.all([
    selectProducts(ctx.db, words),
    may(ctx, 'episode.read', subject) ? selectEpisodes(ctx.db, words) : [],
  ]);
  return {
    products: shows.map(({ coverKey, ...show }) => ({ ...show, picture: coverUrls(coverKey).webp[96] })),
    episodes: found,
  };
}
