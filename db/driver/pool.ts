import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { connectionTo } from '../tls';
import { ALONE, alone } from './alone';
import { addArrayTypes } from './array-types';
import { awaitAnswers, type Deadline, expectAnswers } from './deadline';
import { guardTransactions } from './lost-connection';
import type { Purpose } from './overdue';
import { afterStart, type Startable } from './started';

export type PoolOptions = {
  max?: number;
  /**
   * False behind a pooler in transaction mode: the next statement may reach a server that does not have the prepared
   * one.
   */
  prepare?: boolean;
  /** Whether a pooler is in front, which statements are never sent ahead to (docs/decisions/0288). Follows `prepare`. */
  isPooled?: boolean;
  /** The purpose of the connections; limits the time of their statements (db/driver/overdue.ts). */
  purpose?: Purpose;
  /** Called with the text of each statement that begins; the returned function is called at its end. */
  onStatement?: (text: string) => (error?: unknown) => void;
  /** Waits for a connection as long as needed: for work without a waiting user, such as migrations. */
  patient?: boolean;
  /** Called for each statement that got no connection in time. */
  onStarved?: () => void;
  /** Replaces connections that do not answer in time. Without it, the driver waits for ever. */
  deadline?: Deadline;
};

export type Pool = {
  client: postgres.Sql;
  /** The number of used connections, and of statements that wait for one. */
  use(): { max: number; used: number; waiting: number };
  /** Must be called regularly with whether the database answers. Without it, a silent database is not noticed. */
  report(isUp: boolean): void;
  close(): Promise<void>;
};

/** Longer statements are inserts of many rows, each with a different text. */
const MAX_PREPARED_LENGTH = 10_000;
/**
 * The limit for statements, for opening connections and for waiting for a free one: a request is answered within two
 * seconds.
 */
const CONNECT_SECONDS = 1.2;
const WAIT_MS = 1200;
/** A paused process counts only one part of the wait: the answers may have arrived, but it has not read them. */
const WAIT_PARTS = 4;
const PATIENT_CONNECT_SECONDS = 10;
/** Time for the other connections of a pool that lost one. */
const FINISH_SECONDS = 5;

/**
 * A pool of connections that survives losing them. postgres.js retries with pauses of up to 20 seconds, writes to a
 * closed socket at the end of a lost transaction, which ends the process, and can keep a connection that never sends
 * again. So the first lost connection replaces all of them.
 */
export function openPool(url: string, options: PoolOptions = {}): Pool {
  const { max = 10, prepare = true, isPooled = !prepare, purpose, patient = false, onStatement, deadline } = options;
  const { onStarved = () => {} } = options;
  const server = connectionTo(url);
  let isClosing = false;
  let isUp = true;
  const load: Load = { statements: 0, transactions: 0 };
  const isFull = () => load.statements + load.transactions >= max;
  const answers = deadline && awaitAnswers(deadline, { isFull, onLate: () => replace(current) });
  let current = connect();
  const finishing = finishingClients();

  function connect(): postgres.Sql {
    const client: postgres.Sql = postgres(server.url, {
      max,
      ssl: server.ssl,
      prepare,
      connect_timeout: patient ? PATIENT_CONNECT_SECONDS : CONNECT_SECONDS,
      max_lifetime: null,
      backoff: () => 0,
      onnotice: () => {},
      onclose: () => replace(client),
      fetch_types: false,
      ...(purpose && { connection: { application_name: purpose } }),
    });
    adaptStatements(client, { prepare, isPooled, mayWait: patient, isUp: () => isUp, load, onStarved });
    guardTransactions(client);
    countTransactions(client, load);
    if (answers) expectAnswers(client, answers);
    if (onStatement) reportStatements(client, onStatement);
    // Drizzle sets how the client reads dates
    drizzle(client);
    addArrayTypes(client.options);
    return client;
  }

  function replace(client: postgres.Sql): void {
    if (client !== current || isClosing) return;
    current = connect();
    finishing.finish(client);
  }

  return {
    client: new Proxy(current, {
      apply: (_, __, args: Parameters<postgres.Sql>) => (isPooled ? alone(current(...args)) : current(...args)),
      get: (_, name) => current[name as keyof postgres.Sql],
    }),
    use() {
      const underWay = load.statements + load.transactions;
      return { max, used: Math.min(max, underWay), waiting: Math.max(0, underWay - max) };
    },
    report(answers) {
      const isBack = answers && !isUp;
      isUp = answers;
      // replaces connections that were opened in vain meanwhile
      if (!isUp || isBack) replace(current);
      if (!isUp) finishing.endAll();
    },
    async close() {
      isClosing = true;
      answers?.close();
      await current.end({ timeout: 5 });
    },
  };
}

/** Missing in the driver's types: ends each connection after its statement, but `end` must still be called. */
type Closable = postgres.Sql & { close(): Promise<unknown> };

/**
 * Replaced clients: their statements may finish for some seconds, unless the database turns out to be silent. The
 * driver ignores a second `end`, so the first one has to wait until then.
 */
function finishingClients() {
  const timers = new Map<postgres.Sql, NodeJS.Timeout>();
  function end(client: postgres.Sql, timeout: number): void {
    clearTimeout(timers.get(client));
    if (timers.delete(client)) void client.end({ timeout });
  }
  return {
    finish(client: postgres.Sql): void {
      timers.set(
        client,
        setTimeout(() => end(client, 0), FINISH_SECONDS * 1000),
      );
      void (client as Closable).close().then(() => end(client, FINISH_SECONDS));
    },
    endAll(): void {
      for (const client of timers.keys()) end(client, 0);
    },
  };
}

/** Running statements and transactions. Those above the number of connections wait: the driver does not count them. */
type Load = { statements: number; transactions: number };

function countTransactions(client: postgres.Sql, load: Load): void {
  const { begin } = client;
  client.begin = ((...args: Parameters<typeof begin>) => {
    load.transactions += 1;
    return begin(...args).finally(() => {
      load.transactions -= 1;
    });
  }) as typeof begin;
}

type OnStatement = NonNullable<PoolOptions['onStatement']>;

/** A transaction counts as one statement, and so does each statement in it. */
function reportStatements(client: postgres.Sql, onStatement: OnStatement): void {
  reportUnsafe(client, onStatement);
  const { begin } = client;
  client.begin = ((...args: Parameters<typeof begin>) => {
    const work = args.at(-1) as unknown as (sql: postgres.TransactionSql) => unknown;
    const reported = (sql: postgres.TransactionSql) => {
      reportUnsafe(sql, onStatement);
      return work(sql);
    };
    const ended = onStatement('begin');
    const transaction = begin(...(args.slice(0, -1) as []), reported as never);
    transaction.then(() => ended(), ended);
    return transaction;
  }) as typeof begin;
}

/** A query starts when it is awaited, usually at once. */
function reportUnsafe(client: postgres.Sql | postgres.TransactionSql, onStatement: OnStatement): void {
  const { unsafe } = client;
  client.unsafe = ((...args: Parameters<typeof unsafe>) => {
    const query = unsafe(...args);
    const ended = onStatement(args[0]);
    setImmediate(() => {
      if ((query as unknown as WaitingQuery).executed)
        query.then(
          () => ended(),
          (error) => ended(error),
        );
    });
    return query;
  }) as typeof unsafe;
}

type Watched = { mayWait: boolean; load: Load; onStarved: () => void };
type Adaptation = Watched & { prepare: boolean; isPooled: boolean; isUp: () => boolean };

/**
 * Drizzle asks the driver not to prepare a query unless it has a name, so each one would be parsed and planned again,
 * after a second round trip for its types. Transactions have clients of their own and are not affected. The driver
 * keeps a statement for each connection and prepares it again if a migration invalidates it.
 */
function adaptStatements(client: postgres.Sql, { prepare, isPooled, isUp, ...watched }: Adaptation): void {
  const { unsafe } = client;
  const watch = statementWatch(watched);
  client.unsafe = ((text, params, options) => {
    const isPrepared = prepare && text.length <= MAX_PREPARED_LENGTH;
    // the driver itself gives `begin` such an option
    const query = unsafe(text, params, { ...(isPooled && ALONE), ...options, prepare: isPrepared });
    // a cancellation needs no wait: the database is known to be away
    if (!isUp()) query.cancel();
    else watch(query as unknown as WaitingQuery);
    return query;
  }) as typeof unsafe;
}

/** `state`: the connection on which it was sent. `active`: its answer is the next one. */
type WaitingQuery = Startable & {
  state: unknown;
  active: boolean;
  options: { onexecute?: unknown };
  /** What the driver calls after it has cancelled the statement on another connection. */
  cancelled: { resolve(): void; reject(error: Error): void } | boolean | null;
  cancel(): unknown;
  reject(error: Error): void;
};

/** Counts queries, and rejects those that wait too long for a connection, or on one behind another query. */
function statementWatch({ mayWait, load, onStarved }: Watched): (query: WaitingQuery) => void {
  const ended = () => {
    load.statements -= 1;
  };
  return afterStart((query) => {
    load.statements += 1;
    query.then(ended, ended);
    if (!mayWait && !query.active) startTimer(query, onStarved);
  });
}

function startTimer(query: WaitingQuery, onStarved: () => void): void {
  let parts = 0;
  const timer = setInterval(() => {
    parts += 1;
    if (parts < WAIT_PARTS) return;
    clearInterval(timer);
    // a transaction that was sent has reserved its connection, and no other code would release it
    const canReject = !query.active && (query.state === null || !query.options.onexecute);
    if (!canReject) return;
    abandon(query);
    onStarved();
    query.reject(Object.assign(new Error('no free database connection in time'), { code: 'CONNECT_TIMEOUT' }));
  }, WAIT_MS / WAIT_PARTS);
  const clear = () => clearInterval(timer);
  query.then(clear, clear);
}

/**
 * Cancels a statement, when its turn comes if it was sent. The driver's `cancel` drops the promise of the connection
 * that cancels, and if that connection fails, as it does when the database is away, nothing could catch the error.
 */
function abandon(query: WaitingQuery): void {
  if (query.state === null) query.cancel();
  else query.cancelled = { resolve() {}, reject() {} };
}
