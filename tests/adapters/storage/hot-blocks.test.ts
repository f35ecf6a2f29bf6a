import { expect, test } from 'vitest';
import { createHotBlocks, type HeldBlock } from '~/server/adapters/storage/hot-blocks';

/** The content of a file of letters, one block of four letters per index: `aaaa`, `bbbb` … */
const letters = Buffer.from('aaaabbbbccccddddee');
const readLetters = async (buffer: Uint8Array, position: number) =>
  // at most three bytes at a time, like a read that a signal interrupts
  letters.copy(buffer, 0, position, position + Math.min(3, buffer.length));
const textOf = (block: HeldBlock | null) => block && String(block.bytes);

function blocksOfFour(maxBlocks: number) {
  const blocks = createHotBlocks({ blockBytes: 4, maxBlocks });
  const request = async (file: string, index: number) =>
    blocks.take(file, index) ?? (await blocks.keep(file, index, readLetters));
  return { blocks, request };
}

/** Requests the block twice, so that it is kept in memory if there is room. */
async function heat({ request }: ReturnType<typeof blocksOfFour>, index: number): Promise<void> {
  for (const _ of [1, 2]) (await request('file', index))?.release();
}

test('a block is kept when it is requested again, for its file only', async () => {
  const { blocks, request } = blocksOfFour(2);

  const seen = [await request('file', 1), await request('file', 1), blocks.take('file', 1), await request('other', 1)];
  const last = [await request('file', 4), await request('file', 4)];

  expect(seen.map(textOf)).toEqual([null, 'bbbb', 'bbbb', null]);
  expect(last.map(textOf)).toEqual([null, 'ee']);
});

test('the least recently used block makes room, but none that is being read', async () => {
  const full = blocksOfFour(2);
  await heat(full, 0);
  await heat(full, 1);
  full.blocks.take('file', 0)!.release();
  await heat(full, 2);
  const held = full.blocks.take('file', 0)!;
  await heat(full, 3);
  const alsoHeld = full.blocks.take('file', 3)!;
  await heat(full, 1);

  expect([0, 1, 2, 3].map((index) => full.blocks.take('file', index) !== null)).toEqual([true, false, false, true]);
  expect([held, alsoHeld].map(textOf)).toEqual(['aaaa', 'dddd']);
});

test('reads that fail, or of the same block at the same time, lose no memory', async () => {
  const one = blocksOfFour(1);
  await one.request('file', 0);
  const failing = one.blocks.keep('file', 0, async () => {
    throw new Error('disk failed');
  });
  await expect(failing).rejects.toThrow('disk failed');
  await heat(one, 1);
  expect(textOf(one.blocks.take('file', 1))).toBe('bbbb');

  const two = blocksOfFour(2);
  await two.request('file', 0);
  const both = await Promise.all([two.request('file', 0), two.request('file', 0)]);
  for (const block of both) block?.release();
  await heat(two, 1);
  expect(both.map(textOf)).toEqual(['aaaa', 'aaaa']);
  expect([0, 1].map((index) => textOf(two.blocks.take('file', index)))).toEqual(['aaaa', 'bbbb']);
});
