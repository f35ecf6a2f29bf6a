import { lt, sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { apiCalls } from '~/db/schema/developers';
import { earlier } from '../../base/time';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import type { Ctx } from '../../runtime/ctx';

export type ApiCall = Omit<typeof apiCalls.$inferInsert, 'id'>;

/**
 * Writes calls that were answered, in a few statements. Their values are one parameter, because building a statement with
 * one for each value took a web process a tenth of its time.
 */
export async function insertCalls(db: Database, calls: ApiCall[]): Promise<void> {
  const { callsAtOnce } = DEVELOPER_LIMITS;
  for (let from = 0; from < calls.length; from += callsAtOnce)
    await db.execute(sql`
      insert into ${apiCalls} (creator_id, caller, method, path, status, ms, request_id, at)
      select * from jsonb_to_recordset(${JSON.stringify(calls.slice(from, from + callsAtOnce))}::text::jsonb)
        as c("creatorId" bigint, caller text, method text, path text, status int, ms int, "requestId" text, at timestamptz)`);
}

/** Deletes calls of more than a week ago, and the oldest ones of a creator who has made more than are shown. */
export async function sweepCalls(ctx: Ctx): Promise<void> {
  const { callsKept, callsKeptFor } = DEVELOPER_LIMITS;
  await ctx.db.delete(apiCalls).where(lt(apiCalls.at, earlier(ctx.now(), callsKeptFor)));
  // materialized, so that the last call is found once for each busy creator and not for each of its calls
  await ctx.db.execute(sql`
    with busy as materialized (
      select creator_id, (select c.id from ${apiCalls} c where c.creator_id = many.creator_id
        order by c.id desc offset ${callsKept}::int limit 1) as last
      from (select creator_id from ${apiCalls} group by creator_id having count(*) > ${callsKept}::int) many
    )
    delete from ${apiCalls} using busy
    where ${apiCalls.creatorId} = busy.creator_id and ${apiCalls.id} <= busy.last`);
}
