import type { IncomingMessage } from 'node:http';
import { feedAccessOf } from '../base/public-paths';
import { lookupFeedListener } from '../domain/feeds/feed-access';
import type { Actor } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actorOf, readSession } from './request-context';

/**
 * The reader of an episode's file that visitors do not get: the listener whose private feed has this address, otherwise
 * the user of the session. Null for a visitor.
 */
export async function fileReader(runtime: Runtime, episodeId: number, req: IncomingMessage): Promise<Actor | null> {
  const access = feedAccessOf(req.url ?? '');
  if (access !== null) return lookupFeedListener(runtime, access, episodeId);
  const session = await readSession(runtime.sessions, req.headers.cookie);
  return session && actorOf(session);
}
