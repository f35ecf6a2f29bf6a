import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connectionTo } from '../tls';
import { endOverdue, TIME_LIMITS } from './overdue';

const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 900;
/** Every 5 seconds. */
const PROBES_PER_SWEEP = 20;

type Watch = {
  /** The address of the database itself, if `url` is a pooler's. */
  directUrl?: string;
  /** Called after each probe. */
  onAnswer: (isUp: boolean) => void;
  limits?: typeof TIME_LIMITS;
  probesPerSweep?: number;
};

/**
 * Queries the database on a connection of its own, because only an answer shows that it is available. Overdue
 * statements are also ended there, because they may occupy all other connections. A pooler without a free connection
 * does not answer either, so the database then counts as away only if the pooler does not even accept the login, or has
 * nothing to wait for (docs/decisions/0083).
 * @returns a function that stops it
 */
export function watchDatabase(url: string, watch: Watch): () => Promise<void> {
  const { directUrl = url, onAnswer, limits = TIME_LIMITS, probesPerSweep = PROBES_PER_SWEEP } = watch;
  const stopping = new AbortController();
  const main = openProbe(url);
  const direct = directUrl === url ? null : openProbe(directUrl);

  async function run(): Promise<void> {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      // both at the same time, because together they must not take longer than one
      const [reply, directReply] = await Promise.all([main.ask(), direct?.ask()]);
      const answering = reply === 'answer' ? main : directReply === 'answer' ? direct : null;
      const isUp = answering !== null && (answering === main || (reply === 'login' && (await isBusy(answering))));
      if (stopping.signal.aborted) return;
      onAnswer(isUp);
      // a connection error, which the next probe notices
      if (answering && count % probesPerSweep === 0) endOverdue(answering.client(), limits).catch(() => {});
      await sleep(PROBE_INTERVAL_MS, null, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  void run();
  return () => {
    stopping.abort();
    return Promise.all([main.close(), direct?.close()]).then(() => {});
  };
}

/** Whether one of our sessions is active, so that a pooler could be waiting for it. */
async function isBusy(direct: Probe): Promise<boolean> {
  const session = direct.client()`
    select 1 from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> pg_backend_pid() and state <> 'idle' limit 1`;
  return inTime(
    session.then(({ count }) => count > 0),
    false,
  );
}

/** `login`: only the login was answered, or the answer was an error. */
type Reply = 'answer' | 'login' | 'nothing';
type Probe = { ask(): Promise<Reply>; client(): postgres.Sql; close(): Promise<void> };

/** A connection that is replaced when it does not answer. */
function openProbe(url: string): Probe {
  let current = connectProbe(url);
  return {
    async ask() {
      const { client, hasLoggedIn } = current;
      const answer = client`select 1`.simple().then(
        () => 'answer' as const,
        (error) => (error instanceof postgres.PostgresError ? 'login' : null),
      );
      const reply = (await inTime(answer, null)) ?? (hasLoggedIn() ? 'login' : 'nothing');
      if (reply === 'answer') return reply;
      void client.end({ timeout: 0 });
      current = connectProbe(url);
      return reply;
    },
    client: () => current.client,
    close: () => current.client.end({ timeout: 0 }),
  };
}

function connectProbe(url: string): { client: postgres.Sql; hasLoggedIn(): boolean } {
  let isLoggedIn = false;
  const server = connectionTo(url);
  const client = postgres(server.url, {
    max: 1,
    ssl: server.ssl,
    prepare: false,
    connect_timeout: 1,
    backoff: () => 0,
    onnotice: () => {},
    // the first message after a login
    onparameter: () => {
      isLoggedIn = true;
    },
    fetch_types: false,
  });
  return { client, hasLoggedIn: () => isLoggedIn };
}

/**
 * The second, short wait reads an answer that arrived while this process was busy. An answer ends both waits: four times
 * a second, timers that run out in vain would wake an idle process.
 */
function inTime<T, Late>(answer: Promise<T>, otherwise: Late): Promise<T | Late> {
  return new Promise((resolve) => {
    const settle = (value: T | Late) => {
      clearTimeout(timer);
      resolve(value);
    };
    let timer = setTimeout(() => {
      timer = setTimeout(settle, 100, otherwise).unref();
    }, PROBE_TIMEOUT_MS).unref();
    answer.then(settle, () => settle(otherwise));
  });
}
