import { mediaLines } from './copy-media';
import { dropManifest, folderOf, listBackups, objectOf, readManifest } from './manifest';
import { listAll, type Target } from './target';

/** Removes the files of killed backups, except objects, which the next backup may need. */
export async function removeUnfinished(target: Target): Promise<void> {
  const { unfinished } = await listBackups(target);
  for (const name of unfinished) await removeFolder(target, name);
}

async function removeFolder(target: Target, name: string): Promise<void> {
  for await (const { key } of listAll(target, folderOf(name))) await target.remove(key);
}

/**
 * Removes all but the newest backups, and then every object that no remaining backup names. A backup's manifest goes
 * first, so a killed run never leaves a backup that looks complete; the next run removes the rest.
 */
export async function keepNewest(target: Target, keep: number): Promise<{ backups: number; objects: number }> {
  const { finished } = await listBackups(target);
  const old = finished.slice(0, -keep);
  for (const name of old) {
    await dropManifest(target, name);
    await removeFolder(target, name);
  }
  return { backups: old.length, objects: await removeUnnamed(target, finished.slice(-keep)) };
}

/** Needs about 100 bytes of memory for each object. */
async function removeUnnamed(target: Target, names: string[]): Promise<number> {
  const named = new Set<string>();
  for (const name of names) {
    const { media } = await readManifest(target, name);
    for await (const { sha256 } of mediaLines(target, media)) named.add(objectOf(sha256));
  }
  let removed = 0;
  for await (const { key } of listAll(target, 'objects/')) {
    if (named.has(key)) continue;
    await target.remove(key);
    removed += 1;
  }
  return removed;
}
