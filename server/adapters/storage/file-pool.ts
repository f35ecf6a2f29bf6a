import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

type FileAndStats = { handle: FileHandle; stats: Stats };
type SharedFile = { opening: Promise<FileAndStats | null>; readers: number; dropped: boolean; timer?: NodeJS.Timeout };

/** Held open until its reader releases it. Reads are by position: readers of one file don't disturb each other. */
export type OpenFile = FileAndStats & { release(): void };

/**
 * Files for many readers at once, each opened once: to open a file, ask for its size and close it takes longer than to read
 * 64 KiB of it. New readers get the same file for `keptMs`, of at most `most` files; then it is dropped, and closed when its
 * last reader has left. So none is closed under a reader, and one that another process replaced is not handed out for long.
 */
export function createFilePool({ keptMs, most }: { keptMs: number; most: number }) {
  const kept = new Map<string, SharedFile>();

  function keep(path: string): SharedFile {
    const file: SharedFile = { opening: openAndStat(path), readers: 0, dropped: false };
    file.timer = setTimeout(() => drop(kept, path, file), keptMs).unref();
    kept.set(path, file);
    if (kept.size > most) drop(kept, kept.keys().next().value!);
    return file;
  }

  return {
    /** @returns null where there is no file but, say, a folder; throws what the system says, also that there is nothing */
    async acquire(path: string): Promise<OpenFile | null> {
      const file = kept.get(path) ?? keep(path);
      file.readers += 1;
      const found = await file.opening.catch((error) => {
        drop(kept, path, file);
        throw error;
      });
      if (!found) drop(kept, path, file);
      return found && { ...found, release: releaseOf(file) };
    },
    /** The next reader opens what then has this name. */
    drop: (path: string) => drop(kept, path),
  };
}

function drop(kept: Map<string, SharedFile>, path: string, file = kept.get(path)): void {
  if (!file || file.dropped) return;
  file.dropped = true;
  clearTimeout(file.timer);
  kept.delete(path);
  closeIfUnused(file);
}

async function openAndStat(path: string): Promise<FileAndStats | null> {
  const handle = await open(path);
  const stats = await handle.stat().catch(async (error) => {
    await handle.close();
    throw error;
  });
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  return null;
}

function releaseOf(file: SharedFile): () => void {
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    file.readers -= 1;
    closeIfUnused(file);
  };
}

function closeIfUnused({ dropped, readers, opening }: SharedFile): void {
  // what was only read is safe wherever it ends: nobody is there to be told that closing failed
  if (dropped && readers === 0) opening.then((file) => file?.handle.close()).catch(() => {});
}
