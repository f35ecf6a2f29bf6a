import { createHmac } from 'node:crypto';
import type postgres from 'postgres';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { RATE_LIMITS } from '../limits/http';
import type { Log } from '../log';
import { wholeSeconds } from '../time';

export type LimitName = keyof typeof RATE_LIMITS;

export type RateLimits = {
  /** Counts one call by `key`; null, or the time to wait if the limit is exceeded. */
  consume(name: LimitName, key: string): Promise<{ retryAfterSeconds: number } | null>;
};

const TABLE = 'rate_limits';

/**
 * Counts calls of all web processes in Postgres; without Postgres, each process counts alone. Keys are client addresses,
 * stored only as keyed hashes.
 */
export async function createRateLimits(
  client: postgres.Sql,
  options: { secret: string; log: Log },
): Promise<RateLimits> {
  await client`create unlogged table if not exists ${client(TABLE)}
    (key text primary key, points integer not null default 0, expire bigint)`;
  const limiters = new Map(
    (Object.keys(RATE_LIMITS) as LimitName[]).map((name) => [name, limiter(name, client)] as const),
  );
  return {
    async consume(name, key) {
      const hashedKey = createHmac('sha256', options.secret).update(networkOf(key)).digest('base64url');
      try {
        await limiters.get(name)?.consume(hashedKey);
        return null;
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        options.log.warn({ limit: name }, 'rate limit reached');
        return { retryAfterSeconds: Math.max(1, wholeSeconds(rejection.msBeforeNext)) };
      }
    },
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
    tableName: TABLE,
    tableCreated: true,
    insuranceLimiter: new RateLimiterMemory(settings),
  });
}

/** IPv6 addresses count per /64, the least that a customer has; IPv4 addresses count singly. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const missing = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':');
}
