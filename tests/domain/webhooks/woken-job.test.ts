import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wakeWorkers } from '~/jobs/waking';
import { deliverWebhooks } from '~/server/queue/jobs/webhooks';
import { runJobs } from '../../support/run-jobs';
import { webhookStage } from './webhook-stage';

const { runtime, db, lucia, episodes, create, status, answers, deliver, at } = await webhookStage();

const queued = async () => {
  const [row] = await db.execute<{ jobs: number }>(
    sql`select count(*)::int as jobs from pgboss.job where name = ${deliverWebhooks.name} and state = 'created'`,
  );
  return row!.jobs;
};

test('a committed event starts one job, and deliveries that wait for another attempt start none', async () => {
  const looks = vi.spyOn(runtime.db, 'execute');
  onTestFinished(wakeWorkers(runtime, new Map([['other', []]]), async () => {}));
  const lookTwice = async () => {
    const before = looks.mock.calls.length;
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(before + 2);
  };
  const { path } = await create(['episode.updated']);
  await lookTwice();
  expect(await queued()).toBe(0);

  status(path, 500);
  const episode = { id: episodes.podcast.public.id, kind: 'podcast' } as const;
  await lucia.api.episodes.update({ ...episode, name: 'One' });
  await lucia.api.episodes.update({ ...episode, name: 'Two' });
  await expect.poll(queued).toBe(1);
  await lookTwice();
  expect(await queued()).toBe(1);

  answers.delete(path);
  await runJobs(runtime, deliverWebhooks.name, () => deliver());
  expect(at(path)).toHaveLength(2);
  await lookTwice();
  expect(await queued()).toBe(0);
});
