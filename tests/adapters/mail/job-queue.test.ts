import { expect, test } from 'vitest';
import { createDomainRates } from '~/server/adapters/mail/bulk/domain-rates';
import { createJobQueue } from '~/server/adapters/mail/bulk/job-queue';
import type { BulkMessage, BulkResult } from '~/server/adapters/mail/bulk/message';
import type { ResultBatch } from '~/server/adapters/mail/bulk/send-job';
import { SECONDS } from '~/server/base/time';

const message = (id: string, domain: string): BulkMessage => ({
  id,
  from: 'a@a.example',
  to: `${id}@${domain}`,
  bytes: () => Buffer.alloc(0),
});

/** A queue in which slow.example gets one email in ten seconds. */
function slowedQueue(patienceMs: number) {
  let at = 0;
  const now = () => at;
  const rates = createDomainRates(now);
  rates.slowDown('slow.example', 0);
  const queue = createJobQueue(rates, { now, patienceMs });
  const results: BulkResult[] = [];
  const batch: ResultBatch = {
    add: (result) => void results.push(result),
    isFull: () => false,
    hasFailed: () => false,
  };
  const takeAll = () => {
    const taken: string[] = [];
    for (let job = queue.next(); job; job = queue.next()) taken.push(job.message.id);
    return taken;
  };
  return {
    queue,
    batch,
    results,
    takeAll,
    advance: (ms: number) => {
      at += ms;
    },
  };
}

test('emails to a slow domain wait aside in their order, and the others go on', () => {
  const { queue, batch, takeAll, advance, results } = slowedQueue(SECONDS(60));
  queue.add([message('s1', 'SLOW.example'), message('f1', 'fast.example'), message('s2', 'slow.example')], batch);
  queue.add([message('f2', 'fast.example')], batch);
  const first = takeAll();
  const wait = queue.msUntilNext();
  advance(wait!);
  const second = takeAll();
  advance(SECONDS(9));
  const early = takeAll();
  advance(SECONDS(1));

  expect(first).toEqual(['f1', 'f2']);
  expect(wait).toBe(SECONDS(10));
  expect([second, early, takeAll()]).toEqual([['s1'], [], ['s2']]);
  expect(queue.msUntilNext()).toBeNull();
  expect(results).toEqual([]);
});

test('emails that would wait too long return with the time to wait', () => {
  const { queue, batch, takeAll, results } = slowedQueue(SECONDS(25));
  queue.add(
    ['1', '2', '3', '4'].map((id) => message(id, 'slow.example')),
    batch,
  );
  takeAll();

  expect(results).toEqual([
    { id: '3', state: 'unsent', text: 'the domain is slowed down', retryInMs: SECONDS(30) },
    { id: '4', state: 'unsent', text: 'the domain is slowed down', retryInMs: SECONDS(30) },
  ]);
});

test('what waits is given back', () => {
  const { queue, batch, takeAll, results } = slowedQueue(SECONDS(60));
  queue.add([message('s1', 'slow.example')], batch);
  takeAll();
  queue.add([message('f1', 'fast.example')], { ...batch });
  queue.giveBack('stop', batch);

  expect(results).toEqual([{ id: 's1', state: 'unsent', text: 'stop' }]);
  expect(takeAll()).toEqual(['f1']);
});
