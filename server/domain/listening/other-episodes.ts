import { and, asc, count, desc, ne, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { Ctx } from '../../ctx';
import type { Page } from '../../paging';
import { assertCanSee } from '../episodes/catalog';
import { findEpisodeRecord, fromEpisodes, inPlayOrder } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { KINDS } from '../products/kinds';
import { afterOrBefore, audibleEpisodes } from './playing';
import type { OtherEpisodes } from './schema';

/**
 * The other episodes of the same product that the caller may hear, in play order. With a direction, those after or
 * before this one, the nearest first. @throws episode.not_found
 */
export async function otherEpisodesOf(ctx: Ctx, input: OtherEpisodes): Promise<Page<EpisodeView>> {
  const { id, kind, direction, page, pageSize } = input;
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  const { episode } = found;
  const older = (direction === 'next') === (KINDS[found.product.kind].playOrder === 'newest_first');
  const where = and(
    audibleEpisodes(ctx, found),
    ne(episodes.id, episode.id),
    direction && afterOrBefore(found, older ? sql`<` : sql`>`),
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
  return { items: rows.map((row) => toEpisodeView(ctx, row)), total: counted?.total ?? 0, page, pageSize };
}
