import type { Database } from '~/db/client';
import type { Actor, Ctx } from '~/server/ctx';
import { makeUrls } from '~/server/urls';
import { BASE_TIME } from './published';

export const testUrls = makeUrls({
  appUrl: 'http://altavoz.localhost:3000',
  publicRoot: 'altavoz.localhost:3000',
  creatorHostPrefix: 'staging-',
  creatorUrls: 'host',
  mediaUrl: null,
});

/** What reading and counting need of a context: a database, addresses, somebody and a clock that stands still. */
export function listenerCtx(db: Database, over: { actor?: Actor; now?: Date } = {}): Ctx {
  const { actor = { type: 'visitor' }, now = BASE_TIME } = over;
  return { db, urls: testUrls, actor, now: () => now } as unknown as Ctx;
}

export const ownerOf = (creator: { id: number; userId: number }): Actor => ({
  type: 'user',
  userId: creator.userId,
  creatorId: creator.id,
  sessionId: 'test',
});
