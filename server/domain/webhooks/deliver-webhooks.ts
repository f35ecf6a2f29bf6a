import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../base/errors';
import { later } from '../../base/time';
import { createRecorder } from '../../flow/group-commit';
import { DELIVERY_LIMITS } from '../../limits/webhooks';
import { deliverWebhooks as deliverJob } from '../../queue/jobs/webhooks';
import { type Ctx, transact } from '../../runtime/ctx';
import { composeMessage } from './compose-message';
import { type LeasedDelivery, leaseDeliveries, parkDeliveries } from './lease-deliveries';
import { type Attempt, recordAttempts } from './record-attempts';

/**
 * The job: attempts the deliveries that are due, each time leasing as many as there are free places, until none is due,
 * or for some minutes; then it enqueues its continuation. Several workers can do it, because each delivery is leased by one
 * of them. jobs/waking.ts enqueues it when something is due.
 */
export async function deliverWebhooks(ctx: Ctx): Promise<void> {
  const end = later(ctx.now(), DELIVERY_LIMITS.turn);
  const attempts = startAttempts(ctx);
  while (ctx.now() < end && attempts.mayGoOn()) {
    const leased = await leaseDeliveries(ctx, attempts.running);
    await ctx.reach('webhooks.leased');
    for (const delivery of leased) attempts.start(delivery);
    if (attempts.running.size === 0) break;
    await attempts.placeFree();
  }
  await attempts.allDone();
  await parkDeliveries(ctx);
  attempts.throwFault();
  if (ctx.now() < end) return;
  await transact(ctx, (tx) => tx.jobs.enqueue(deliverJob, {}));
}

/** The attempts of this process. Those that end while others are being recorded are recorded together. */
function startAttempts(ctx: Ctx) {
  const running = new Map<string, { creatorId: number; count: number; isFailing: boolean }>();
  const promises = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let isStopped = false;
  const recorder = createRecorder<Attempt, null>({
    capacity: DELIVERY_LIMITS.places,
    batch: DELIVERY_LIMITS.places,
    write: async (items) => {
      await recordAttempts(ctx, items);
      return items.map(() => null);
    },
  });

  const stop = () => {
    isStopped = true;
  };

  function count({ endpointId, creatorId, isFailing }: LeasedDelivery, change: 1 | -1): void {
    const next = (running.get(endpointId)?.count ?? 0) + change;
    if (next === 0) running.delete(endpointId);
    else running.set(endpointId, { creatorId, count: next, isFailing });
  }

  return {
    running,
    start(delivery: LeasedDelivery): void {
      count(delivery, 1);
      const work = attempt(ctx, delivery)
        .then((result) => (result ? recorder.record(result) : stop()))
        .catch((fault) => faults.push(fault))
        .then(() => {
          count(delivery, -1);
          promises.delete(work);
        });
      promises.add(work);
    },
    /** Not after a fault of ours, as when this process ends: whatever is leased now would wait for the end of its lease. */
    mayGoOn: () => !isStopped && faults.length === 0,
    allDone: () => Promise.all(promises),
    /** Waits for a free place, and a moment longer, so that the next look leases several; or until the next look. */
    async placeFree(): Promise<void> {
      const { busy, idle } = DELIVERY_LIMITS.pause;
      await Promise.race([...promises, sleep(idle)]);
      if (promises.size > 0) await sleep(busy);
    },
    /** Without a record, the deliveries return when their leases end. */
    throwFault(): void {
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Null if it is our fault that nothing was sent: the delivery returns when its lease ends. */
async function attempt(ctx: Ctx, delivery: LeasedDelivery): Promise<Attempt | null> {
  const startedAt = ctx.now();
  const begun = performance.now();
  const { answer: answerMs, answerBytes } = DELIVERY_LIMITS;
  const outcome = await composeMessage(ctx, delivery)
    .then((message) => ctx.ports.fetcher.deliver({ url: delivery.url, ...message, answerMs, answerBytes }))
    .then(({ status, answer }) => ({ status, answer, failure: null }))
    .catch((error) => {
      if (error instanceof AppError) return { status: null, answer: '', failure: error.code };
      // the address of a chat is a secret, and may be part of the message
      ctx.log.error(
        { deliveryId: delivery.id, fault: error instanceof Error ? error.name : 'unknown' },
        'nothing sent',
      );
      return null;
    });
  await ctx.reach('webhooks.sent');
  return outcome && { delivery, startedAt, ms: Math.round(performance.now() - begun), ...outcome };
}
