import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createBoss } from '~/server/queue/queue';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';

const { client, url } = await testDatabase();

const stateOf = async (id: string) => {
  const [row] = await client<{ state: string }[]>`select state from pgboss.job where id = ${id}`;
  return row?.state;
};

/** A running job, and a database that can go away. */
async function startJob(queue: string) {
  const proxy = await databaseProxy(url);
  const errors: string[] = [];
  const onError = ({ message }: Error) => errors.push(message);
  const boss = createBoss(proxy.url, { runsJobs: false, onError, answerSeconds: 1 });
  await boss.start();
  onTestFinished(async () => {
    await boss.stop({ graceful: false });
    await proxy.close();
  });
  await boss.createQueue(queue, { name: queue, retryLimit: 2 });
  const id = (await boss.send(queue, {}))!;
  const working = new EventEmitter();
  await boss.work(queue, () => once(working, 'end'));
  await expect.poll(() => stateOf(id)).toBe('active');
  return {
    id,
    errors,
    proxy,
    boss,
    end: () => working.emit('end'),
    fail: (error: Error) => working.emit('error', error),
  };
}

test('a job that ends while the database is away is completed when the database is back', async () => {
  const { id, proxy, errors, end } = await startJob('ending');

  await proxy.refuse();
  end();
  await expect.poll(() => errors).not.toEqual([]);
  await proxy.restore();

  await expect.poll(() => stateOf(id)).toBe('completed');
});

test('a job that fails while the database is away is repeated when the database is back', async () => {
  const { id, proxy, errors, fail } = await startJob('failing');

  await proxy.refuse();
  fail(new Error('no database'));
  await expect.poll(() => errors).not.toEqual([]);
  await proxy.restore();

  await expect.poll(() => stateOf(id)).toBe('retry');
});

test('an end that the database refuses to store ends nothing else', async () => {
  const { id, errors, fail } = await startJob('refused');

  fail(new Error('a message with \0'));

  await expect.poll(() => errors).toEqual([expect.stringMatching(/Unicode/)]);
  expect(await stateOf(id)).toBe('active');
});

test('a worker that stops while the database is away gives its running jobs up', async () => {
  const { proxy, errors, boss } = await startJob('stopping');
  await proxy.refuse();

  await boss.stop({ timeout: 1000 });

  // the attempt to give the job up may still wait for its connection
  await expect.poll(() => errors).not.toEqual([]);
});

test('a statement of the queue that is never answered fails, and the job ends on another connection', async () => {
  const { id, proxy, errors, end } = await startJob('unanswered');

  proxy.loseConnections();
  end();

  await expect.poll(() => stateOf(id)).toBe('completed');
  expect(errors).toContain('Query read timeout');
});
