import type { DomainRates } from './domain-rates';
import type { BulkMessage, BulkResult } from './message';
import type { ResultBatch, SendJob } from './send-job';

type Source = { messages: BulkMessage[]; position: number; batch: ResultBatch };
type Held = { jobs: SendJob[]; until: number };

/**
 * Messages that wait for their turn, in order. Those to a domain that is slowed down wait aside, so that they delay no
 * others; those that would wait longer than `patienceMs` are returned to the caller.
 */
export function createJobQueue(rates: DomainRates, options: { now: () => number; patienceMs: number }) {
  const { now, patienceMs } = options;
  let sources: Source[] = [];
  const held = new Map<string, Held>();

  function nextFromSources(): SendJob | null {
    for (;;) {
      const source = sources.find(({ batch }) => !batch.isFull());
      if (!source) return null;
      const message = source.messages[source.position];
      if (!message) {
        sources.splice(sources.indexOf(source), 1);
        continue;
      }
      source.position += 1;
      const job = createJob(message, source.batch);
      const aside = held.get(job.domain);
      const waitMs = aside ? Math.max(1, aside.until - now()) : rates.take(job.domain);
      if (waitMs === 0) return started(job);
      holdBack(job, waitMs);
    }
  }

  function nextHeld(): SendJob | null {
    for (const [domain, aside] of held) {
      if (aside.until > now()) continue;
      const waitMs = rates.take(domain);
      if (waitMs > 0) {
        aside.until = now() + waitMs;
        continue;
      }
      const job = aside.jobs.shift()!;
      if (aside.jobs.length === 0) held.delete(domain);
      return started(job);
    }
    return null;
  }

  function holdBack(job: SendJob, waitMs: number): void {
    const aside = held.get(job.domain) ?? { jobs: [], until: now() + waitMs };
    const retryInMs = Math.ceil(waitMs + (aside.jobs.length * 1000) / (rates.limitOf(job.domain) ?? 1000));
    if (retryInMs > patienceMs) {
      job.batch.add({ ...unsent(job, 'the domain is slowed down'), retryInMs });
      return;
    }
    aside.jobs.push(job);
    held.set(job.domain, aside);
  }

  function started(job: SendJob): SendJob {
    job.takenAt = now();
    return job;
  }

  return {
    add: (messages: BulkMessage[], batch: ResultBatch) => void sources.push({ messages, position: 0, batch }),
    /** The next message whose turn has come. */
    next: (): SendJob | null => (held.size > 0 ? nextHeld() : null) ?? nextFromSources(),
    /** Milliseconds until a message that waits aside has its turn; null: none waits. */
    msUntilNext: () =>
      held.size === 0 ? null : Math.max(1, Math.min(...[...held.values()].map(({ until }) => until - now()))),
    /** Returns all messages, or those of one batch, to their callers. */
    giveBack(reason: string, only?: ResultBatch): void {
      const isMeant = ({ batch }: { batch: ResultBatch }) => !only || batch === only;
      const returned = sources.filter(isMeant);
      sources = sources.filter((source) => !isMeant(source));
      for (const [domain, aside] of held) {
        for (const job of aside.jobs.filter(isMeant)) job.batch.add(unsent(job, reason));
        aside.jobs = aside.jobs.filter((job) => !isMeant(job));
        if (aside.jobs.length === 0) held.delete(domain);
      }
      for (const { messages, position, batch } of returned) {
        for (const { id } of messages.slice(position)) batch.add({ id, state: 'unsent', text: reason });
      }
    },
  };
}

function createJob(message: BulkMessage, batch: ResultBatch): SendJob {
  const domain = message.to.slice(message.to.lastIndexOf('@') + 1).toLowerCase();
  return { message, domain, bytes: null, takenAt: 0, attempts: 0, batch };
}

export const unsent = ({ message }: SendJob, text: string): BulkResult => ({ id: message.id, state: 'unsent', text });
