import type postgres from 'postgres';
import { MINUTES } from '../base/time';
import type { Urgency } from '../base/turns';
import { RATE_LIMIT_TABLE } from './rate-limits';

/** Takes a place for one call. @returns whether there was one; otherwise, ask again after `stepMs` */
export type Pace = { stepMs: number; take(urgency: Urgency): Promise<boolean> };

/** `ahead`: how many steps calls with a waiting user may be ahead of the others. */
export type Steps = { stepMs: number; ahead: number };

/** The part of the places that only calls with a waiting user may take ahead of time. */
const RESERVED = 1 / 5;

/** A place that is further ahead was taken before the database's clock was put back: nobody waits for it. */
const CLOCK_MS = MINUTES(1);

/** Steps that leave at most `perSecond` places in any second, which may begin with all places that are ahead. */
export function stepsFor(perSecond: number): Steps {
  const ahead = Math.floor(perSecond * RESERVED);
  return { ahead, stepMs: Math.ceil(1000 / Math.max(1, perSecond - ahead - 1)) };
}

/**
 * Places for the calls of all processes together, because they share the provider's limit. Places come in even steps.
 * Background calls take one only when no call is ahead of its step; calls with a waiting user may be some steps ahead,
 * so they pass the background calls of every process.
 */
export function sharedPace(client: postgres.Sql, { name, stepMs, ahead }: Steps & { name: string }): Pace {
  return {
    stepMs,
    async take(urgency) {
      const aheadMs = ahead * stepMs;
      const allowedMs = urgency === 'waited_for' ? aheadMs : 0;
      // `expire` is when the last place that was taken has passed, by the database's clock: it is the same for all
      const rows = await client`
        insert into ${client(RATE_LIMIT_TABLE)} as former (key, points, expire)
        values (${name}, 1, extract(epoch from clock_timestamp()) * 1000 + ${stepMs}::bigint)
        on conflict (key) do update set
          expire = greatest(least(former.expire + ${stepMs}::bigint, excluded.expire + ${aheadMs}::bigint), excluded.expire)
        where former.expire <= excluded.expire - ${stepMs}::bigint + ${allowedMs}::bigint
          or former.expire > excluded.expire + ${aheadMs + CLOCK_MS}::bigint
        returning 1`;
      return rows.length > 0;
    },
  };
}
