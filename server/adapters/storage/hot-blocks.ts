import { LRUCache } from 'lru-cache';

/** A block in memory. Its bytes are valid until it is released; releasing it again changes nothing. */
export type HeldBlock = { bytes: Buffer; release(): void };

type Block = { memory: Buffer; bytes: Buffer; readers: number };
type ReadInto = (buffer: Uint8Array, position: number) => Promise<number>;
type Settings = { blockBytes: number; maxBlocks: number };

/** A block is kept if a reader requests it again within this many other requests per block in memory. */
const MEMORY_OF_REQUESTS = 4;

/**
 * Keeps the blocks of files that several readers request, as after the release of an episode. Only a block that is
 * requested for the second time is kept, and the least recently used one makes room for it. The memory never exceeds
 * `maxBlocks`, however many readers there are: a block that is being read is not replaced.
 */
export function createHotBlocks({ blockBytes, maxBlocks }: Settings) {
  /** The least recently used first. */
  const blocks = new Map<string, Block>();
  const requested = new LRUCache<string, true>({ max: maxBlocks * MEMORY_OF_REQUESTS });
  const unused: Buffer[] = [];
  let allocated = 0;

  /** Memory for one more block; undefined if all blocks are being read. */
  function findMemory(): Buffer | undefined {
    if (unused.length > 0) return unused.pop();
    if (allocated < maxBlocks) {
      allocated += 1;
      return Buffer.allocUnsafeSlow(blockBytes);
    }
    for (const [name, { memory, readers }] of blocks) {
      if (readers > 0) continue;
      blocks.delete(name);
      return memory;
    }
    return undefined;
  }

  function isRequestedAgain(name: string): boolean {
    const again = requested.has(name);
    requested.set(name, true);
    return again;
  }

  return {
    /** Returns the block if it is in memory. `file` identifies the content, and `index` counts blocks. */
    take(file: string, index: number): HeldBlock | null {
      const name = `${file} ${index}`;
      const block = blocks.get(name);
      if (!block) return null;
      blocks.delete(name);
      blocks.set(name, block);
      return holdBlock(block);
    },
    /** Reads the block into memory if it is requested for the second time. @returns null if it is not kept */
    async keep(file: string, index: number, readInto: ReadInto): Promise<HeldBlock | null> {
      const name = `${file} ${index}`;
      const memory = isRequestedAgain(name) ? findMemory() : undefined;
      if (!memory) return null;
      const bytes = await fillBlock(memory, index * blockBytes, readInto).catch((error) => {
        unused.push(memory);
        throw error;
      });
      // another reader may have been faster
      if (blocks.has(name)) {
        unused.push(memory);
        return this.take(file, index);
      }
      const block = { memory, bytes, readers: 0 };
      blocks.set(name, block);
      return holdBlock(block);
    },
  };
}

async function fillBlock(memory: Buffer, start: number, readInto: ReadInto): Promise<Buffer> {
  let filled = 0;
  while (filled < memory.length) {
    const got = await readInto(memory.subarray(filled), start + filled);
    if (got === 0) break;
    filled += got;
  }
  return memory.subarray(0, filled);
}

function holdBlock(block: Block): HeldBlock {
  block.readers += 1;
  let held = true;
  return {
    bytes: block.bytes,
    release() {
      if (!held) return;
      held = false;
      block.readers -= 1;
    },
  };
}
