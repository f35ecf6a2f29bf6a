import { hash } from 'node:crypto';
import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm';
import { legacyPlays } from '~/db/schema/listening';
import { DAYS, earlier, SECONDS, utcDay } from '../../base/time';
import { LISTEN_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';
import { networkPrefix } from './rules';

/**
 * Legacy clients call listen without a ticket (rest-contract.md), so the server remembers who has started to play an
 * episode: a user, or a network (docs/decisions/0165).
 */
export async function rememberLegacyPlay(ctx: Ctx, episodeId: number): Promise<void> {
  const at = ctx.now();
  const caller = hashCaller(ctx, await ctx.recorders.saltOf(utcDay(at)));
  const own = and(eq(legacyPlays.episodeId, episodeId), eq(legacyPlays.caller, caller));
  // reading has no rate limit, so a caller must not fill the table
  if ((await ctx.db.$count(legacyPlays, own)) >= LISTEN_LIMITS.legacyPlays) return;
  await ctx.db.insert(legacyPlays).values({ episodeId, caller, at });
}

/** Uses one play of this caller that is old enough. @returns whether such a play existed */
export async function consumeLegacyPlay(ctx: Ctx, episodeId: number): Promise<boolean> {
  const now = ctx.now();
  const today = await ctx.recorders.saltOf(utcDay(now));
  if (await consumeOne(ctx, episodeId, hashCaller(ctx, today))) return true;
  const former = await ctx.recorders.lookupSalt(utcDay(earlier(now, DAYS(1))));
  return former !== null && consumeOne(ctx, episodeId, hashCaller(ctx, former));
}

/** Two concurrent calls take different rows. */
async function consumeOne({ db, now }: Ctx, episodeId: number, caller: Buffer): Promise<boolean> {
  const playedBefore = earlier(now(), SECONDS(LISTEN_LIMITS.countedAfterSeconds));
  const playedAfter = earlier(now(), LISTEN_LIMITS.ticketValidFor);
  const { id, at } = legacyPlays;
  const oldest = db
    .select({ id })
    .from(legacyPlays)
    .where(
      and(
        eq(legacyPlays.episodeId, episodeId),
        eq(legacyPlays.caller, caller),
        lt(at, playedBefore),
        gt(at, playedAfter),
      ),
    )
    .orderBy(asc(at))
    .limit(1)
    .for('update', { skipLocked: true });
  const used = await db.delete(legacyPlays).where(inArray(id, oldest)).returning({ id });
  return used.length > 0;
}

function hashCaller({ actor, client }: Ctx, salt: Buffer): Buffer {
  const caller = actor.type === 'user' ? `user ${actor.userId}` : networkPrefix(client.address);
  return hash('sha256', `${salt.toString('hex')}\n${caller}`, 'buffer');
}
