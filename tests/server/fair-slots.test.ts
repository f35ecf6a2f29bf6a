import { expect, test } from 'vitest';
import { createFairSlots } from '~/server/flow/fair-slots';

/** One slot and four places. `order` lists the tasks in the order in which they ran. */
function queue() {
  const order: string[] = [];
  const refused: string[] = [];
  const withSlot = createFairSlots({ running: 1, waiting: 4, busy: () => new Error('busy') });
  const run = (network: string, name: string, isKnownDevice = false) =>
    withSlot({ network, isKnownDevice }, async () => void order.push(name)).catch(({ message }: Error) => {
      refused.push(`${name} ${message}`);
    });
  return { order, refused, run };
}

test('networks take turns, and known devices go first', async () => {
  const { order, run } = queue();

  await Promise.all([
    run('a', 'a0'),
    run('a', 'a1'),
    run('a', 'a2'),
    run('b', 'b1'),
    run('c', 'c1'),
    run('a', 'known', true),
  ]);

  expect(order).toEqual(['a0', 'known', 'a1', 'b1', 'c1', 'a2']);
});

test('known clients that come again and again leave every fourth slot to unknown ones', async () => {
  const { order, run } = queue();
  const again = async (times: number): Promise<void> => {
    await run('a', 'known', true);
    if (times > 1) await again(times - 1);
  };

  await Promise.all([again(9), again(9), again(9), run('b', 'b1'), run('c', 'c1')]);

  expect([order.indexOf('b1'), order.indexOf('c1')]).toEqual([4, 8]);
});

test('when all places are taken, the network with the most loses its last one to another network', async () => {
  const { order, refused, run } = queue();

  await Promise.all([...[0, 1, 2, 3, 4, 5].map((i) => run('a', `a${i}`)), run('b', 'b1'), run('a', 'known', true)]);

  expect(refused).toEqual(['a5 busy', 'a4 busy']);
  expect(order).toEqual(['a0', 'known', 'a1', 'b1', 'a2', 'a3']);
});

test('networks with one work each keep their places', async () => {
  const { order, refused, run } = queue();

  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((network) => run(network, network)));

  expect([refused, order]).toEqual([['f busy'], ['a', 'b', 'c', 'd', 'e']]);
});

test('a slot is free again after a work fails, and after all works are done', async () => {
  const { order, run } = queue();
  const withSlot = createFairSlots({ running: 1, waiting: 0, busy: () => new Error('busy') });
  const turn = { network: 'a', isKnownDevice: false };

  await expect(withSlot(turn, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const next = await withSlot(turn, async () => 'ran');
  await run('a', 'a1');
  await run('a', 'a2');

  expect([next, ...order]).toEqual(['ran', 'a1', 'a2']);
});
