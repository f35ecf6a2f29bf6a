import { expect, test } from 'vitest';
import { createChunkReader } from '~/server/adapters/storage/disk-chunks';

const BLOCK = 1024 * 1024;
const ALL_BLOCKS = 24;
const FIRST_TWO = { start: 0, end: 2 * BLOCK - 1 };

/** A file that repeats one byte and is readable up to a position. */
function fileOf(byte: number, readableUntil = Number.POSITIVE_INFINITY) {
  return {
    id: `file of ${byte}`,
    async readInto(buffer: Uint8Array, position: number) {
      if (position >= readableUntil) throw new Error('disk failed');
      buffer.fill(byte);
      return buffer.length;
    },
  };
}

async function readAll(chunks: AsyncGenerator<Buffer, void>): Promise<void> {
  for await (const _ of chunks);
}

test('a failed read leaves the block of another reader alone', async () => {
  const chunks = createChunkReader();
  for (const _ of [1, 2]) await readAll(chunks(fileOf(1), { start: 0, end: BLOCK - 1 }));
  const listening = chunks(fileOf(1), FIRST_TWO);
  await listening.next();

  const failing = () => readAll(chunks(fileOf(1, BLOCK), FIRST_TWO));
  for (const _ of [1, 2]) await expect(failing()).rejects.toThrow('disk failed');
  for (const _ of [1, 2]) await readAll(chunks(fileOf(2), { start: 0, end: ALL_BLOCKS * BLOCK - 1 }));

  const { value } = await listening.next();
  expect(value?.every((byte) => byte === 1)).toBe(true);
});
