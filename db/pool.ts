import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { guardTransactions } from './lost-connection';

export type PoolOptions = {
  max?: number;
  /**
   * False behind a pooler in transaction mode: the next statement may reach a server that does not know the prepared
   * one.
   */
  prepare?: boolean;
  /** Called when the database stops or starts to answer; without it, a silent database is not noticed. */
  onAvailability?: (isUp: boolean) => void;
};

export type Pool = { client: postgres.Sql; close(): Promise<void> };

/** Longer statements are inserts of many rows, each with a text of its own. */
const MAX_PREPARED_LENGTH = 10_000;
/** Statements, connections and waiting for a free connection: a request is answered within two seconds. */
const CONNECT_SECONDS = 1.2;
const WAIT_MS = 1200;
/** The OID of `text[]`, which the driver knows only from the database. */
const TEXT_ARRAY = 1009;
const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 900;
/** For other connections of a pool that lost one. */
const FINISH_SECONDS = 5;

/**
 * A pool of connections that survives losing them: postgres.js retries with pauses of up to 20 seconds, writes to a
 * closed socket at the end of a lost transaction, which ends the process, and can keep a connection that never sends
 * again. So the first lost connection replaces all of them.
 */
export function openPool(url: string, options: PoolOptions = {}): Pool {
  const { max = 10, prepare = true } = options;
  let isClosing = false;
  let isUp = true;
  let current = connect(null);

  function connect(previous: postgres.Sql | null): postgres.Sql {
    const client: postgres.Sql = postgres(url, {
      max,
      prepare,
      connect_timeout: CONNECT_SECONDS,
      max_lifetime: null,
      backoff: () => 0,
      onnotice: () => {},
      onclose: () => replace(client, FINISH_SECONDS),
    });
    adaptStatements(client, { prepare, isUp: () => isUp });
    guardTransactions(client);
    // Drizzle sets how the client reads dates
    drizzle(client);
    readTypesOnce(client, previous);
    return client;
  }

  function replace(client: postgres.Sql, timeout: number): void {
    if (client !== current || isClosing) return;
    current = connect(client);
    void client.end({ timeout });
  }

  function onAvailability(answers: boolean): void {
    isUp = answers;
    // connections that were opened in the meantime for nothing
    if (isUp) replace(current, FINISH_SECONDS);
    options.onAvailability?.(isUp);
  }

  const stopWatching = options.onAvailability
    ? watch(url, { onAvailability, onSilence: () => replace(current, 0) })
    : null;
  return {
    client: new Proxy(current, {
      apply: (_, __, args: Parameters<postgres.Sql>) => current(...args),
      get: (_, name) => current[name as keyof postgres.Sql],
    }),
    async close() {
      isClosing = true;
      await Promise.all([current.end({ timeout: 5 }), stopWatching?.()]);
    },
  };
}

/**
 * postgres.js asks each new connection for the array types, and nobody can catch an error of that statement. So only
 * connections of a pool that does not know them yet ask.
 */
function readTypesOnce({ options }: postgres.Sql, previous: postgres.Sql | null): void {
  Object.assign(options.serializers, previous?.options.serializers);
  Object.assign(options.parsers, previous?.options.parsers);
  Object.defineProperty(options, 'fetch_types', { get: () => !(TEXT_ARRAY in options.serializers) });
}

/**
 * Drizzle asks the driver not to prepare a query unless it has a name, so each one would be parsed and planned again,
 * after a second round trip for its types. Transactions have clients of their own and are not affected. The driver
 * keeps a statement for each connection and prepares it again if a migration invalidates it.
 */
function adaptStatements(client: postgres.Sql, { prepare, isUp }: { prepare: boolean; isUp: () => boolean }): void {
  const { unsafe } = client;
  const limitWait = waitLimiter();
  client.unsafe = ((text, params, options) => {
    const query = unsafe(text, params, { ...options, prepare: prepare && text.length <= MAX_PREPARED_LENGTH });
    if (isUp()) limitWait(query as unknown as WaitingQuery);
    // nobody needs to wait for what is known
    else query.cancel();
    return query;
  }) as typeof unsafe;
}

/**
 * `state`: the connection that it was sent on. `active`: its answer is the next one. `executed`: somebody awaits it.
 */
type WaitingQuery = Promise<unknown> & {
  state: unknown;
  active: boolean;
  executed: boolean;
  options: { onexecute?: unknown };
  cancel(): unknown;
  reject(error: Error): void;
};

/**
 * Rejects queries that wait too long for a connection, or on one behind another query. Most have begun by the next turn
 * of the event loop, so only the others get a timer.
 */
function waitLimiter(): (query: WaitingQuery) => void {
  let fresh: WaitingQuery[] = [];
  function startTimers() {
    for (const query of fresh) if (query.executed && !query.active) startTimer(query);
    fresh = [];
  }
  return (query) => {
    if (fresh.push(query) === 1) setImmediate(startTimers);
  };
}

function startTimer(query: WaitingQuery): void {
  const timer = setTimeout(() => {
    // a transaction that was sent has reserved its connection, and nobody else would release it
    const canReject = !query.active && (query.state === null || !query.options.onexecute);
    if (!canReject) return;
    void Promise.resolve(query.cancel()).catch(() => {});
    query.reject(Object.assign(new Error('no free database connection in time'), { code: 'CONNECT_TIMEOUT' }));
  }, WAIT_MS);
  const clear = () => clearTimeout(timer);
  query.then(clear, clear);
}

type Watch = { onAvailability: (isUp: boolean) => void; onSilence: () => void };

/** Asks the database on a connection of its own, because only an answer shows that it is there. @returns stops it */
function watch(url: string, { onAvailability, onSilence }: Watch): () => Promise<void> {
  const connect = () =>
    postgres(url, {
      max: 1,
      prepare: false,
      connect_timeout: 1,
      backoff: () => 0,
      onnotice: () => {},
      fetch_types: false,
    });
  const stopping = new AbortController();
  let probe = connect();
  let isUp = true;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const answered = await answers(probe);
      if (stopping.signal.aborted) return;
      if (answered !== isUp) onAvailability(answered);
      isUp = answered;
      if (!isUp) {
        onSilence();
        void probe.end({ timeout: 0 });
        probe = connect();
      }
      await sleep(PROBE_INTERVAL_MS, null, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  void run();
  return () => {
    stopping.abort();
    return probe.end({ timeout: 0 });
  };
}

/** The second, short wait reads an answer that arrived while this process was busy. */
async function answers(probe: postgres.Sql): Promise<boolean> {
  const answer = probe`select 1`.simple().then(
    () => true,
    () => false,
  );
  const late = sleep(PROBE_TIMEOUT_MS, null, { ref: false }).then(() => sleep(100, false, { ref: false }));
  return Promise.race([answer, late]);
}
