import { expect, test } from 'vitest';
import { createRecorder } from '~/server/flow/group-commit';

/** A write that ends when the test calls `end`. */
function slowWrite() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const write = (items: number[]) => {
    batches.push(items);
    return new Promise<string[]>((resolve) => ends.push(() => resolve(items.map((n) => `kept ${n}`))));
  };
  return { batches, write, end: () => ends.shift()?.() };
}

test('items that arrive during a write share the next one and resolve after it', async () => {
  const { batches, write, end } = slowWrite();
  const recorder = createRecorder({ capacity: 100, batch: 100, write });

  const first = recorder.record(1);
  await expect.poll(() => batches.length).toBe(1);
  const rest = [recorder.record(2), recorder.record(3)];
  expect(batches).toEqual([[1]]);
  end();
  expect(await first).toBe('kept 1');
  await expect.poll(() => batches.length).toBe(2);
  end();

  expect(await Promise.all(rest)).toEqual(['kept 2', 'kept 3']);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('the next write is on its way before the answers to the last one', async () => {
  const events: string[] = [];
  const write = async (items: number[]) => {
    // the driver sends in the same turn of the event loop
    setImmediate(() => events.push(`sent ${items}`));
    await new Promise((resolve) => setTimeout(resolve, 5));
    return items;
  };
  const recorder = createRecorder({ capacity: 10, batch: 1, write });

  await Promise.all([1, 2].map(async (item) => events.push(`answered ${await recorder.record(item)}`)));

  expect(events).toEqual(['sent 1', 'sent 2', 'answered 1', 'answered 2']);
});

test('a full queue rejects immediately instead of growing', async () => {
  const { write, end } = slowWrite();
  const recorder = createRecorder({ capacity: 2, batch: 10, write });

  const waiting = [recorder.record(1), recorder.record(2)];

  await expect(recorder.record(3)).rejects.toMatchObject({ code: 'common.server_busy' });
  await expect.poll(() => end()).toBeUndefined();
  setTimeout(end, 20);
  await Promise.all(waiting);
});

test('a failed batch rejects each of its items, and the next batch still runs', async () => {
  let fail = true;
  const write = async (items: number[]) => {
    if (fail) throw new Error('no database');
    return items;
  };
  const recorder = createRecorder({ capacity: 10, batch: 10, write });

  const results = await Promise.allSettled([recorder.record(1), recorder.record(2)]);
  fail = false;

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await recorder.record(3)).toBe(3);
});

test('a long queue is written in batches of the given size, and drained waits for all of them', async () => {
  const sizes: number[] = [];
  const write = async (items: number[]) => {
    sizes.push(items.length);
    return items;
  };
  const recorder = createRecorder({ capacity: 100, batch: 4, write });

  for (let i = 0; i < 10; i++) void recorder.record(i);
  await recorder.drained();

  expect(sizes).toEqual([4, 4, 2]);
});
