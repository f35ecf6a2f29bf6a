import { lt, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { feedFetches } from '~/db/schema/feeds';
import type { FeedFetch } from '~/db/values/listening';
import { earlier } from '../../base/time';
import { SHARING_LIMITS } from '../../limits/feeds';
import type { Ctx } from '../../runtime/ctx';

/** Stores the first fetch of each network and app. Deleted links are left out. */
export async function insertFetches(db: Ctx['db'], items: FeedFetch[]): Promise<null[]> {
  const list = (pick: (item: FeedFetch) => string | number) => plainArray(items.map(pick));
  await db.execute(sql`
    insert into feed_fetches (link_id, episode_id, network, app, at)
    select distinct on (a.link_id, a.episode_id, a.network, a.app)
      a.link_id, a.episode_id, a.network, a.app, to_timestamp(a.at / 1000.0)
    from unnest(${list((i) => i.linkId)}::bigint[], ${list((i) => i.episodeId)}::bigint[],
      ${list((i) => i.network)}::text[], ${list((i) => i.app)}::text[], ${list((i) => i.at.getTime())}::bigint[]
    ) as a(link_id, episode_id, network, app, at)
    inner join feed_links l on l.id = a.link_id and l.replaced_at is null
    order by a.link_id, a.episode_id, a.network, a.app, a.at
    on conflict do nothing`);
  return items.map(() => null);
}

/** Deletes older fetches, which no longer indicate sharing. */
export async function sweepFetches(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await ctx.db.delete(feedFetches).where(lt(feedFetches.at, earlier(ctx.now(), SHARING_LIMITS.window)));
}
