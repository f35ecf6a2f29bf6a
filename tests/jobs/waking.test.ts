import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wakeWorkers } from '~/jobs/waking';
import type { Runtime } from '~/server/runtime/runtime';

test('due jobs wake the workers of their queues, an outage of the database is logged once, and its end is noticed', async () => {
  const woken: string[] = [];
  const warn = vi.fn();
  const execute = vi
    .fn<(statement: SQL) => Promise<{ name: string }[]>>()
    .mockRejectedValueOnce(new Error('down'))
    .mockRejectedValueOnce(new Error('still down'))
    .mockResolvedValue([{ name: 'emails' }]);
  const runtime = { db: { execute }, log: { warn }, queue: { boss: { notifyWorker: (id: string) => woken.push(id) } } };
  const workers = new Map([
    ['emails', ['first', 'second']],
    ['audio', ['third']],
  ]);

  const onReturn = vi.fn().mockRejectedValueOnce(new Error('down again')).mockResolvedValue(undefined);
  onTestFinished(wakeWorkers(runtime as unknown as Runtime, workers, onReturn));

  await expect.poll(() => woken.slice(0, 2)).toEqual(['first', 'second']);
  expect(woken).not.toContain('third');
  // a failed look, a failed return, a return, and one more look
  await expect.poll(() => execute.mock.calls.length).toBeGreaterThan(4);
  expect(onReturn).toHaveBeenCalledTimes(2);
  // an idle server would spend most of its time on a parameter for each queue
  const [[statement] = []] = execute.mock.calls;
  expect(new PgDialect().sqlToQuery(statement!)).toEqual({ sql: expect.stringContaining("('audio')"), params: [] });
  expect(warn.mock.calls.map(([{ err }]) => err.message)).toEqual(['down']);
});

test('a process that starts after an outage is told too, once', async () => {
  const execute = vi.fn().mockResolvedValue([]);
  const onReturn = vi.fn().mockResolvedValue(undefined);
  const runtime = { db: { execute }, log: { warn: vi.fn() }, queue: { boss: {} } };

  onTestFinished(wakeWorkers(runtime as unknown as Runtime, new Map([['audio', ['first']]]), onReturn));

  await expect.poll(() => execute.mock.calls.length).toBeGreaterThan(1);
  expect(onReturn).toHaveBeenCalledOnce();
});
