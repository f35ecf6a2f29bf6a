import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cancelJob, retryQueue } from '~/server/domain/console/jobs';
import { goLive } from '~/server/queue/jobs/episodes';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import '../support/matchers';

const { runtime } = await cast({ empty: true });
const ctx = systemCtx(runtime, 'operator');
const operator = { name: 'olga' };
const { boss } = runtime.queue;

test('a job that runs is neither cancelled nor run again', async () => {
  await transact(ctx, (tx) => tx.jobs.enqueue(goLive, { episodeId: 1 }));
  const [job] = await boss.fetch(goLive.name);

  await expect(cancelJob(ctx, { operator, id: job!.id })).toFailWith('console.nothing_to_do');
  await expect(retryQueue(ctx, { operator, queue: goLive.name })).toFailWith('console.nothing_to_do');

  const [row] = await runtime.db.execute<{ state: string }>(sql`select state from pgboss.job where id = ${job!.id}`);
  expect(row).toEqual({ state: 'active' });
});
