import type { Log } from './log';

const INTERVAL_MS = 5000;

type LoopTasks = {
  /** Starts sending without waiting for the endpoints. */
  dispatch(): Promise<void>;
  tick(): Promise<number>;
};

/**
 * Delivers webhooks soon after a change and processes due objects every few seconds; failures wait for the next round.
 */
export function startLoop(log: Log, { dispatch, tick }: LoopTasks) {
  const logFailure = (task: () => Promise<unknown>) => () =>
    task().catch((err: unknown) => log.warn({ err }, 'Stripe sandbox background task failed'));
  // separate queues, so that long work on due objects does not delay webhooks
  const [delivery, due] = [serialize(logFailure(dispatch)), serialize(logFailure(tick))];
  const timer = setInterval(() => {
    due.request();
    delivery.request();
  }, INTERVAL_MS);
  timer.unref();
  return {
    requestDelivery: delivery.request,
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all([delivery.idle(), due.idle()]);
    },
  };
}

/** Runs a task one at a time, with at most one run queued. */
function serialize(task: () => Promise<unknown>) {
  let running: Promise<unknown> = Promise.resolve();
  let queued = false;
  const run = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    queued = false;
    await task();
  };
  return {
    request() {
      if (queued) return;
      queued = true;
      running = running.then(run);
    },
    idle: () => running,
  };
}
