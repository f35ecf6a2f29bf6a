import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

type FileAndStats = { handle: FileHandle; stats: Stats };
type SharedFile = { opening: Promise<FileAndStats | null>; readers: number; dropped: boolean; timer?: NodeJS.Timeout };

/** Stays open until its reader releases it. Reads are positional, so readers of one file don't interfere. */
export type OpenFile = FileAndStats & { release(): void };

/**
 * Shares open files between readers, because opening, measuring and closing one takes longer than reading 64 KiB. New
 * readers share a file for `shareMs`, and at most `maxFiles` files are shared; a dropped file is closed after its last
 * reader. So no file is closed while it is read, and a file that another process replaced is not used for long.
 */
export function createFilePool({ shareMs, maxFiles }: { shareMs: number; maxFiles: number }) {
  const files = new Map<string, SharedFile>();

  function keep(path: string): SharedFile {
    const file: SharedFile = { opening: openAndStat(path), readers: 0, dropped: false };
    file.timer = setTimeout(() => dropFile(files, path, file), shareMs).unref();
    files.set(path, file);
    if (files.size > maxFiles) dropFile(files, files.keys().next().value!);
    return file;
  }

  return {
    /** @returns null if the path is a folder or the like. @throws system errors, including ENOENT */
    async acquire(path: string): Promise<OpenFile | null> {
      const file = files.get(path) ?? keep(path);
      file.readers += 1;
      const opened = await file.opening.catch((error) => {
        dropFile(files, path, file);
        throw error;
      });
      if (!opened) dropFile(files, path, file);
      return opened && { release: releaseOf(file), ...opened };
    },
    /** The next reader opens the path again. */
    drop: (path: string) => dropFile(files, path),
  };
}

function dropFile(kept: Map<string, SharedFile>, path: string, file = kept.get(path)): void {
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
  // nothing was written, so a failed close loses no data
  if (dropped && readers === 0) opening.then((file) => file?.handle.close()).catch(() => {});
}
