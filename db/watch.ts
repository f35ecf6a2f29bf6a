import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { endOverdue, TIME_LIMITS } from './overdue';

const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 900;
/** Every 5 s. */
const PROBES_PER_SWEEP = 20;

type Watch = {
  /** The database itself, if `url` is a pooler's. */
  directUrl?: string;
  /** Called after each probe. */
  onAnswer: (isUp: boolean) => void;
  limits?: typeof TIME_LIMITS;
  probesPerSweep?: number;
};

/**
 * Asks the database on a connection of its own, because only an answer shows that it is there; and ends overdue
 * statements there, because they may occupy every other connection. A pooler without a free connection does not answer
 * either, so the database counts as away only if it does not answer directly. @returns stops it
 */
export function watchDatabase(url: string, watch: Watch): () => Promise<void> {
  const { directUrl = url, onAnswer, limits = TIME_LIMITS, probesPerSweep = PROBES_PER_SWEEP } = watch;
  const stopping = new AbortController();
  const probes = [...new Set([url, directUrl])].map(openProbe);

  async function run(): Promise<void> {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      const answering = await firstAnswering(probes);
      const isUp = answering !== null;
      if (stopping.signal.aborted) return;
      onAnswer(isUp);
      // an error is one of the connection, which the next probe notices
      if (answering && count % probesPerSweep === 0) endOverdue(answering, limits).catch(() => {});
      await sleep(PROBE_INTERVAL_MS, null, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  void run();
  return () => {
    stopping.abort();
    return Promise.all(probes.map(({ close }) => close())).then(() => {});
  };
}

type Probe = { isAnswered(): Promise<boolean>; client(): postgres.Sql; close(): Promise<void> };

/** A connection that is replaced when it does not answer. */
function openProbe(url: string): Probe {
  let client = connect(url);
  return {
    async isAnswered() {
      const isAnswered = await answers(client);
      if (isAnswered) return true;
      void client.end({ timeout: 0 });
      client = connect(url);
      return false;
    },
    client: () => client,
    close: () => client.end({ timeout: 0 }),
  };
}

/** Both at once, because together they must not take longer than one. */
async function firstAnswering(probes: Probe[]): Promise<postgres.Sql | null> {
  const answered = await Promise.all(probes.map(({ isAnswered }) => isAnswered()));
  return probes[answered.indexOf(true)]?.client() ?? null;
}

function connect(url: string): postgres.Sql {
  return postgres(url, {
    max: 1,
    prepare: false,
    connect_timeout: 1,
    backoff: () => 0,
    onnotice: () => {},
    fetch_types: false,
  });
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
