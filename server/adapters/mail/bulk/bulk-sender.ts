import { SECONDS } from '../../../base/time';
import { asksToSlowDown } from './classify-reply';
import { createDomainRates } from './domain-rates';
import { UnsafeHeader } from './header-values';
import { createJobQueue, unsent } from './job-queue';
import type { BulkResult, BulkSender } from './message';
import { createPipeline, type Pipeline } from './pipeline';
import { collectResults, type SendJob } from './send-job';
import { openSmtpSession, type SmtpTimeouts } from './smtp-session';
import { readSmtpUrl } from './smtp-url';

export type BulkSmtpOptions = {
  /** Like `SMTP_URL`. */
  url: string;
  connections?: number;
  timeouts?: SmtpTimeouts;
  /** How long messages to a domain that is slowed down wait before they are returned. */
  patienceMs?: number;
  /** The first pause after a failed connection; doubled with each further one. */
  pauseMs?: number;
};

const CONNECTIONS = 8;
/** RFC 5321 §4.5.3.2 asks for ten minutes after an email: to give up earlier loses the answer. */
const TIMEOUTS: SmtpTimeouts = { connectMs: SECONDS(15), answerMs: SECONDS(150), acceptMs: SECONDS(600) };
const PATIENCE_MS = SECONDS(30);
const PAUSE_MS = 250;
/** Connections in a row without one answer about an email. Then the rest is returned to the caller. */
const MAX_FAILURES = 4;
const MAX_ATTEMPTS = 3;
/** Messages that are built, or signed, ahead of the connections. */
const AHEAD_PER_CONNECTION = 16;
const IDLE_MS = SECONDS(10);

type Connection = { pipeline: Pipeline; submit(job: SendJob): void };

/** Sends many emails over a few connections that stay open. @throws if `url` is not valid */
export function createBulkSender(options: BulkSmtpOptions): BulkSender {
  const server = readSmtpUrl(options.url);
  const { connections = CONNECTIONS, timeouts = TIMEOUTS, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = options;
  const now = () => performance.now();
  const rates = createDomainRates(now);
  const queue = createJobQueue(rates, { now, patienceMs });
  const open = new Set<Connection>();
  const ready: SendJob[] = [];
  let [opening, building, failures, mayOpenAt] = [0, 0, 0, 0];
  let isClosed = false;
  let wakeTimer: NodeJS.Timeout | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let whenClosed = () => {};

  function advance(): void {
    buildAhead();
    for (const { pipeline, submit } of open) {
      while (ready.length > 0 && pipeline.hasRoom()) submit(ready.shift()!);
    }
    buildAhead();
    // with one time for both: a pause that ends between them would have no timer, and nothing would be sent any more
    const at = now();
    if (ready.length > 0) openMore(at);
    scheduleWake(at);
    rest();
  }

  function buildAhead(): void {
    while (ready.length + building < connections * AHEAD_PER_CONNECTION) {
      const job = queue.next();
      if (!job) return;
      build(job);
    }
  }

  function build(job: SendJob): void {
    building += 1;
    const onBuilt = (bytes: Buffer) => {
      building -= 1;
      job.bytes = bytes;
      ready.push(job);
    };
    const onFailed = (error: unknown) => {
      building -= 1;
      const text = error instanceof Error ? error.message : String(error);
      // a missing thread or key says nothing about the recipient
      if (error instanceof UnsafeHeader) job.batch.add({ id: job.message.id, state: 'bounced', status: '5.6.0', text });
      else job.batch.add(unsent(job, text));
    };
    try {
      const bytes = job.message.bytes();
      if (Buffer.isBuffer(bytes)) onBuilt(bytes);
      else bytes.then(onBuilt, onFailed).then(advance);
    } catch (error) {
      onFailed(error);
    }
  }

  function finish(job: SendJob, result: BulkResult): void {
    if (asksToSlowDown(result)) rates.slowDown(job.domain, job.takenAt);
    job.attempts += 1;
    const isRepeated = result.state === 'unsent' && job.attempts < MAX_ATTEMPTS && !isClosed && !job.batch.hasFailed();
    if (isRepeated) ready.unshift(job);
    else job.batch.add(result);
  }

  function openMore(at: number): void {
    if (isClosed || at < mayOpenAt) return;
    // after a failure, one connection tries for all
    const wanted = failures > 0 ? 1 : Math.min(connections, open.size + ready.length);
    while (open.size + opening < wanted) {
      opening += 1;
      openSmtpSession(server, timeouts).then(connected, (error) => {
        opening -= 1;
        fail(error);
      });
    }
  }

  function connected(session: Awaited<ReturnType<typeof openSmtpSession>>): void {
    opening -= 1;
    let connection: Connection | null = null;
    let [hasSubmitted, hasAnswered] = [false, false];
    const pipeline = createPipeline(session, timeouts, {
      onRoom: advance,
      onEnd(reason) {
        if (connection) open.delete(connection);
        if (!connection || (hasSubmitted && !hasAnswered)) fail(reason);
        else advance();
      },
    });
    connection = {
      pipeline,
      submit(job) {
        hasSubmitted = true;
        pipeline.submit(job.message, job.bytes!, (result) => {
          if (result.state !== 'unsent' && result.state !== 'unknown') {
            hasAnswered = true;
            failures = 0;
          }
          finish(job, result);
        });
      },
    };
    if (pipeline.isEnded()) return;
    open.add(connection);
    advance();
  }

  function fail(reason: Error): void {
    failures += 1;
    mayOpenAt = now() + pauseMs * 2 ** (failures - 1);
    if (failures >= MAX_FAILURES && open.size === 0 && opening === 0) {
      failures = 0;
      giveBack(reason.message);
    }
    advance();
  }

  function giveBack(reason: string): void {
    for (const job of ready.splice(0)) job.batch.add(unsent(job, reason));
    queue.giveBack(reason);
  }

  function scheduleWake(at: number): void {
    if (wakeTimer) clearTimeout(wakeTimer);
    wakeTimer = null;
    const pause = ready.length > 0 && open.size < connections ? mayOpenAt - at : 0;
    const waits = [queue.msUntilNext() ?? 0, pause].filter((ms) => ms > 0);
    if (waits.length > 0) wakeTimer = setTimeout(advance, Math.min(...waits));
  }

  /** Closes connections that have nothing to do: soon, or at once if the sender closes. */
  function rest(): void {
    if (idleTimer) clearTimeout(idleTimer);
    idleTimer = null;
    if (ready.length + building > 0) return;
    const quit = () => {
      for (const { pipeline } of open) if (pipeline.isIdle()) pipeline.quit();
    };
    if (!isClosed) {
      if (open.size > 0) idleTimer = setTimeout(quit, IDLE_MS).unref();
      return;
    }
    quit();
    if (open.size + opening === 0) whenClosed();
  }

  return {
    async send(messages, onResults) {
      const { batch, done } = collectResults(messages.length, onResults, (stored) => {
        if (stored.hasFailed()) queue.giveBack('results could not be stored', stored);
        advance();
      });
      queue.add(messages, batch);
      if (isClosed) queue.giveBack('the sender is closed');
      else advance();
      await done;
    },
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        whenClosed = resolve;
        giveBack('the sender closes');
        advance();
      }),
  };
}
