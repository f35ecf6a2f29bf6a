import type { IncomingMessage } from 'node:http';
import { feedAccessOf } from '../../base/public-paths';
import { lookupPromise } from '../../domain/insertions/promise-no-insertions';
import type { BuiltRendition } from '../../domain/insertions/renditions';
import { fileReader } from '../../http/file-reader';
import type { Runtime } from '../../runtime/runtime';

/**
 * Since when the show of an episode promises no insertions to the client, who has access to it by a session or a private
 * feed; null for all others.
 */
export async function promisedSince(runtime: Runtime, episodeId: number, req: IncomingMessage): Promise<Date | null> {
  if (!req.headers.cookie && feedAccessOf(req.url ?? '') === null) return null;
  const actor = await fileReader(runtime, episodeId, req);
  return actor && lookupPromise({ db: runtime.db, now: () => runtime.now(), actor }, episodeId);
}

/**
 * Whether a client keeps a rendition that its address has begun. With the promise, clips that were begun after it belong
 * to somebody else in the same network.
 */
export const keepsRendition = (promised: Date | null, { segments }: BuiltRendition, beganAt: Date): boolean =>
  promised === null || beganAt < promised || segments.every(({ role }) => role !== 'clip');
