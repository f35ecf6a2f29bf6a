import { later } from '../../base/time';
import { NEW_FILE_LIMITS } from '../../limits/media';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, transact } from '../../runtime/ctx';

/** Stores a small MP3, as `keepNewFile` does; the caller adds its row next. */
export async function storeNewFile(ctx: Ctx, key: string, bytes: Buffer): Promise<void> {
  await keepNewFile(ctx, key, () => ctx.ports.storage.put(key, bytes, { contentType: 'audio/mpeg' }));
}

/**
 * Stores a file before the transaction that adds its row. A job deletes it unless a row refers to it by then
 * (erase-objects.ts): the transaction may fail, and this process may be killed before it. Its key must be a new one,
 * because a job may still delete the former file of the same sound (docs/decisions/0388).
 */
export async function keepNewFile(ctx: Ctx, key: string, store: () => Promise<unknown>): Promise<void> {
  const at = later(ctx.now(), NEW_FILE_LIMITS.unusedFor);
  await transact(ctx, (tx) => tx.jobs.enqueue(removeObjects, { keys: [key] }, { at }));
  await store();
}
