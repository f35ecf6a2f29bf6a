import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { endOverdue, TIME_LIMITS } from './overdue';

const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 900;
/** Every 5 s. */
const PROBES_PER_SWEEP = 20;

type Watch = {
  /** Called after each probe. */
  onAnswer: (isUp: boolean) => void;
  limits?: typeof TIME_LIMITS;
  probesPerSweep?: number;
};

/**
 * Asks the database on a connection of its own, because only an answer shows that it is there; and ends overdue
 * statements there, because they may occupy every other connection. @returns stops it
 */
export function watchDatabase(url: string, watch: Watch): () => Promise<void> {
  const { onAnswer, limits = TIME_LIMITS, probesPerSweep = PROBES_PER_SWEEP } = watch;
  const stopping = new AbortController();
  let probe = connect(url);

  async function run(): Promise<void> {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      const isUp = await answers(probe);
      if (stopping.signal.aborted) return;
      onAnswer(isUp);
      // an error is one of the connection, which the next probe notices
      if (isUp && count % probesPerSweep === 0) endOverdue(probe, limits).catch(() => {});
      if (!isUp) {
        void probe.end({ timeout: 0 });
        probe = connect(url);
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
