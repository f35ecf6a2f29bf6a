import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type postgres from 'postgres';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { wholeSeconds } from '../base/time';
import { RATE_LIMITS } from '../limits/http';
import type { Log } from '../watching/log';

export type LimitName = keyof typeof RATE_LIMITS;

export type RateLimits = {
  /** Counts one call by `key`. Returns null, or the time to wait if the limit is exceeded. */
  consume(name: LimitName, key: string): Promise<{ retryAfterSeconds: number } | null>;
  /** Counts one call without a limit. @returns the calls counted in the limit's duration, this one included */
  add(name: LimitName, key: string): Promise<number>;
  /** Takes back one counted call. */
  refund(name: LimitName, key: string): Promise<void>;
  forget(name: LimitName, key: string): Promise<void>;
};

type Limiters = Record<LimitName, RateLimiterPostgres>;

/** Its rows may be lost at any time. */
export const RATE_LIMIT_TABLE = 'rate_limits';

/**
 * Counts calls of all web processes in Postgres; without Postgres, each process counts alone. Keys contain clients'
 * networks and email addresses, so only keyed hashes are stored. `holder`: the connection that creates the table, if
 * not `client`.
 */
export async function createRateLimits(
  client: postgres.Sql,
  options: { secret: string; log: Log; holder?: postgres.Sql },
): Promise<RateLimits> {
  const { holder = client } = options;
  await holder`create unlogged table if not exists ${holder(RATE_LIMIT_TABLE)}
    (key text primary key, points integer not null default 0, expire bigint)`;
  const names = Object.keys(RATE_LIMITS) as LimitName[];
  const limiters = Object.fromEntries(names.map((name) => [name, limiter(name, client)])) as Limiters;
  const hash = (key: string) => createHmac('sha256', options.secret).update(key).digest('base64url');
  return {
    async consume(name, key) {
      try {
        await limiters[name].consume(hash(key));
        return null;
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        options.log.warn({ limit: name }, 'rate limit reached');
        return { retryAfterSeconds: Math.max(1, wholeSeconds(rejection.msBeforeNext)) };
      }
    },
    add: async (name, key) => (await limiters[name].penalty(hash(key))).consumedPoints,
    refund: async (name, key) => void (await limiters[name].reward(hash(key))),
    forget: async (name, key) => void (await limiters[name].delete(hash(key))),
  };
}

function limiter(name: LimitName, client: postgres.Sql) {
  const { points, duration } = RATE_LIMITS[name];
  const settings = { keyPrefix: name, points, duration: wholeSeconds(duration) };
  return new RateLimiterPostgres({
    ...settings,
    // the library expects pg's pool and only calls `query`
    storeClient: {
      query: async (q: { text: string; values: never[] }) => ({ rows: await client.unsafe(q.text, q.values) }),
    },
    storeType: 'pool',
    tableName: RATE_LIMIT_TABLE,
    tableCreated: true,
    insuranceLimiter: new RateLimiterMemory(settings),
  });
}

/** In bits: IPv4 addresses count singly, IPv6 addresses per /64, the least that a customer has. */
const CLIENT = { ipv4: 32, ipv6: 64 };
/** The range from which one attacker can often choose addresses. */
export const SITE = { ipv4: 24, ipv6: 48 };

/** The network of an address, as `203.0.113.0/24`; other texts are returned unchanged. */
export function networkOf(address: string, bits = CLIENT): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const prefix = bits[parsed.kind()];
  const type = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${type.networkAddressFromCIDR(`${parsed}/${prefix}`)}/${prefix}`;
}
