import { sql } from 'drizzle-orm';
import type { Listen } from '~/db/values/listening';
import { utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { listenTooShort } from './errors';
import { factsTable } from './facts-table';
import { consumeLegacyPlay } from './legacy-plays';
import { findPlayable } from './open-episode';
import { describePlay } from './play-facts';
import { type AddToSums, FACTS } from './rollups';
import { isListen } from './rules';
import type { RecordListen } from './schema';
import { sourceOfPlayer } from './sources';
import { checkTicket } from './tickets';

/**
 * Counts a listen in the web player, once per episode and session (spec §4 and §9), and only if playback was started
 * more than 60 seconds ago: with the ticket of `startPlaying`, or with a legacy client's earlier call.
 * @returns whether this call was counted
 * @throws listening.too_short, listening.ticket_*, episode.not_found, episode.subscription_required, common.server_busy
 */
export async function recordListen(ctx: Ctx, input: RecordListen): Promise<{ counted: boolean }> {
  if (input.seconds !== undefined && !isListen(input.seconds)) throw listenTooShort();
  const { episode } = await findPlayable(ctx, input);
  const { id: episodeId, creatorId, productId } = episode;
  const isLegacy = ctx.client.channel === 'rest' && input.ticket === undefined;
  if (!isLegacy) checkTicket(ctx, input);
  else if (!(await consumeLegacyPlay(ctx, episodeId))) return { counted: false };
  const { facts } = await describePlay(ctx, ctx.client, sourceOfPlayer(ctx.client.referrer));
  const listen = { creatorId, productId, episodeId, session: input.session, at: ctx.now(), facts };
  return { counted: await ctx.recorders.listens.record(listen) };
}

/** A unique index counts each listen once; a session that spans midnight is also looked up on the day before. */
export async function insertListens(db: Ctx['db'], items: Listen[], addToSums: AddToSums): Promise<boolean[]> {
  const column = (pick: (item: Listen, index: number) => string | number) => sql.param(items.map(pick));
  const facts = factsTable(items);
  const rows = await db.execute<{ session_id: string; episode_id: string }>(sql`
    with facts as materialized (${facts.rows}), arrived as (
      select day::date as day, creator_id, product_id, episode_id, session_id, at::timestamptz as at, fact
      from unnest(
        ${column((i) => utcDay(i.at))}::text[], ${column((i) => i.creatorId)}::bigint[],
        ${column((i) => i.productId)}::bigint[], ${column((i) => i.episodeId)}::bigint[],
        ${column((i) => i.session)}::text[], ${column((i) => i.at.toISOString())}::text[],
        ${column((_, i) => facts.indexes[i]!)}::int[]
      ) as a(day, creator_id, product_id, episode_id, session_id, at, fact)
    ), fresh_listens as (
      insert into listens (day, creator_id, product_id, episode_id, session_id, at, ${FACTS})
      select day, creator_id, product_id, episode_id, session_id, at, ${FACTS} from arrived a join facts using (fact)
      where not exists (
        select from listens before
        where before.day = a.day - 1 and before.session_id = a.session_id and before.episode_id = a.episode_id
      )
      order by day, session_id, episode_id
      on conflict do nothing
      returning day, creator_id, product_id, episode_id, session_id, at, null::bytea as listener_key, ${FACTS}
    ), ${addToSums('listens', sql`select * from fresh_listens`)}
    select session_id, episode_id from fresh_listens`);
  const counted = new Set(rows.map((row) => `${row.episode_id} ${row.session_id}`));
  // of duplicates in one statement, the first one counts
  return items.map((item) => counted.delete(`${item.episodeId} ${item.session}`));
}
