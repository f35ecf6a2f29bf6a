import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Connections of a pool. */
export type PoolUse = {
  max: number;
  /** Running statements and transactions, at most `max`. */
  used: number;
  /** Statements that wait for a connection. */
  waiting: number;
};

/** Measurements of this process, for `/metrics`. */
export type Meters = {
  registry: Registry;
  jobEnded(name: string, outcome: 'done' | 'failed', seconds: number): void;
  emailEnded(outcome: 'sent' | 'failed'): void;
  /** `use` is called when metrics are read. */
  addPool(pool: string, use: () => PoolUse): void;
  /** Sets how to find out whether the connection that receives changes is open. */
  setListening(isListening: () => boolean): void;
};

export function createMeters(): Meters {
  const registry = new Registry();
  const registers = [registry];
  const jobs = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of jobs that this process ran, by name and outcome.',
    labelNames: ['name', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  });
  const emails = new Counter({
    name: 'emails_total',
    help: 'Emails that this process gave to the mail server. failed: an attempt, which is repeated.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['sent', 'failed']) emails.inc({ outcome }, 0);
  const pools = new Map<string, () => PoolUse>();
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of each pool. used: statements and transactions under way. waiting: statements without one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, use] of pools)
        for (const [state, value] of Object.entries(use())) this.set({ pool, state }, value);
    },
  });
  let isListening: (() => boolean) | null = null;
  new Gauge({
    name: 'database_listening',
    help: '1 if this process hears of changes (LISTEN), otherwise 0. Absent in a worker, which has no caches.',
    registers,
    collect() {
      if (isListening) this.set(isListening() ? 1 : 0);
      else this.remove();
    },
  });
  return {
    registry,
    jobEnded: (name, outcome, seconds) => jobs.observe({ name, outcome }, seconds),
    emailEnded: (outcome) => emails.inc({ outcome }),
    addPool: (pool, use) => void pools.set(pool, use),
    setListening(next) {
      isListening = next;
    },
  };
}
