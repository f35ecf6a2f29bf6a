import { createHotBlocks, type HeldBlock } from './hot-blocks';
import { type ByteRange, CHUNK_BYTES, type OpenObject } from './port';

/** Buffers kept for reuse: allocating one per response would cost more than reading. */
const SPARE_BUFFERS = 16;
const BLOCK_BYTES = 1024 * 1024;
const HOT_BLOCKS = { blockBytes: BLOCK_BYTES, maxBlocks: 24 };

/** `id` identifies the content: a file that replaces another one has a different id. */
type ReadableFile = { id: string; readInto: OpenObject['readInto'] };

/**
 * Reads the files of a store in chunks: chunks that several readers request come from memory, the rest through spare
 * buffers.
 */
export function createChunkReader() {
  const hot = createHotBlocks(HOT_BLOCKS);
  const spare: Buffer[] = [];

  async function hold({ id, readInto }: ReadableFile, index: number, wantedBytes: number): Promise<HeldBlock | null> {
    // reading a whole block for a few bytes would cost more than it saves
    return wantedBytes * 2 < BLOCK_BYTES ? null : hot.keep(id, index, readInto);
  }

  return async function* chunks(
    file: ReadableFile,
    { start, end }: ByteRange,
    maxBytes = () => CHUNK_BYTES,
  ): AsyncGenerator<Buffer, void> {
    let held: HeldBlock | null = null;
    let buffer: Buffer | undefined;
    let block = -1;
    try {
      for (let position = start; position <= end; ) {
        const index = Math.floor(position / BLOCK_BYTES);
        const offset = position - index * BLOCK_BYTES;
        const wanted = Math.min(BLOCK_BYTES - offset, end - position + 1);
        if (index !== block) {
          held?.release();
          held = hot.take(file.id, index) ?? (await hold(file, index, wanted));
          block = index;
        }
        buffer ??= held ? undefined : (spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES));
        const bytes = held
          ? held.bytes.subarray(offset, offset + Math.min(wanted, maxBytes()))
          : await readChunk(file, buffer!.subarray(0, end - position + 1), position);
        if (bytes.length === 0) throw new Error('the object is shorter than the requested range');
        position += bytes.length;
        yield bytes;
      }
    } finally {
      held?.release();
      if (buffer && spare.length < SPARE_BUFFERS) spare.push(buffer);
    }
  };
}

async function readChunk({ readInto }: ReadableFile, buffer: Buffer, position: number): Promise<Buffer> {
  return buffer.subarray(0, await readInto(buffer, position));
}
