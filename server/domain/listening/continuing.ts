import { and, asc, count, desc, ne, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { Ctx } from '../../ctx';
import { authorize } from '../../policy/authorize';
import { findShownEpisode, fromEpisodes, inPlayOrder } from '../episodes/queries';
import { type Episode, shownEpisode } from '../episodes/showing';
import type { Page } from '../products/browsing';
import { KINDS } from '../products/kinds';
import { besides, heardBy } from './playing';
import type { OtherEpisodes } from './schema';

/**
 * The other episodes of the same product that the caller may hear, in play order. With a direction, those after or
 * before this one, the nearest first. @throws episode.not_found
 */
export async function otherEpisodesOf(ctx: Ctx, input: OtherEpisodes): Promise<Page<Episode>> {
  const { id, kind, direction, page, pageSize } = input;
  const found = await findShownEpisode(ctx, id, kind);
  const episode = authorize(ctx, 'episode.see', found.episode);
  const older = (direction === 'next') === (KINDS[found.product.kind].playOrder === 'newest_first');
  const where = and(
    heardBy(ctx, found),
    ne(episodes.id, episode.id),
    direction && besides(found, older ? sql`<` : sql`>`),
  );
  const nearestFirst = older
    ? [desc(episodes.releaseAt), desc(episodes.id)]
    : [asc(episodes.releaseAt), asc(episodes.id)];
  const [rows, [counted]] = await Promise.all([
    fromEpisodes(ctx)
      .where(where)
      .orderBy(...(direction ? nearestFirst : inPlayOrder(found.product.kind)))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(episodes).where(where),
  ]);
  return { items: rows.map((row) => shownEpisode(ctx, row)), total: counted?.total ?? 0, page, pageSize };
}
